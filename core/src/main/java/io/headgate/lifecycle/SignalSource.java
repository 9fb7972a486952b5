package io.headgate.lifecycle;

import java.util.function.IntPredicate;

/** Where the signals of the operating system come from. */
interface SignalSource {

  /**
   * Has {@code arrival} told of every signal {@code name} (TERM, INT, HUP), each time on a thread
   * that must do next to nothing. It is given the signal's number; where it answers false, the
   * handler that was there before gets the signal.
   *
   * @return puts the previous handler back
   * @throws UnavailableException if that signal cannot be listened to here
   */
  Runnable listen(String name, IntPredicate arrival) throws UnavailableException;

  /** A signal cannot be listened to; the message says why. */
  final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnavailableException(String why) {
      super(why);
    }
  }
}
