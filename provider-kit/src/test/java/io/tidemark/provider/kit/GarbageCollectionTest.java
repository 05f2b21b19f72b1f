package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InterfaceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("provider-aws 6, M9 Deleting interfaces that are attached to nothing")
class GarbageCollectionTest {
  private static final Duration AGE = Duration.ofMinutes(5);
  private static final Duration APART = Duration.ofMinutes(1);
  private static final Failure IN_USE = Failure.of(Failure.Kind.CONFLICT, "inUse", "");

  private final Known known = new Known();
  private final TreeMap<String, Optional<Instant>> orphans = new TreeMap<>();
  private final List<String> deleted = new ArrayList<>();
  private final List<String> confirmed = new ArrayList<>();

  /** The interfaces of the second look; by default the same as the listing. */
  private final Map<String, CallResult<List<String>>> secondLook = new HashMap<>();

  private Optional<Failure> refusal = Optional.empty();
  private int deletesMax = 10;

  private final class Cloud implements GarbageCollection.Cloud<String> {
    @Override
    public Optional<GarbageCollection.Orphan> orphan(String listed) {
      return Optional.ofNullable(orphans.get(listed))
          .map(
              created ->
                  new GarbageCollection.Orphan(new InterfaceId(listed), Known.POOL, 3, created));
    }

    @Override
    public CompletionStage<CallResult<List<String>>> confirm(String listed, CallContext context) {
      confirmed.add(listed);
      return CompletableFuture.completedStage(
          secondLook.getOrDefault(listed, new CallResult.Answered<>(List.of(listed))));
    }

    @Override
    public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context) {
      deleted.add(id.text());
      return CompletableFuture.completedStage(
          refusal.isPresent()
              ? new CallResult.Failed<>(refusal.get())
              : new CallResult.Answered<>(id));
    }
  }

  private GarbageCollection<Held, String> collection() {
    return new GarbageCollection<>(
        known.account,
        new Cloud(),
        new GarbageCollection.Options(AGE, APART, Duration.ofMinutes(1), deletesMax));
  }

  private final GarbageCollection<Held, String> collection = collection();

  private void orphan(String id) {
    orphans.put(id, Optional.empty());
  }

  private void check() {
    collection.check(List.copyOf(orphans.keySet()), known.time.nanos());
  }

  @DisplayName("at its age, of the first sighting where the cloud tells no date, and seen twice")
  @ParameterizedTest(name = "created {0} s before the first sighting: after {1} ms")
  @CsvSource({", 300000", "1800, 60000", "239, 61001"})
  void due(@Nullable Integer createdBefore, int millis) {
    known.pass(Duration.ofHours(1));
    orphans.put("eni-1", Optional.ofNullable(createdBefore).map(known.account.now()::minusSeconds));
    check();
    known.pass(Duration.ofMillis(millis - 1));
    check();
    assertThat(deleted).isEmpty();
    known.pass(Duration.ofMillis(1));
    check();
    assertThat(deleted).containsExactly("eni-1");
    assertThat(known.free(Known.POOL)).isEqualTo(103);
  }

  @Test
  @DisplayName("what a listing does not show any more is seen for the first time again")
  void seenAnew() {
    orphan("eni-1");
    check();
    known.pass(AGE);
    collection.check(List.of(), known.time.nanos());
    check();
    assertThat(deleted).isEmpty();
  }

  @Test
  @DisplayName("not one that the second look shows attached, gone or twice, or cannot show")
  void attachedMeanwhile() {
    Map<String, CallResult<List<String>>> looks =
        Map.of(
            "eni-1", new CallResult.Answered<>(List.of("eni-1 attached elsewhere")),
            "eni-2", new CallResult.Answered<>(List.of()),
            "eni-3", new CallResult.Answered<>(List.of("eni-3", "eni-3")),
            "eni-4", new CallResult.Failed<>(IN_USE));
    looks.keySet().forEach(this::orphan);
    check();
    known.pass(AGE);
    secondLook.putAll(looks);
    check();
    assertThat(confirmed).as("second looks").containsExactly("eni-1", "eni-2", "eni-3", "eni-4");
    assertThat(deleted).isEmpty();
    secondLook.clear();
    check();
    assertThat(deleted).as("detached again").isEqualTo(List.copyOf(orphans.keySet()));
  }

  @Test
  @DisplayName("not one that was attached when the listing was made, however old it is")
  void attachedInListing() {
    orphan("eni-1");
    check();
    known.pass(AGE);
    collection.check(List.of("eni-1 attached elsewhere"), known.time.nanos());
    assertThat(confirmed).isEmpty();
    check();
    assertThat(deleted).as("seen detached for the first time again").isEmpty();
  }

  @Test
  @DisplayName("the oldest first and no more of one listing than the settings allow")
  void most() {
    deletesMax = 2;
    GarbageCollection<Held, String> few = collection();
    known.pass(Duration.ofHours(1));
    Instant now = known.account.now();
    orphan("eni-a");
    orphans.put("eni-b", Optional.of(now.minusSeconds(3000)));
    orphans.put("eni-d", Optional.of(now.minusSeconds(3000)));
    orphans.put("eni-c", Optional.of(now.minusSeconds(3600)));
    List<String> listed = new ArrayList<>(orphans.descendingKeySet());
    few.check(listed, known.time.nanos());
    known.pass(AGE);
    few.check(listed, known.time.nanos());
    assertThat(deleted).containsExactly("eni-c", "eni-b");
  }

  @Test
  @DisplayName("found once, deleted or failed: each is counted")
  void counted() {
    orphan("eni-1");
    check();
    known.pass(AGE);
    refusal = Optional.of(IN_USE);
    check();
    refusal = Optional.empty();
    known.pass(AGE);
    check();
    assertThat(known.measured.value(Metric.ENI_GC_CANDIDATES)).isEqualTo(1);
    assertThat(known.measured.value(Metric.ENI_GC_FAILED)).isEqualTo(1);
    assertThat(known.measured.value(Metric.ENI_GC_DELETED)).isEqualTo(1);
  }

  @Test
  @DisplayName("one that cannot be deleted waits, twice as long each time, and keeps no other back")
  void pauses() {
    refusal = Optional.of(IN_USE);
    orphan("eni-1");
    check();
    known.pass(AGE);
    check();
    assertThat(deleted).hasSize(1);
    for (int pauseMinutes : new int[] {2, 4, 8, 16, 32, 64, 64}) {
      known.pass(Duration.ofMinutes(pauseMinutes).minusSeconds(1));
      check();
      int before = deleted.size();
      known.pass(Duration.ofSeconds(1));
      check();
      assertThat(deleted).as("after %d minutes", pauseMinutes).hasSize(before + 1);
    }
    assertThat(deleted).hasSize(8);
  }
}
