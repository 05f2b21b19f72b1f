package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Work that many wait for")
class SharedWorkTest {
  private static final Failure REFUSED = Failure.of(Failure.Kind.CONFIGURATION, "refused", "no");

  private final List<CompletableFuture<CallResult<String>>> begun = new ArrayList<>();
  private final SharedWork<String> work = new SharedWork<>(this::begin);
  private Optional<String> kept = Optional.empty();

  private CompletionStage<CallResult<String>> begin() {
    CompletableFuture<CallResult<String>> one = new CompletableFuture<>();
    begun.add(one);
    return one;
  }

  private CompletableFuture<CallResult<String>> join() {
    return work.join(() -> kept).toCompletableFuture();
  }

  @Test
  @DisplayName("is begun once for all who come while it goes on")
  void shared() {
    CompletableFuture<CallResult<String>> first = join();
    CompletableFuture<CallResult<String>> second = join();
    assertThat(begun).hasSize(1);
    begun.get(0).complete(new CallResult.Answered<>("done"));
    assertThat(first.join()).isEqualTo(second.join()).isEqualTo(new CallResult.Answered<>("done"));
  }

  @Test
  @DisplayName("is begun anew by who comes after its end, unless its result was kept")
  void anew() {
    CompletableFuture<CallResult<String>> first = join();
    begun.get(0).complete(new CallResult.Failed<>(REFUSED));
    assertThat(first.join().refusal()).contains(REFUSED);
    assertThat(join()).isNotDone();
    assertThat(begun).hasSize(2);
    kept = Optional.of("kept");
    assertThat(join().join()).isEqualTo(new CallResult.Answered<>("kept"));
    assertThat(begun).hasSize(2);
  }

  @Test
  @DisplayName("leaves nobody waiting after a defect")
  void defect() {
    CompletableFuture<CallResult<String>> waiting = join();
    begun.get(0).completeExceptionally(new IllegalStateException("broken"));
    assertThat(waiting.join().refusal().map(Failure::condition)).contains("defect");
    assertThat(join()).isNotDone();
  }
}
