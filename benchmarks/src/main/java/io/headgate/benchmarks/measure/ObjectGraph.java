package io.headgate.benchmarks.measure;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import org.openjdk.jol.vm.VM;

/**
 * The bytes of all objects that some objects hold, each once, at the sizes that JOL reads from the
 * JVM. Not walked: threads, classes, enum constants, lambdas and other settings of the caller, and
 * what every worker shares.
 */
public final class ObjectGraph {

  /** What a JVM needs to be walked. */
  public static final List<String> FLAGS =
      List.of(
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED",
          "-Djol.magicFieldOffset=true",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+EnableDynamicAgentLoading");

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();

  private ObjectGraph() {}

  /** The bytes that the roots hold together. Nothing may change them meanwhile. */
  public static long bytes(Object... roots) throws IllegalAccessException {
    ObjectGraph walk = new ObjectGraph();
    for (Object root : roots) {
      walk.visit(root);
    }
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
        || object instanceof io.headgate.Admission
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
