package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.Cancellable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Cancellation: listeners run once, and not when they were withdrawn")
class CancellationTest {
  private final Cancellation cancellation = new Cancellation();
  private final List<String> ran = new ArrayList<>();

  private Cancellable listen(String name) {
    return cancellation.onCancel(() -> ran.add(name));
  }

  @Test
  @DisplayName("all listeners run on the first call, none on the second")
  void once() {
    listen("a");
    listen("b");
    assertThat(ran).isEmpty();
    assertThat(cancellation.isCancelled()).isFalse();
    cancellation.cancel();
    cancellation.cancel();
    assertThat(ran).containsExactly("a", "b");
    assertThat(cancellation.isCancelled()).isTrue();
  }

  @Test
  @DisplayName("a withdrawn listener does not run, the others do; withdrawing twice is harmless")
  void withdrawn() {
    Cancellable first = listen("a");
    listen("b");
    Cancellable last = listen("c");
    assertThat(first.cancel()).isTrue();
    assertThat(first.cancel()).as("it was withdrawn before").isFalse();
    cancellation.cancel();
    assertThat(ran).containsExactly("b", "c");
    assertThat(last.cancel()).as("it ran").isFalse();
  }

  @Test
  @DisplayName("who listens too late runs at once, with nothing to withdraw")
  void late() {
    cancellation.cancel();
    Cancellable late = listen("late");
    assertThat(ran).containsExactly("late");
    assertThat(late.cancel()).isFalse();
  }
}
