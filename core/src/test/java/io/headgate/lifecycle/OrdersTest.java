package io.headgate.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class OrdersTest {

  private static final int TERM = FakeSignals.TERM;
  private static final int INT = FakeSignals.INT;

  @Test
  @Tag("D13")
  @Tag("CASE-21")
  void firstSignalDrainsSecondAbortsThirdHaltsWithItsNumber() {
    Orders first = Orders.NONE.signal(TERM, 10);
    Orders second = first.signal(TERM, 20);
    Orders third = second.signal(INT, 30);

    assertThat(Orders.NONE.isStop()).isFalse();
    assertThat(first).isEqualTo(new Orders(Demand.DRAIN, 10, 1, 0, false));
    assertThat(second).isEqualTo(new Orders(Demand.ABORT, 10, 2, 0, false));
    assertThat(third).isEqualTo(new Orders(Demand.HALT, 10, 3, 130, false));
    assertThat(third.isHaltAtOnce()).isFalse();
  }

  @Test
  @Tag("D13")
  void fourthSignalHaltsAtOnceWithTheStatusOfTheThird() {
    Orders fourth = Orders.NONE.signal(TERM, 1).signal(TERM, 1).signal(TERM, 1).signal(INT, 1);

    assertThat(fourth).isEqualTo(new Orders(Demand.HALT, 1, 4, 143, false));
    assertThat(fourth.isHaltAtOnce()).isTrue();
  }

  @Test
  @Tag("D9")
  void callsAreNotCountedAsSignals() {
    Orders called = Orders.NONE.stop(Demand.DRAIN, 10).stop(Demand.DRAIN, 10);

    assertThat(called.signal(TERM, 10).demand()).isEqualTo(Demand.DRAIN);
    assertThat(called.signal(TERM, 10).signal(TERM, 10).demand()).isEqualTo(Demand.ABORT);
  }

  @Test
  @Tag("D9")
  void strongestDemandAndEarliestDeadlineWinInAnyOrder() {
    Orders abortFirst = Orders.NONE.stop(Demand.ABORT, 20).stop(Demand.DRAIN, 10);
    Orders drainFirst = Orders.NONE.stop(Demand.DRAIN, 10).stop(Demand.ABORT, 20);

    assertThat(abortFirst).isEqualTo(drainFirst);
    assertThat(abortFirst).isEqualTo(new Orders(Demand.ABORT, 10, 0, 0, false));
  }

  @Test
  @Tag("T2")
  void deadlinesAreComparedAcrossTheWrapOfTheClock() {
    long before = Long.MAX_VALUE - 1;
    long after = Long.MIN_VALUE + 1;

    assertThat(Orders.NONE.stop(Demand.DRAIN, after).stop(Demand.DRAIN, before).deadline())
        .isEqualTo(before);
    assertThat(Orders.NONE.stop(Demand.DRAIN, before).stop(Demand.DRAIN, after).deadline())
        .isEqualTo(before);
  }

  @Test
  @Tag("D17")
  void closedOrdersTakeNothing() {
    Orders closed = Orders.NONE.closeUnlessStopping();

    assertThat(closed.closed()).isTrue();
    assertThat(closed.signal(TERM, 10)).isEqualTo(closed);
    assertThat(closed.stop(Demand.ABORT, 10)).isEqualTo(closed);
  }

  @Test
  @Tag("D17")
  void stopThatWasAskedForIsCarriedOutBeforeClosing() {
    Orders asked = Orders.NONE.stop(Demand.DRAIN, 10);

    assertThat(asked.closeUnlessStopping()).isEqualTo(asked);
    assertThat(asked.close().closed()).isTrue();
  }
}
