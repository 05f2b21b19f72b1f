package io.tidemark.provider.kit;

import io.tidemark.metrics.TestMeters;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** An account in virtual time with two pools of 100 addresses and one instance. */
public final class Known {
  public static final PoolId POOL = new PoolId("subnet-1");
  public static final PoolId OTHER_POOL = new PoolId("subnet-2");
  public static final InstanceId INSTANCE = new InstanceId("i-1");
  public static final Failure LOST = Failure.of(Failure.Kind.LOST, "lost", "no answer");
  public static final Failure FULL = Failure.of(Failure.Kind.CAPACITY, "full", "no address left");

  public final VirtualTime time = new VirtualTime(0);
  public final TestMeters measured = new TestMeters();
  public final AccountState<Held, String> account =
      new AccountState<>(
          new InstanceInventory<Held>(time, Duration.ofMinutes(2), Duration.ofMinutes(1)),
          new PoolLedger<String>(time, measured.meters, PoolLedger.PAUSE),
          new Creations(time, Duration.ofMinutes(5)),
          new FailureRules(Set.of("full")),
          measured.meters,
          time,
          Duration.ofMinutes(1),
          new Cancellation());

  /** The instance has these interfaces. */
  public Known(Held... attached) {
    account.pools().accept(List.of(pool(POOL), pool(OTHER_POOL)));
    account.inventory().accept(account.inventory().beginRead(), INSTANCE, List.of(attached));
  }

  private static Pool<String> pool(PoolId id) {
    return Pool.read(id, "zone-a", "subnet", true, 100);
  }

  /** The view of the instance. */
  public InstanceView<Held> view() {
    return account.inventory().find(INSTANCE).orElseThrow();
  }

  /** A request has changed the instance, or may have. */
  public long wrote(boolean certain, Change<Held> change) {
    return account.inventory().wrote(INSTANCE, certain, change);
  }

  /** Addresses left in a pool. */
  public int free(PoolId id) {
    return account.pools().find(id).orElseThrow().free();
  }

  /** Lets time pass. */
  public void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** A context that lasts for a minute from now. */
  public CallContext context() {
    return CallContext.of(
        "node1",
        Priority.of(Priority.Rank.REPAIR),
        time.nanos() + Duration.ofMinutes(1).toNanos(),
        account.shutdown());
  }
}
