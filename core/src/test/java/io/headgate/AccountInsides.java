package io.headgate;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/** Looks at what the account keeps to itself: its table of ids and its pool of entries. */
final class AccountInsides {

  private static final Field BOOKS = field(Account.class, "books");
  private static final Field IDS = field(Books.class, "ids");
  private static final Field POOL = field(Books.class, "pool");

  private AccountInsides() {}

  private static Field field(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static int ids(Account<?> account) {
    return ((IdTable) read(IDS, read(BOOKS, account))).size();
  }

  static List<Entry<?>> pooled(Account<?> account) {
    List<Entry<?>> pooled = new ArrayList<>();
    for (Entry<?> e = (Entry<?>) read(POOL, read(BOOKS, account)); e != null; e = e.next) {
      pooled.add(e);
    }
    return pooled;
  }

  private static Object read(Field field, Object owner) {
    try {
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
