package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Weighers that throw what the compiler would not let them throw. */
class WeigherBoundsTest {

  @Test
  @Tag("B2")
  void checkedExceptionOfTheWeigherIsInvalidSizeToo() throws Exception {
    try (Worker<Long> worker =
        Worker.<Long>builder("sneaky")
            .concurrency(1)
            .capacityBytes(
                10,
                weight -> {
                  throw WeigherBoundsTest.<RuntimeException>sneaky(new java.io.IOException("size"));
                })
            .start((job, context) -> {})) {
      assertThat(worker.offer(Job.of("a", 1L))).isEqualTo(Admission.refused(Reason.INVALID_SIZE));
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isZero();
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X sneaky(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
