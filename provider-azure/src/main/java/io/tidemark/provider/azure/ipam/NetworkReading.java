package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.ipam.Subnets.Counts;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.Subnet;
import io.tidemark.provider.azure.network.SubnetUsage;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.PoolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One read of subnets of a virtual network (Z39): its usages tell what is free in all of them; the
 * subnets themselves, read one after the other, tell the blocks, and what is free where no usage
 * does. A subnet that was read before does not tell what is free now. Used once.
 */
final class NetworkReading {
  private final ArmCalls arm;
  private final Subnets subnets;
  private final ResourceId network;
  private final Consumer<Optional<Failure>> end;
  private final CallContext context;
  private final long begunNanos;
  private final Map<PoolId, Subnet> read = new TreeMap<>();
  private Counts counts;
  private Optional<Failure> failure = Optional.empty();

  /**
   * Nothing is sent yet.
   *
   * @param end receives nothing, or why something was not read
   */
  NetworkReading(
      ArmCalls arm,
      Subnets subnets,
      ResourceId network,
      Consumer<Optional<Failure>> end,
      CallContext context) {
    this.arm = arm;
    this.subnets = subnets;
    this.network = network;
    this.end = end;
    this.context = context;
    this.begunNanos = subnets.nanos();
    this.counts = new Counts(Map.of(), begunNanos);
  }

  /** Counts these pools, and reads those of them that were not read before. */
  void count(Collection<PoolId> pools) {
    if (subnets.isDenied(network)) {
      readThose(pools, pool -> true);
      return;
    }
    arm.usages(network, context)
        .thenAccept(
            result ->
                result
                    .<Runnable>match(
                        found -> () -> counted(found, pools),
                        refused -> () -> notCounted(refused, pools))
                    .run());
  }

  /** Reads these pools alone; {@code last} tells what is free in them if it is there. */
  void readAlone(Collection<PoolId> pools, Optional<Counts> last) {
    last.ifPresent(known -> counts = known);
    readThose(pools, pool -> true);
  }

  private void counted(List<SubnetUsage> found, Collection<PoolId> pools) {
    Map<ResourceId, SubnetUsage> usages = new HashMap<>();
    found.stream()
        .filter(each -> each.limit() >= 0 && each.used() >= 0)
        .forEach(each -> usages.put(each.subnet(), each));
    counts = new Counts(Map.copyOf(usages), begunNanos);
    subnets.counted(network, counts);
    readThose(pools, pool -> usage(pool).isEmpty());
  }

  private void notCounted(Failure refused, Collection<PoolId> pools) {
    if (refused.kind() == Failure.Kind.CONFIGURATION) {
      subnets.denied(network, refused);
      readThose(pools, pool -> true);
    } else {
      failure = Optional.of(refused);
      readThose(pools, pool -> false);
    }
  }

  private Optional<SubnetUsage> usage(PoolId pool) {
    return Optional.ofNullable(counts.usages().get(ResourceId.of(pool.text())));
  }

  /** Reads pools that were never read, and those for which {@code again} says so. */
  private void readThose(Collection<PoolId> pools, Predicate<PoolId> again) {
    List<PoolId> all = List.copyOf(pools);
    next(
        all.stream().filter(pool -> subnets.find(pool).isEmpty() || again.test(pool)).iterator(),
        all);
  }

  private void next(Iterator<PoolId> left, List<PoolId> all) {
    if (!left.hasNext()) {
      finish(all);
      return;
    }
    PoolId pool = left.next();
    arm.subnet(ResourceId.of(pool.text()), context)
        .thenAccept(
            result -> {
              if (result instanceof CallResult.Answered<Subnet> answered) {
                read.put(pool, answered.value());
                subnets.learned(pool, answered.value());
              } else if (result instanceof CallResult.Failed<Subnet> failed
                  && failed.failure().kind() != Failure.Kind.CONFIGURATION) {
                failure = Optional.of(failed.failure());
              }
              next(left, all);
            });
  }

  private void finish(List<PoolId> all) {
    for (PoolId pool : all) {
      Optional<SubnetUsage> usage = usage(pool);
      Optional<Subnet> subnet =
          Optional.ofNullable(read.get(pool)).filter(each -> each.configurations().isPresent());
      if (usage.isPresent()) {
        subnets.free(pool, usage.get().limit() - usage.get().used(), counts.begunNanos());
      } else if (subnet.isPresent()) {
        long taken = subnet.get().configurations().getAsInt();
        subnets.free(pool, subnet.get().size() - taken, begunNanos);
      } else if (!subnets.hasCount(pool)) {
        subnets.uncounted(pool, begunNanos);
      }
    }
    end.accept(failure);
  }
}
