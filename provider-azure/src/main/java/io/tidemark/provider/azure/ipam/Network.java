package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.SubnetUsage;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * A virtual network (Z39): its usages tell what is free in all of its subnets; the subnets
 * themselves, read one after the other, tell the blocks, and what is free where no usage does. A
 * subnet that was read before does not tell what is free now. One read goes on at a time.
 * Thread-safe.
 */
final class Network {
  /** How long a count is good enough while addresses are added. */
  static final Duration COUNT_AGE_MAX = Duration.ofSeconds(60);

  /** How long usages are not asked for after they were not permitted. */
  private static final Duration DENIED_FOR = Duration.ofHours(1);

  private final ArmCalls arm;
  private final Subnets subnets;
  private final ResourceId id;
  private final Object lock = new Object();
  private Optional<Long> countedNanos = Optional.empty();
  private Optional<Long> deniedNanos = Optional.empty();
  private Counts last = new Counts(Map.of(), 0);
  private CompletableFuture<Optional<Failure>> underWay =
      CompletableFuture.completedFuture(Optional.empty());

  /** The usages of the subnets, and when they were asked for. */
  private record Counts(Map<ResourceId, SubnetUsage> usages, long begunNanos) {
    static Counts of(List<SubnetUsage> told, long begunNanos) {
      Map<ResourceId, SubnetUsage> usages = new HashMap<>();
      told.stream().filter(SubnetUsage::isCounted).forEach(each -> usages.put(each.subnet(), each));
      return new Counts(usages, begunNanos);
    }

    Optional<SubnetUsage> find(PoolId pool) {
      return Optional.ofNullable(usages.get(ResourceId.of(pool.text())));
    }
  }

  Network(ArmCalls arm, Subnets subnets, ResourceId id) {
    this.arm = arm;
    this.subnets = subnets;
    this.id = id;
  }

  boolean isOlderThan(Duration age) {
    synchronized (lock) {
      return isOver(countedNanos, age);
    }
  }

  private boolean isOver(Optional<Long> sinceNanos, Duration time) {
    return sinceNanos.filter(at -> arm.nanos() - at < time.toNanos()).isEmpty();
  }

  /**
   * Reads these pools, and counts the other ones too if the last count is old. Who comes while a
   * read goes on waits for it, and reads what it lacks.
   *
   * @param wanted none to count alone; changed here
   */
  CompletionStage<Optional<Failure>> read(Set<PoolId> wanted) {
    CompletableFuture<Optional<Failure>> mine = new CompletableFuture<>();
    CompletableFuture<Optional<Failure>> before;
    boolean begins;
    boolean old;
    Counts counts;
    synchronized (lock) {
      before = underWay;
      begins = before.isDone();
      old = isOver(countedNanos, COUNT_AGE_MAX);
      counts = last;
      if (begins) {
        underWay = mine;
        countedNanos = old ? Optional.of(arm.nanos()) : countedNanos;
      }
    }
    if (!begins) {
      return before.thenCompose(
          ended -> {
            wanted.removeIf(subnets::hasCount);
            return wanted.isEmpty() ? CompletableFuture.completedStage(ended) : read(wanted);
          });
    }
    CallContext context = subnets.context();
    (old
            ? count(subnets.with(wanted, id), context)
            : those(wanted, pool -> true, counts, Optional.empty(), context))
        .thenAccept(mine::complete);
    return mine;
  }

  private CompletionStage<Optional<Failure>> count(Set<PoolId> pools, CallContext context) {
    long begun = arm.nanos();
    Counts none = new Counts(Map.of(), begun);
    boolean isDenied;
    synchronized (lock) {
      isDenied = !isOver(deniedNanos, DENIED_FOR);
    }
    return isDenied
        ? those(pools, pool -> true, none, Optional.empty(), context)
        : CallResult.after(
            arm.list(ArmList.usages(id), context),
            told -> {
              Counts counts = Counts.of(told, begun);
              synchronized (lock) {
                last = counts;
              }
              return those(
                  pools, pool -> counts.find(pool).isEmpty(), counts, Optional.empty(), context);
            },
            refused ->
                refused.condition().equals(ArmCondition.NOT_ALLOWED)
                    ? denied(refused, pools, none, context)
                    : those(pools, pool -> false, none, Optional.of(refused), context));
  }

  private CompletionStage<Optional<Failure>> denied(
      Failure refused, Set<PoolId> pools, Counts none, CallContext context) {
    synchronized (lock) {
      deniedNanos = Optional.of(arm.nanos());
      last = none;
    }
    subnets.notices().report(AzureError.USAGES_NOT_PERMITTED, refused.detail());
    return those(pools, pool -> true, none, Optional.empty(), context);
  }

  /**
   * Reads pools that were never read, and those for which {@code again} says so; ends with why
   * something was not read.
   */
  private CompletionStage<Optional<Failure>> those(
      Set<PoolId> pools,
      Predicate<PoolId> again,
      Counts counts,
      Optional<Failure> failure,
      CallContext context) {
    long begun = arm.nanos();
    CompletionStage<Map<PoolId, CallResult<AzureSubnet>>> all =
        CompletableFuture.completedStage(new TreeMap<>());
    for (PoolId pool : pools) {
      if (subnets.find(pool).isEmpty() || again.test(pool)) {
        ArmRead<AzureSubnet> subnet = ArmRead.subnet(ResourceId.of(pool.text()));
        all =
            all.thenCombine(
                all.thenCompose(before -> arm.read(subnet, context)),
                (read, result) -> {
                  read.put(pool, result);
                  return read;
                });
      }
    }
    return all.thenApply(
        read -> {
          read.forEach(
              (pool, result) -> result.answer().ifPresent(each -> subnets.learned(pool, each)));
          pools.forEach(pool -> count(pool, counts, Optional.ofNullable(read.get(pool)), begun));
          return read.values().stream()
              .flatMap(each -> each.refusal().stream())
              .filter(why -> why.kind() != Failure.Kind.CONFIGURATION)
              .findFirst()
              .or(() -> failure);
        });
  }

  private void count(
      PoolId pool, Counts counts, Optional<CallResult<AzureSubnet>> read, long begunNanos) {
    Optional<SubnetUsage> told = counts.find(pool);
    Optional<SubnetUsage> own = read.flatMap(CallResult::answer).flatMap(AzureSubnet::usage);
    if (told.isPresent()) {
      subnets.free(pool, told.get().free(), counts.begunNanos());
    } else if (own.isPresent()) {
      subnets.free(pool, own.get().free(), begunNanos);
    } else if (!subnets.hasCount(pool)) {
      subnets.uncounted(pool, begunNanos);
    }
  }
}
