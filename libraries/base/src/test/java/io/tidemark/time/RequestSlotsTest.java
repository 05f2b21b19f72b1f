package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Room for requests")
class RequestSlotsTest {
  private final RequestSlots slots = new RequestSlots(2);
  private final List<Integer> begun = new ArrayList<>();

  private void request(int... numbers) {
    for (int number : numbers) {
      slots.request(() -> begun.add(number));
    }
  }

  @Test
  @DisplayName("so many begin at once, the others in their order as those end")
  void order() {
    request(1, 2, 3, 4);
    assertThat(begun).containsExactly(1, 2);
    slots.release();
    assertThat(begun).containsExactly(1, 2, 3);
    slots.release();
    slots.release();
    slots.release();
    request(5, 6, 7);
    assertThat(begun).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  @DisplayName("after the close none begins, and it ends with the last in flight")
  void close() {
    request(1, 2, 3);
    CompletableFuture<Void> idle = slots.close().toCompletableFuture();
    request(4);
    slots.release();
    assertThat(idle).isNotDone();
    slots.release();
    assertThat(idle).isCompleted();
    assertThat(begun).containsExactly(1, 2);
    assertThat(slots.close()).isSameAs(idle);
  }
}
