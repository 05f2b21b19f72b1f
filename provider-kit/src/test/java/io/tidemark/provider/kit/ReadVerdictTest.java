package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a read of one instance amounts to (C-21, D-10)")
class ReadVerdictTest {
  private static final InstanceId ID = new InstanceId("i-1");
  private static final InterfaceId ENI = new InterfaceId("eni-0");
  private static final Duration HORIZON = Duration.ofMinutes(1);

  private final VirtualTime time = new VirtualTime(0);
  private final InstanceInventory<Held> inventory =
      new InstanceInventory<>(time, Duration.ofMinutes(2), HORIZON);
  private final ReadVerdict<Held> verdict = new ReadVerdict<>(inventory);

  private SyncOutcome shown(int singles) {
    return verdict.shown(inventory.beginRead(), ID, List.of(Held.holding(ENI, singles)));
  }

  private SyncOutcome missing(ReadVerdict.Said said) {
    return verdict.missing(inventory.beginRead(), ID, said);
  }

  private static String condition(SyncOutcome outcome) {
    return ((SyncOutcome.Failed) outcome).failure().condition();
  }

  @Test
  @DisplayName("what is shown is known, from the beginning of the read on")
  void shown() {
    ReadMark mark = inventory.beginRead();
    assertThat(verdict.shown(mark, ID, List.of(Held.holding(ENI, 3))))
        .isEqualTo(new SyncOutcome.Synced(mark.generation()));
    assertThat(inventory.find(ID).orElseThrow().interfaces()).hasSize(1);
  }

  @Test
  @DisplayName("a read that may not show yet what became of a request has failed")
  void notShownYet() {
    shown(3);
    inventory.wrote(ID, false, new Change.AssignLost<>(ENI, 3));
    assertThat(condition(shown(3))).isEqualTo("effectNotShown");
  }

  @Test
  @DisplayName("an instance that was never seen and is not shown is not there")
  void neverSeen() {
    assertThat(missing(ReadVerdict.Said.NOTHING)).isInstanceOf(SyncOutcome.InstanceNotFound.class);
  }

  @Test
  @DisplayName("what was known stays until a second read, a horizon later, does not show it either")
  void unconfirmed() {
    shown(3);
    assertThat(condition(missing(ReadVerdict.Said.NOTHING))).isEqualTo("absenceUnconfirmed");
    assertThat(inventory.contains(ID)).isTrue();
    time.runUntil(HORIZON.toNanos());
    assertThat(missing(ReadVerdict.Said.NOTHING)).isInstanceOf(SyncOutcome.InstanceNotFound.class);
    assertThat(inventory.contains(ID)).isFalse();
  }

  @Test
  @DisplayName("what the cloud calls terminated is gone at once")
  void terminated() {
    shown(3);
    assertThat(missing(ReadVerdict.Said.TERMINATED))
        .isInstanceOf(SyncOutcome.InstanceNotFound.class);
    assertThat(inventory.contains(ID)).isFalse();
  }

  @Test
  @DisplayName(
      "an instance that exists without interfaces is known to have none, once that is sure")
  void exists() {
    shown(3);
    assertThat(condition(missing(ReadVerdict.Said.EXISTS))).isEqualTo("absenceUnconfirmed");
    time.runUntil(HORIZON.toNanos());
    assertThat(missing(ReadVerdict.Said.EXISTS)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(inventory.find(ID).orElseThrow().interfaces()).isEmpty();
  }
}
