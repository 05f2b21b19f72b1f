package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The assignments that a pool has taken up from a checkpoint: assignments whose addresses it has
 * are placed, of two with the same address the newest; the others are kept as orphans.
 */
record Recovery(
    IpFamily family,
    List<CheckpointEntry> placed,
    List<Orphan> orphans,
    List<Cooled> cooling,
    RecoveryReport report) {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** An address and when it was released, by both clocks. */
  record Cooled(IpAddress ip, long epochNanos, long nanos) {}

  /**
   * The rest of a checkpoint when sandboxes that have ended are left out.
   *
   * @param ended their assignments
   * @param endedAgo how long ago the last of them may have ended
   */
  record Living(
      List<CheckpointEntry> entries,
      List<CheckpointEntry> ended,
      Duration endedAgo,
      boolean rebooted,
      boolean livenessUnknown) {
    static Living of(CheckpointData data, RecoveryRules rules) {
      List<CheckpointEntry> all = new ArrayList<>(data.allocations());
      data.extension().ifPresent(it -> all.addAll(it.orphans()));
      if (rules.isOfAnotherBoot(data)) {
        return new Living(List.of(), all, rules.bootAge(), true, false);
      }
      List<CheckpointEntry> living = new ArrayList<>();
      List<CheckpointEntry> stale = new ArrayList<>();
      try {
        for (CheckpointEntry each : all) {
          (isNamed(each) && !rules.alive().test(each) ? stale : living).add(each);
        }
      } catch (RuntimeException e) {
        LOG.warn("cannot find out which sandboxes exist, so all assignments are kept", e);
        return new Living(all, List.of(), Duration.ZERO, false, true);
      }
      return new Living(living, stale, Duration.ZERO, false, false);
    }

    /** Older versions do not note the pod, by which its interface is found. */
    private static boolean isNamed(CheckpointEntry entry) {
      return !entry.metadata().podNamespace().isEmpty() && !entry.metadata().podName().isEmpty();
    }
  }

  /** Why nothing is taken up: what the container runtime says contradicts itself. */
  static Optional<StoreRefusal> refusal(StorePool pool, Living living, RecoveryRules rules) {
    if (rules.phase().readsFile()) {
      return Optional.empty();
    }
    Set<IpAddress> seen = new HashSet<>();
    for (CheckpointEntry entry : living.entries()) {
      IpAddress address = entry.address(rules.family()).orElse(null);
      CidrState cidr = address == null ? null : pool.blocks.of(address);
      if (address != null && cidr != null && !seen.add(address)) {
        return Optional.of(StoreRefusal.duplicateAddress(address, address, cidr.eni.spec.id()));
      }
    }
    return Optional.empty();
  }

  /** Places what is left of a checkpoint in a pool. */
  static Recovery into(
      StorePool pool,
      CheckpointData data,
      Living living,
      RecoveryRules rules,
      long now,
      long epochMillis) {
    List<CheckpointEntry> placed = new ArrayList<>();
    List<Orphan> orphans = new ArrayList<>();
    int duplicates = 0;
    List<CheckpointEntry> newestFirst = new ArrayList<>(living.entries());
    newestFirst.sort(
        Comparator.comparingLong(CheckpointEntry::epochNanos)
            .reversed()
            .thenComparing(each -> each.key().toString()));
    for (CheckpointEntry entry : newestFirst) {
      Optional<IpAddress> address = entry.address(rules.family());
      AddressSlot holder = address.map(pool::slot).orElse(null);
      if (address.isEmpty() || pool.blocks.of(address.get()) == null) {
        if (!rules.phase().readsFile()) {
          LOG.warn("{} of a sandbox is not on this node, and left out", address.orElse(null));
          continue;
        }
        orphans.add(new Orphan(entry, Optional.empty(), now));
      } else if (pool.reclaim(address.get(), entry)) {
        placed.add(entry);
      } else if (holder != null && !holder.key().equals(entry.key())) {
        orphans.add(new Orphan(entry, Optional.empty(), now));
        duplicates++;
      }
    }
    long epochNanos = epochMillis * 1_000_000;
    rules.unnoted().ifPresent(age -> pool.coolAll(age.toNanos(), now));
    for (Released each : data.extension().map(Extension::cooldown).orElse(List.of())) {
      pool.cool(each.ip(), Math.max(0, epochNanos - each.unassignedEpochNanos()), now);
    }
    long endedAgo = living.endedAgo().toNanos();
    for (CheckpointEntry ended : living.ended()) {
      ended.address(rules.family()).ifPresent(address -> pool.cool(address, endedAgo, now));
    }
    List<Cooled> cooling = new ArrayList<>();
    pool.forEachCooling(
        (ip, nanos) -> cooling.add(new Cooled(ip, epochNanos - (now - nanos), nanos)));
    RecoveryReport report =
        new RecoveryReport(
            placed.size(),
            orphans.size(),
            duplicates,
            living.rebooted() ? List.of() : living.ended(),
            cooling.size(),
            living.rebooted(),
            living.livenessUnknown());
    return new Recovery(rules.family(), placed, orphans, cooling, report);
  }
}
