package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InquiryTest {
  private final Semaphore begun = new Semaphore(0);
  private final Semaphore mayEnd = new Semaphore(0);
  private final Inquiry inquiry = new Inquiry();

  private void answer() {
    begun.release();
    mayEnd.acquireUninterruptibly();
  }

  @Test
  void signalsThatComeDuringAnAnswerGetOneMore() throws Exception {
    inquiry.attach(this::answer);
    inquiry.signal();
    assertThat(begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    inquiry.signal();
    inquiry.signal();
    inquiry.signal();
    mayEnd.release();
    assertThat(begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    mayEnd.release();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("headgate-inquiry")) {
        thread.join();
      }
    }
    assertThat(begun.availablePermits()).isZero();
    inquiry.signal();
    assertThat(begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    mayEnd.release();
  }
}
