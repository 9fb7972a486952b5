package io.headgate;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import org.openjdk.jol.vm.VM;

/**
 * The bytes of all objects that one object holds, each once, as the JVM lays them out. Not walked:
 * threads, classes, enum constants, settings given by the caller, and what every worker shares.
 */
final class RetainedBytes {

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();

  private RetainedBytes() {}

  static long of(Object root) throws IllegalAccessException {
    RetainedBytes walk = new RetainedBytes();
    walk.visit(root);
    long bytes = 0;
    while (!walk.open.isEmpty()) {
      Object next = walk.open.pop();
      bytes += VM.current().sizeOf(next);
      walk.follow(next);
    }
    return bytes;
  }

  private void visit(Object object) {
    if (object == null
        || object instanceof Thread
        || object instanceof Class<?>
        || object instanceof ClassLoader
        || object instanceof Enum<?>
        || object instanceof ThreadFactory
        || object instanceof VarHandle
        || object instanceof System.Logger
        || object instanceof Admission
        || object.getClass().isHidden()) {
      return;
    }
    if (seen.add(object)) {
      open.push(object);
    }
  }

  private void follow(Object object) throws IllegalAccessException {
    Class<?> type = object.getClass();
    if (type.isArray()) {
      if (!type.getComponentType().isPrimitive()) {
        for (int i = 0; i < Array.getLength(object); i++) {
          visit(Array.get(object, i));
        }
      }
      return;
    }
    if (object instanceof AbstractQueuedSynchronizer) {
      return;
    }
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          field.setAccessible(true);
          visit(field.get(object));
        }
      }
    }
  }
}
