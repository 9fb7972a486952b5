package io.headgate;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/** Looks at what the account keeps to itself: its table of ids and its pool of entries. */
final class AccountInsides {

  private static final Field IDS = field("ids");
  private static final Field POOL = field("pool");

  private AccountInsides() {}

  private static Field field(String name) {
    try {
      Field field = Account.class.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static int ids(Account<?> account) {
    return ((IdTable) read(IDS, account)).size();
  }

  static List<Entry<?>> pooled(Account<?> account) {
    List<Entry<?>> pooled = new ArrayList<>();
    for (Entry<?> e = (Entry<?>) read(POOL, account); e != null; e = e.next) {
      pooled.add(e);
    }
    return pooled;
  }

  private static Object read(Field field, Account<?> account) {
    try {
      return field.get(account);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
