package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.kit.Batcher;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.kit.Together;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the sets and resource groups that nodes are in, each when it is due (Z37). One that fails
 * leaves the others; nothing is forgotten because it is not listed. Thread-safe.
 */
final class AzureFullSync {
  private static final Logger LOG = LoggerFactory.getLogger(AzureFullSync.class);

  /** Instances that a list lacks are read one by one, so many at a time. */
  private static final int MISSING_MAX = 32;

  private final AzureAccount account;
  private final AzureReads reads;
  private final ConcurrentHashMap<Scope, ReadMark> done = new ConcurrentHashMap<>();

  /** The last instance that was read because a list lacked it: the next time others come first. */
  private final ConcurrentHashMap<Scope, InstanceId> lastMissing = new ConcurrentHashMap<>();

  AzureFullSync(AzureAccount account, AzureReads reads) {
    this.account = account;
    this.reads = reads;
  }

  /** Reads what is due. */
  CompletionStage<SyncOutcome> run(CallContext context) {
    Map<Scope, Set<InstanceId>> scopes = account.scopes();
    done.keySet().retainAll(scopes.keySet());
    lastMissing.keySet().retainAll(scopes.keySet());
    account.subnets.recountOlderThan(dueAge());
    List<Scope> due = scopes.keySet().stream().filter(this::isDue).toList();
    return Together.each(due, scope -> read(scope, scopes.getOrDefault(scope, Set.of()), context))
        .thenApply(
            failures -> {
              account.forgetUnusedPools();
              account.subnets.reportAges();
              account.pools.reportCooling();
              return outcome(
                  failures.values().stream().flatMap(Optional::stream).findFirst(),
                  scopes.keySet());
            });
  }

  private boolean isDue(Scope scope) {
    ReadMark last = done.get(scope);
    return last == null || account.state.nanos() - last.nanos() >= dueAge().toNanos();
  }

  /** A scan that comes a little early reads, too: the next one may come much later. */
  private Duration dueAge() {
    return account.settings.resyncInterval().multipliedBy(3).dividedBy(4);
  }

  private SyncOutcome outcome(Optional<Failure> failure, Set<Scope> scopes) {
    if (failure.isPresent() && done.isEmpty()) {
      return new SyncOutcome.Failed(failure.get());
    }
    return new SyncOutcome.Synced(
        scopes.stream()
            .map(done::get)
            .filter(mark -> mark != null)
            .mapToLong(ReadMark::generation)
            .min()
            .orElseGet(() -> account.inventory.beginRead().generation()));
  }

  private CompletionStage<Optional<Failure>> read(
      Scope scope, Set<InstanceId> ids, CallContext context) {
    ReadMark mark = account.inventory.beginRead();
    return CallResult.after(
        account.arm.list(scope.interfaces(), context),
        listed -> accept(scope, mark, ids, listed, context),
        failure ->
            failure.kind() == Failure.Kind.NOT_FOUND
                ? gone(scope, mark, ids, failure, context)
                : failed(scope, failure));
  }

  private static CompletionStage<Optional<Failure>> failed(Scope scope, Failure failure) {
    LOG.warn(
        "Interfaces could not be listed. scope={} cause={}",
        scope.interfaces().path(),
        failure.toText());
    return CompletableFuture.completedStage(Optional.of(failure));
  }

  private CompletionStage<Optional<Failure>> accept(
      Scope scope,
      ReadMark mark,
      Set<InstanceId> ids,
      List<AzureNetworkInterface> listed,
      CallContext context) {
    Map<InstanceId, CallResult<List<AzureNetworkInterface>>> found = reads.byInstance(listed, ids);
    done.put(scope, mark);
    return reads
        .accept(mark, ids, found, context)
        .thenCompose(
            outcomes -> {
              NavigableSet<InstanceId> missing = new TreeSet<>(ids);
              missing.removeIf(id -> found.containsKey(id) || account.isUnderWay(id));
              return missing(some(scope, missing), context);
            });
  }

  private Set<InstanceId> some(Scope scope, NavigableSet<InstanceId> missing) {
    InstanceId last = lastMissing.get(scope);
    Set<InstanceId> some =
        Stream.concat(
                last == null ? missing.stream() : missing.tailSet(last, false).stream(),
                missing.stream())
            .distinct()
            .limit(MISSING_MAX)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    some.forEach(id -> lastMissing.put(scope, id));
    return some;
  }

  private CompletionStage<Optional<Failure>> missing(Set<InstanceId> ids, CallContext context) {
    Batcher.Source<InstanceId, SyncOutcome> single = reads.batches(account.inventory::beginRead);
    return Together.each(
            ids,
            id ->
                CallResult.after(
                    single.send(Set.of(id), context),
                    found -> found.outcomes(context).thenApply(CallResult.Answered::new)))
        .thenApply(read -> Optional.empty());
  }

  /**
   * A set that is not found, or a wrong group, or a role that was withdrawn: they look the same.
   */
  private CompletionStage<Optional<Failure>> gone(
      Scope scope, ReadMark mark, Set<InstanceId> ids, Failure notFound, CallContext context) {
    done.put(scope, mark);
    Map<InstanceId, CallResult<List<AzureNetworkInterface>>> all = new TreeMap<>();
    ids.forEach(id -> all.put(id, new CallResult.Failed<>(notFound)));
    return reads.accept(mark, ids, all, context).thenApply(outcomes -> Optional.empty());
  }
}
