package io.headgate.lifecycle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The signals of this JVM, by {@code sun.misc.Signal}. There is no supported way to hear a second
 * TERM: a shutdown hook swallows it. Reached by reflection, for a trimmed run-time image may lack
 * it.
 */
enum JvmSignals implements SignalSource {
  INSTANCE;

  @Override
  public Runnable listen(String name, IntPredicate arrival) throws UnavailableException {
    try {
      Api api = Api.find();
      Object signal = api.signal(name);
      int number = api.number(signal);
      Registration registration = new Registration(api, signal, number, arrival);
      registration.install();
      return registration::restore;
    } catch (ClassNotFoundException e) {
      throw new UnavailableException("the module jdk.unsupported is absent");
    } catch (InvocationTargetException e) {
      // Taken by the JVM itself (-Xrs), or unknown to this operating system.
      throw new UnavailableException(String.valueOf(e.getCause()));
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new UnavailableException(e.toString());
    }
  }

  /** The four operations that are needed, found by name. */
  private record Api(Class<?> signalType, Class<?> handlerType, Method handle, Method deliver) {

    static Api find() throws ReflectiveOperationException {
      ClassLoader loader = JvmSignals.class.getClassLoader();
      Class<?> signal = Class.forName("sun.misc.Signal", true, loader);
      Class<?> handler = Class.forName("sun.misc.SignalHandler", true, loader);
      return new Api(
          signal,
          handler,
          signal.getMethod("handle", signal, handler),
          handler.getMethod("handle", signal));
    }

    Object signal(String name) throws ReflectiveOperationException {
      return signalType.getConstructor(String.class).newInstance(name);
    }

    int number(Object signal) throws ReflectiveOperationException {
      return (Integer) signalType.getMethod("getNumber").invoke(signal);
    }

    /** Makes {@code handler} the handler of {@code signal}; returns the one it replaces. */
    Object handle(Object signal, Object handler) throws ReflectiveOperationException {
      return handle.invoke(null, signal, handler);
    }
  }

  /** One installed handler. A handler is known by its identity, not by what it says it equals. */
  @SuppressWarnings("ReferenceEquality")
  private static final class Registration {
    private final Api api;
    private final Object signal;
    private final int number;
    private final IntPredicate arrival;
    private final Object handler;
    private volatile @Nullable Object previous;

    Registration(Api api, Object signal, int number, IntPredicate arrival) {
      this.api = api;
      this.signal = signal;
      this.number = number;
      this.arrival = arrival;
      this.handler =
          Proxy.newProxyInstance(
              JvmSignals.class.getClassLoader(),
              new Class<?>[] {api.handlerType()},
              (proxy, method, arguments) -> called(proxy, method, arguments));
    }

    void install() throws ReflectiveOperationException {
      previous = api.handle(signal, handler);
    }

    private @Nullable Object called(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
      return switch (method.getName()) {
        case "handle" -> {
          if (!arrival.test(number)) {
            passOn();
          }
          yield null;
        }
        case "equals" -> arguments != null && arguments[0] == proxy;
        case "hashCode" -> System.identityHashCode(proxy);
        default -> "headgate's handler of signal " + number;
      };
    }

    /**
     * A signal that is not ours any more: it was under way while we left, or somebody who replaced
     * us still calls us. Without this it would be lost, and nothing would end the process.
     */
    private void passOn() {
      Object before = previous;
      if (before == null) {
        return;
      }
      try {
        api.deliver().invoke(before, signal);
      } catch (ReflectiveOperationException e) {
        // The system's own default and ignore handlers cannot be called from Java.
        return;
      }
    }

    void restore() {
      Object before = previous;
      if (before == null) {
        return;
      }
      try {
        Object present = api.handle(signal, before);
        if (present != handler) {
          // Somebody came after us: the handler in force is theirs, not ours to take away.
          api.handle(signal, present);
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the handler of signal " + number + " stays", e);
      }
    }
  }
}
