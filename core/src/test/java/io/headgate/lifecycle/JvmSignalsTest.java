package io.headgate.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Handlers of this very process, by a signal that does nothing by default. */
@Tag("D17")
final class JvmSignalsTest {

  private static final String SIGNAL = "WINCH";

  private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();

  private IntPredicate hearing(String who, boolean taken) {
    return number -> {
      heard.add(who + " " + Thread.currentThread().isDaemon());
      return taken;
    };
  }

  /** Sends the signal to this process and returns who hears it first. */
  private String raise() throws Exception {
    String self = Long.toString(ProcessHandle.current().pid());
    assertThat(new ProcessBuilder("kill", "-" + SIGNAL, self).inheritIO().start().waitFor())
        .isZero();
    return next();
  }

  private String next() throws InterruptedException {
    String who = heard.poll(30, TimeUnit.SECONDS);
    assertThat(who).as("heard").isNotNull();
    return who;
  }

  @Test
  void signalsArriveOnADaemonThreadAndThePreviousHandlerComesBack() throws Exception {
    Runnable restoreOuter = JvmSignals.INSTANCE.listen(SIGNAL, hearing("outer", true));
    Runnable restoreInner = JvmSignals.INSTANCE.listen(SIGNAL, hearing("inner", true));
    assertThat(raise()).isEqualTo("inner true");
    restoreInner.run();
    assertThat(raise()).isEqualTo("outer true");
    restoreOuter.run();
    assertThat(heard).isEmpty();
  }

  @Test
  void handlerThatCameLaterIsLeftInForce() throws Exception {
    Runnable restoreOurs = JvmSignals.INSTANCE.listen(SIGNAL, hearing("ours", true));
    Runnable restoreTheirs = JvmSignals.INSTANCE.listen(SIGNAL, hearing("theirs", true));
    restoreOurs.run();
    assertThat(raise()).isEqualTo("theirs true");
    restoreTheirs.run();
    restoreOurs.run();
  }

  @Test
  void signalThatIsNotTakenGoesToThePreviousHandler() throws Exception {
    Runnable restoreOuter = JvmSignals.INSTANCE.listen(SIGNAL, hearing("outer", true));
    Runnable restoreInner = JvmSignals.INSTANCE.listen(SIGNAL, hearing("inner", false));
    assertThat(raise()).isEqualTo("inner true");
    assertThat(next()).isEqualTo("outer true");
    restoreInner.run();
    restoreOuter.run();
  }

  @Test
  void signalThatCannotBeHandledIsNamed() {
    assertThatThrownBy(() -> JvmSignals.INSTANCE.listen("KILL", number -> true))
        .isInstanceOf(SignalSource.UnavailableException.class)
        .hasMessageContaining("KILL");
    assertThatThrownBy(() -> JvmSignals.INSTANCE.listen("NONSENSE", number -> true))
        .isInstanceOf(SignalSource.UnavailableException.class)
        .hasMessageContaining("NONSENSE");
  }
}
