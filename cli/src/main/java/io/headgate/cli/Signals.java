package io.headgate.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the signals that ask for an end, or for a list, to a receiver.
 *
 * <p>By reflection: the JDK's own interface to signals cannot be compiled against without a
 * warning. A signal that was ignored when the process started, as HUP under nohup, stays ignored.
 */
final class Signals {
  private static final String INQUIRY = "USR1";
  private static final String[] NAMES = {"TERM", "INT", "HUP", INQUIRY};

  private Signals() {}

  /**
   * Installs the receivers. They are called on a fresh daemon thread for each arrival, and must not
   * block.
   *
   * @param stop is called with the name of a signal that asks for an end
   * @param inquiry is called when USR1 asks what runs
   * @throws IllegalStateException where signals cannot be handled
   */
  static void handle(Consumer<String> stop, Runnable inquiry) {
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
              String name = (String) getName.invoke(arguments[0]);
              if (name.equals(INQUIRY)) {
                inquiry.run();
              } else {
                stop.accept(name);
              }
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
