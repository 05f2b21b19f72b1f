package io.tidemark.it.benchmark;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.datastore.plan.PoolPlanner;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.time.SystemTime;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * The plan of a card with 15 interfaces of 50 addresses, with the view that it is made from. Aim:
 * 50 µs. Run it by {@code .ci/benchmarks datastore}.
 */
public class PoolPlanBenchmark extends ThroughputBenchmark {
  private static final PoolLimits LIMITS = PoolLimits.of(50, 15);

  private final DataStore store =
      DataStore.inMemory(SystemTime.instance(), CidrKind.SECONDARY, CooldownRule.DEFAULT);

  /** Adds the interfaces and fills half of them. */
  @Setup
  public void fill() {
    NodeStores.addInterfaces(store, CidrKind.SECONDARY, 15, 50);
    NodeStores.fill(store, 0, 375);
  }

  @Benchmark
  public PoolPlan viewAndPlan() {
    return PoolPlanner.plan(
        store.view(), WarmTargets.DEFAULT, LIMITS, Pending.NONE, 0, Profile.TIDEMARK);
  }
}
