package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.ipam.Subnets.Counts;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmRead;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
  private final CallContext context;
  private final long begunNanos;
  private final Map<PoolId, Subnet> read = new TreeMap<>();
  private Counts counts;
  private Optional<Failure> failure = Optional.empty();

  /** Nothing is sent yet. */
  NetworkReading(ArmCalls arm, Subnets subnets, ResourceId network, CallContext context) {
    this.arm = arm;
    this.subnets = subnets;
    this.network = network;
    this.context = context;
    this.begunNanos = subnets.nanos();
    this.counts = new Counts(Map.of(), begunNanos);
  }

  /**
   * Counts these pools, and reads those of them that were not read before; ends with nothing, or
   * with why something was not read.
   */
  CompletionStage<Optional<Failure>> count(Collection<PoolId> pools) {
    return subnets.isDenied(network)
        ? readThose(pools, pool -> true)
        : CallResult.after(
            arm.list(ArmList.usages(network), context),
            found -> counted(found, pools),
            refused -> notCounted(refused, pools));
  }

  /** Reads these pools alone; {@code last} tells what is free in them if it is there. */
  CompletionStage<Optional<Failure>> readAlone(Collection<PoolId> pools, Optional<Counts> last) {
    last.ifPresent(known -> counts = known);
    return readThose(pools, pool -> true);
  }

  private CompletionStage<Optional<Failure>> counted(
      List<SubnetUsage> found, Collection<PoolId> pools) {
    Map<ResourceId, SubnetUsage> usages = new HashMap<>();
    found.stream()
        .filter(each -> each.limit() >= 0 && each.used() >= 0)
        .forEach(each -> usages.put(each.subnet(), each));
    counts = new Counts(Map.copyOf(usages), begunNanos);
    subnets.counted(network, counts);
    return readThose(pools, pool -> usage(pool).isEmpty());
  }

  private CompletionStage<Optional<Failure>> notCounted(Failure refused, Collection<PoolId> pools) {
    boolean denied = refused.condition().equals(ArmCondition.NOT_ALLOWED);
    if (denied) {
      subnets.denied(network, refused);
    } else {
      failure = Optional.of(refused);
    }
    return readThose(pools, pool -> denied);
  }

  private Optional<SubnetUsage> usage(PoolId pool) {
    return Optional.ofNullable(counts.usages().get(ResourceId.of(pool.text())));
  }

  /** Reads pools that were never read, and those for which {@code again} says so. */
  private CompletionStage<Optional<Failure>> readThose(
      Collection<PoolId> pools, Predicate<PoolId> again) {
    List<PoolId> all = List.copyOf(pools);
    return next(
        all.stream().filter(pool -> subnets.find(pool).isEmpty() || again.test(pool)).iterator(),
        all);
  }

  private CompletionStage<Optional<Failure>> next(Iterator<PoolId> left, List<PoolId> all) {
    if (!left.hasNext()) {
      finish(all);
      return CompletableFuture.completedStage(failure);
    }
    PoolId pool = left.next();
    return arm.read(ArmRead.subnet(ResourceId.of(pool.text())), context)
        .thenCompose(
            result -> {
              result
                  .answer()
                  .ifPresent(
                      subnet -> {
                        read.put(pool, subnet);
                        subnets.learned(pool, subnet);
                      });
              result
                  .refusal()
                  .filter(why -> why.kind() != Failure.Kind.CONFIGURATION)
                  .ifPresent(why -> failure = Optional.of(why));
              return next(left, all);
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
  }
}
