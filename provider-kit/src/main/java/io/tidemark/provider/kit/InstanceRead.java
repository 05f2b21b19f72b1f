package io.tidemark.provider.kit;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Updates the inventory from a listing of interfaces. Instances missing from the listing are read
 * by name, because only that proves their absence. A pool that is seen for the first time is read
 * before its interfaces count. Thread-safe.
 */
public final class InstanceRead<I extends CachedInterface<I>> {
  private final ReadVerdict<I> verdict;
  private final Source<I> source;
  private final Set<PoolId> unseenPools = ConcurrentHashMap.newKeySet();

  /** The provider's side. Called without a lock held. */
  public interface Source<I extends CachedInterface<I>> {
    /** Whether the pool was read before. */
    boolean knows(PoolId pool);

    /** Reads these instances by name; those missing from the response may be absent. */
    CompletionStage<CallResult<Map<InstanceId, ReadVerdict.Said>>> ask(
        Set<InstanceId> ids, CallContext context);

    /** The listing showed the instance, which was taken in. */
    void shown(ReadMark mark, InstanceId id);

    /** The instance was read by name. */
    default void asked(ReadMark mark, InstanceId id, ReadVerdict.Said said, SyncOutcome outcome) {}
  }

  /** Reads that go into {@code inventory}. */
  public InstanceRead(InstanceInventory<I> inventory, Source<I> source) {
    this.verdict = new ReadVerdict<>(inventory);
    this.source = source;
  }

  /** Reads pools that were not found again. */
  public void forgetUnseenPools() {
    unseenPools.clear();
  }

  /**
   * The outcome for each of {@code wanted} and each other listed instance.
   *
   * @param listed interfaces by instance, ids ascending
   * @param readPools reads pools that are unknown, and ends with the failure, if any
   */
  public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark,
      Collection<InstanceId> wanted,
      Map<InstanceId, List<I>> listed,
      Function<Set<PoolId>, CompletionStage<Optional<Failure>>> readPools,
      CallContext context) {
    Set<PoolId> unknown = unknownPools(listed.values());
    if (unknown.isEmpty()) {
      return accept(mark, wanted, listed, context);
    }
    return readPools
        .apply(Set.copyOf(unknown))
        .thenCompose(
            failure -> {
              if (failure.isEmpty()) {
                unknown.removeIf(source::knows);
                unseenPools.addAll(unknown);
              }
              return accept(mark, wanted, listed, context);
            });
  }

  private Set<PoolId> unknownPools(Collection<List<I>> all) {
    Set<PoolId> unknown = new TreeSet<>();
    for (List<I> interfaces : all) {
      for (I each : interfaces) {
        if (!unseenPools.contains(each.pool()) && !source.knows(each.pool())) {
          unknown.add(each.pool());
        }
      }
    }
    return unknown;
  }

  private CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark,
      Collection<InstanceId> wanted,
      Map<InstanceId, List<I>> listed,
      CallContext context) {
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    listed.forEach(
        (id, interfaces) -> {
          SyncOutcome outcome = verdict.shown(mark, id, interfaces);
          source.shown(mark, id);
          outcomes.put(id, outcome);
        });
    Set<InstanceId> missing = new TreeSet<>();
    for (InstanceId id : wanted) {
      if (!listed.containsKey(id)) {
        missing.add(id);
      }
    }
    if (missing.isEmpty()) {
      return CompletableFuture.completedStage(outcomes);
    }
    return source
        .ask(missing, context)
        .thenApply(
            result -> {
              outcomes.putAll(
                  result.match(
                      said -> decide(mark, missing, said), failure -> all(missing, failure)));
              return outcomes;
            });
  }

  private Map<InstanceId, SyncOutcome> decide(
      ReadMark mark, Set<InstanceId> missing, Map<InstanceId, ReadVerdict.Said> said) {
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    for (InstanceId id : missing) {
      ReadVerdict.Said answer = said.getOrDefault(id, ReadVerdict.Said.NOTHING);
      SyncOutcome outcome = verdict.missing(mark, id, answer);
      source.asked(mark, id, answer, outcome);
      outcomes.put(id, outcome);
    }
    return outcomes;
  }

  /** The same failure for each of {@code ids}. */
  public static Map<InstanceId, SyncOutcome> all(Collection<InstanceId> ids, Failure failure) {
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    ids.forEach(id -> outcomes.put(id, new SyncOutcome.Failed(failure)));
    return outcomes;
  }
}
