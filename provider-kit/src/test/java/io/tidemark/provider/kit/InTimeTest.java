package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.time.VirtualTime;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Work that goes on beyond a deadline")
class InTimeTest {
  private final VirtualTime time = new VirtualTime(0);
  private final CompletableFuture<AllocationOutcome> work = new CompletableFuture<>();
  private final CompletableFuture<AllocationOutcome> answer =
      InTime.orUnknown(work, 1_000, time).toCompletableFuture();

  @Test
  @DisplayName("is answered as lost at the deadline, not before")
  void deadline() {
    time.runUntil(999);
    assertThat(answer).isNotDone();
    time.runUntil(1_000);
    assertThat(answer.getNow(null))
        .isInstanceOfSatisfying(
            AllocationOutcome.Unknown.class,
            unknown -> assertThat(unknown.failure().kind()).isEqualTo(Failure.Kind.LOST));
  }

  @Test
  @DisplayName("answers itself when it ends before, and leaves no timer behind")
  void inTime() {
    AllocationOutcome outcome =
        new AllocationOutcome.Unknown(Failure.of(Failure.Kind.TRANSIENT, "condition", "detail"));
    work.complete(outcome);
    assertThat(answer).isCompletedWithValue(outcome);
    assertThat(time.pending()).as("timers that are left").isZero();
  }

  @Test
  @DisplayName("passes on what it throws")
  void thrown() {
    IllegalStateException defect = new IllegalStateException("defect");
    work.completeExceptionally(defect);
    assertThat(answer).isCompletedExceptionally();
    assertThat(answer.handle((value, thrown) -> thrown).join()).isSameAs(defect);
  }
}
