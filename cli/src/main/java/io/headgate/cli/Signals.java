package io.headgate.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the signals that ask for an end to a receiver.
 *
 * <p>By reflection: the JDK's own interface to signals cannot be compiled against without a
 * warning. A signal that was ignored when the process started, as HUP under nohup, stays ignored.
 */
final class Signals {
  private static final String[] NAMES = {"TERM", "INT", "HUP"};

  private Signals() {}

  /**
   * Installs the receiver. It is called with the signal's name, on a fresh daemon thread for each
   * arrival, and must not block.
   *
   * @throws IllegalStateException where signals cannot be handled
   */
  static void handle(Consumer<String> receiver) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Method getName = signalType.getMethod("getName");
      Method handle = signalType.getMethod("handle", signalType, handlerType);
      Constructor<?> constructor = signalType.getConstructor(String.class);
      InvocationHandler invocation =
          new InvocationHandler() {
            @Override
            public @Nullable Object invoke(Object proxy, Method method, Object[] arguments)
                throws ReflectiveOperationException {
              if (!method.getName().equals("handle")) {
                throw new UnsupportedOperationException(method.getName());
              }
              receiver.accept((String) getName.invoke(arguments[0]));
              return null;
            }
          };
      Object handler =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(), new Class<?>[] {handlerType}, invocation);
      for (String name : NAMES) {
        try {
          handle.invoke(null, constructor.newInstance(name), handler);
        } catch (InvocationTargetException e) {
          // Refused by a virtual machine that keeps this signal (-Xrs): it acts as without us.
          if (!(e.getCause() instanceof IllegalArgumentException)) {
            throw e;
          }
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("signals cannot be handled here", e);
    }
  }
}
