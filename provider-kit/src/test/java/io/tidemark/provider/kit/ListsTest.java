package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Lists page by page, and work on several things")
class ListsTest {
  private static final Failure DOWN = Failure.of(Failure.Kind.TRANSIENT, "down", "no answer");

  private static CompletionStage<CallResult<Integer>> page(Optional<Integer> name, int failing) {
    int page = name.orElse(0);
    return CompletableFuture.completedStage(
        page == failing ? new CallResult.Failed<>(DOWN) : new CallResult.Answered<>(page));
  }

  private static CallResult<List<String>> all(int failing) {
    return new Pages<Integer, Integer, String>(
            name -> page(name, failing),
            page -> List.of("a" + page, "b" + page),
            page -> page < 2 ? Optional.of(page + 1) : Optional.empty())
        .all()
        .toCompletableFuture()
        .join();
  }

  @Test
  @DisplayName("all pages in order; one that fails leaves no half list")
  void pages() {
    assertThat(all(-1))
        .isEqualTo(new CallResult.Answered<>(List.of("a0", "b0", "a1", "b1", "a2", "b2")));
    assertThat(all(1)).isEqualTo(new CallResult.Failed<>(DOWN));
  }

  @Test
  @DisplayName("all work begins at once and ends together, in the order of the keys")
  void together() {
    Map<String, CompletableFuture<Integer>> begun = new TreeMap<>();
    CompletableFuture<Map<String, Integer>> all =
        Together.<String, Integer>each(
                List.of("b", "a"),
                key -> begun.computeIfAbsent(key, any -> new CompletableFuture<>()))
            .toCompletableFuture();
    assertThat(begun).containsOnlyKeys("a", "b");
    Objects.requireNonNull(begun.get("a")).complete(1);
    assertThat(all).isNotDone();
    Objects.requireNonNull(begun.get("b")).complete(2);
    assertThat(all.join()).containsExactly(Map.entry("b", 2), Map.entry("a", 1));
  }
}
