package io.tidemark.agent;

import io.tidemark.ip.IpAddress;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/** Starts and stops leases, and ends the allocations of those that run out. Thread-safe. */
final class Leases {
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT = 1L << 63;

  private final TaskScheduler scheduler;
  private final RandomGenerator random;
  private final BiConsumer<Shard, Lease> ranOut;

  /**
   * Leases without any running.
   *
   * @param ranOut hears, outside every lock, of each address that was released because its lease
   *     ran out
   */
  Leases(TaskScheduler scheduler, RandomGenerator random, BiConsumer<Shard, Lease> ranOut) {
    this.scheduler = scheduler;
    this.random = random;
    this.ranOut = ranOut;
  }

  Lease.Start start(Shard shard, IpAddress ip, Duration timeout) {
    Lease lease = new Lease(nextId(), ip, shard.pool());
    RunningLease running = new RunningLease(lease);
    Optional<Denial> refusal = shard.startLease(running);
    if (refusal.isPresent()) {
      return new Lease.Start.Refused(refusal.get());
    }
    running.timer(scheduler.after(timeout, () -> expire(shard, running)));
    return new Lease.Start.Started(lease);
  }

  Optional<Denial> stop(Shard shard, Lease lease) {
    List<RunningLease> ended = new ArrayList<>();
    Optional<Denial> refusal = shard.stopLease(lease, ended);
    ended.forEach(RunningLease::end);
    return refusal;
  }

  private void expire(Shard shard, RunningLease running) {
    if (shard.expire(running, scheduler.time().nanos())) {
      ranOut.accept(shard, running.lease());
    }
  }

  private synchronized UUID nextId() {
    return new UUID(
        (random.nextLong() & ~0xf000L) | VERSION_4, (random.nextLong() >>> 2) | VARIANT);
  }
}
