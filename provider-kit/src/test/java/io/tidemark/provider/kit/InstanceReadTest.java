package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a listing of interfaces says about instances (C-21, D-10)")
class InstanceReadTest {
  private static final InstanceId ONE = new InstanceId("i-1");
  private static final InstanceId TWO = new InstanceId("i-2");
  private static final Held CARD = Held.holding(new InterfaceId("eni-1"), 3);
  private static final Failure DOWN = Failure.of(Failure.Kind.TRANSIENT, "down", "no answer");

  private final VirtualTime time = new VirtualTime(0);
  private final InstanceInventory<Held> inventory =
      new InstanceInventory<>(time, Duration.ofMinutes(2), Duration.ofMinutes(1));
  private final Cloud cloud = new Cloud();
  private final InstanceRead<Held> read = new InstanceRead<>(inventory, cloud);

  /** Knows some pools, and answers for instances by name; notes what it is asked and told. */
  private static final class Cloud implements InstanceRead.Source<Held> {
    private final Set<PoolId> pools = new TreeSet<>();
    private final Map<InstanceId, ReadVerdict.Said> said = new TreeMap<>();
    private final List<String> heard = new ArrayList<>();
    private Optional<Failure> failure = Optional.empty();

    @Override
    public boolean knows(PoolId pool) {
      return pools.contains(pool);
    }

    @Override
    public CompletionStage<CallResult<Map<InstanceId, ReadVerdict.Said>>> ask(
        Set<InstanceId> ids, CallContext context) {
      heard.add("asked for " + ids);
      return CompletableFuture.completedStage(
          failure.isPresent()
              ? new CallResult.Failed<>(failure.get())
              : new CallResult.Answered<>(said));
    }

    @Override
    public void shown(ReadMark mark, InstanceId id) {
      heard.add("shown " + id);
    }

    @Override
    public void asked(ReadMark mark, InstanceId id, ReadVerdict.Said said, SyncOutcome outcome) {
      heard.add(said + " " + id);
    }

    CompletionStage<Optional<Failure>> readPools(Set<PoolId> unknown) {
      heard.add("pools read");
      return CompletableFuture.completedStage(failure);
    }
  }

  private Map<InstanceId, SyncOutcome> accept(
      Set<InstanceId> wanted, Map<InstanceId, List<Held>> listed) {
    CallContext context =
        CallContext.of("", Priority.of(Priority.Rank.VERIFY), 1_000_000, new Cancellation());
    return read.accept(inventory.beginRead(), wanted, listed, cloud::readPools, context)
        .toCompletableFuture()
        .join();
  }

  @Test
  @DisplayName("what is listed is taken in, wanted or not, and nothing is asked by name")
  void listed() {
    cloud.pools.add(CARD.pool());
    Map<InstanceId, SyncOutcome> outcomes =
        accept(Set.of(ONE), Map.of(ONE, List.of(CARD), TWO, List.of()));
    assertThat(outcomes.keySet()).containsExactly(ONE, TWO);
    assertThat(outcomes.values()).allMatch(SyncOutcome.Synced.class::isInstance);
    assertThat(inventory.find(ONE).orElseThrow().interfaces()).containsExactly(CARD);
    assertThat(cloud.heard).containsExactlyInAnyOrder("shown i-1", "shown i-2");
  }

  @Test
  @DisplayName(
      "what the listing leaves out is asked for by name: gone, ended, or there without any")
  void leftOut() {
    cloud.said.put(TWO, ReadVerdict.Said.EXISTS);
    InstanceId ended = new InstanceId("i-3");
    cloud.said.put(ended, ReadVerdict.Said.TERMINATED);
    Map<InstanceId, SyncOutcome> outcomes = accept(Set.of(ONE, TWO, ended), Map.of());
    assertThat(outcomes.get(ONE)).isInstanceOf(SyncOutcome.InstanceNotFound.class);
    assertThat(outcomes.get(TWO)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(outcomes.get(ended)).isInstanceOf(SyncOutcome.InstanceNotFound.class);
    assertThat(cloud.heard)
        .containsExactly(
            "asked for [i-1, i-2, i-3]", "NOTHING i-1", "EXISTS i-2", "TERMINATED i-3");
  }

  @Test
  @DisplayName("when the question fails every instance asked for has failed, and those listed not")
  void askedInVain() {
    cloud.pools.add(CARD.pool());
    cloud.failure = Optional.of(DOWN);
    Map<InstanceId, SyncOutcome> outcomes = accept(Set.of(ONE, TWO), Map.of(ONE, List.of(CARD)));
    assertThat(outcomes.get(ONE)).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(outcomes.get(TWO)).isEqualTo(new SyncOutcome.Failed(DOWN));
  }

  @Test
  @DisplayName("a pool that is seen for the first time is read first; one that is not found, once")
  void unknownPool() {
    accept(Set.of(ONE), Map.of(ONE, List.of(CARD)));
    accept(Set.of(ONE), Map.of(ONE, List.of(CARD)));
    assertThat(cloud.heard).containsExactly("pools read", "shown i-1", "shown i-1");
    read.forgetUnseenPools();
    accept(Set.of(ONE), Map.of(ONE, List.of(CARD)));
    assertThat(cloud.heard).filteredOn("pools read"::equals).hasSize(2);
  }

  @Test
  @DisplayName("when pools cannot be read the interfaces count all the same, and it is tried again")
  void poolsNotRead() {
    cloud.failure = Optional.of(DOWN);
    assertThat(accept(Set.of(ONE), Map.of(ONE, List.of(CARD))).get(ONE))
        .isInstanceOf(SyncOutcome.Synced.class);
    accept(Set.of(ONE), Map.of(ONE, List.of(CARD)));
    assertThat(cloud.heard).filteredOn("pools read"::equals).hasSize(2);
  }
}
