package io.tidemark.agent.multipool;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolChange;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.multipool.CidrEntry.Phase;
import io.tidemark.agent.multipool.CidrStates.Need;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One family of one pool: shows each offer to its addresses, and checks them. Has one caller. */
final class FamilyPool {
  private static final Logger LOG = LoggerFactory.getLogger(FamilyPool.class);

  private final Ipam ipam;
  private final PoolName pool;
  private final IpFamily family;
  private final MultiPoolRules rules;
  private final Meters metrics;

  /**
   * The state of the pool.
   *
   * @param pending owners that asked for an address and found none
   * @param quarantined addresses that nobody has, and that are not handed out before a release can
   *     no longer be under way
   * @param offeredNotTaken addresses on offer that are not handed out although nothing speaks
   *     against it
   */
  private record BlockCounts(int pending, int quarantined, int offeredNotTaken) {}

  /** The pool's addresses; the lock of the pool guards all but their states. */
  private RangeAllocator ranges;

  private int demand;
  private SortedMap<Cidr, Integer> unexplained = Collections.emptySortedMap();
  private long unexplainedSince;
  private int rebuilds;
  private volatile BlockCounts counts = new BlockCounts(0, 0, 0);
  private volatile CidrReport report = CidrReport.EMPTY;

  FamilyPool(
      Ipam ipam,
      PoolName pool,
      IpFamily family,
      MultiPoolRules rules,
      Meters metrics,
      RangeAllocator ranges) {
    this.ipam = ipam;
    this.pool = pool;
    this.family = family;
    this.rules = rules;
    this.ranges = ranges;
    this.metrics = metrics;
    String word = family == IpFamily.IPV4 ? "ipv4" : "ipv6";
    metrics.gauge(Metric.AGENT_PENDING, () -> counts.pending(), pool.value(), word);
    metrics.gauge(Metric.AGENT_QUARANTINED, () -> counts.quarantined(), pool.value(), word);
    metrics.gauge(
        Metric.AGENT_OFFERED_NOT_TAKEN_IPS, () -> counts.offeredNotTaken(), pool.value(), word);
  }

  /** The addresses, and what was done with the blocks at the last look. */
  RangeAllocator ranges() {
    return ranges;
  }

  /** The blocks as the last look left them; from any thread. */
  CidrReport report() {
    return report;
  }

  int demand() {
    return demand;
  }

  /** Addresses on offer that are not handed out, although nothing speaks against it. */
  int unexplained() {
    return unexplained.values().stream().mapToInt(Integer::intValue).sum();
  }

  int rebuilds() {
    return rebuilds;
  }

  /** When to look again, whatever happens; empty when only events matter. */
  OptionalLong nextLookNanos() {
    OptionalLong end = ranges.states().nextEndNanos();
    if (unexplained.isEmpty()) {
      return end;
    }
    long due = unexplainedSince + rules.offerGrace().toNanos();
    return OptionalLong.of(end.isPresent() && end.getAsLong() - due < 0 ? end.getAsLong() : due);
  }

  /**
   * The object offers this.
   *
   * @param pending requests that found no address
   * @param preAllocation free addresses to have at hand
   * @param mayDrop whether blocks that are not needed are given back now
   */
  void observe(OfferedCidrs offer, int pending, int preAllocation, boolean mayDrop, long now) {
    change(
        use -> {
          int used = use.counts().used();
          int wanted = rules.demand().wanted(used + pending, preAllocation);
          Need need = new Need(wanted, used, use.counts().excluded(), mayDrop);
          CidrStates next =
              ranges.states().observe(offer, new Blocks(use), need, rules.quarantine(), now);
          RangeAllocator before = ranges;
          ranges = ranges.with(next, offer.interfaces());
          ask(need);
          if (ranges.equals(before)) {
            check(OfferCheck.unexplained(offer, ranges, use), now);
          }
          return ranges;
        });
    rebuildIfDue(now);
    counts = new BlockCounts(pending, quarantined(), unexplained());
    report = new CidrReport(ranges.states(), offer.interfaces(), unexplained);
  }

  private int quarantined() {
    int quarantined = 0;
    for (CidrEntry each : ranges.states().entries()) {
      quarantined += each.phase() == Phase.QUARANTINED ? ranges.freeIn(each.cidr()) : 0;
    }
    return quarantined;
  }

  private void change(PoolChange change) {
    ipam.change(family, pool, change);
  }

  /**
   * Reserved addresses are never handed out, and the operator does not know: it is asked for others
   * in their place, as long as the rest is too little. Addresses in quarantine, or of an interface
   * that is not here yet, are what was asked for: they will be handed out.
   */
  private void ask(Need need) {
    long usable = (long) need.used() + ranges.freeCount() + waiting();
    demand =
        usable >= need.wanted()
            ? need.wanted()
            : DemandRule.saturated((long) need.wanted() + need.excluded());
  }

  private long waiting() {
    long waiting = 0;
    for (CidrEntry each : ranges.states().entries()) {
      boolean drawn = each.isDrawn() && ranges.hasInterface(each);
      waiting += drawn || each.withdrawn() ? 0 : ranges.freeIn(each.cidr());
    }
    return waiting;
  }

  private void check(SortedMap<Cidr, Integer> found, long now) {
    unexplainedSince = unexplained.isEmpty() ? now : unexplainedSince;
    unexplained = found;
  }

  private void rebuildIfDue(long now) {
    if (!unexplained.isEmpty() && now - unexplainedSince >= rules.offerGrace().toNanos()) {
      rebuild();
    }
  }

  private void rebuild() {
    LOG.warn(
        "{} {}: pool {} is built anew, because addresses on offer were not handed out: {}",
        AgentError.OFFER_REBUILT.label(),
        AgentError.OFFER_REBUILT.name(),
        pool,
        unexplained);
    change(use -> ranges = ranges.rebuilt());
    unexplained = Collections.emptySortedMap();
    rebuilds++;
    metrics.count(Metric.AGENT_OFFER_REBUILT);
  }

  @Override
  public String toString() {
    return pool + " " + family + " " + ranges.states();
  }

  /** How the blocks are used, during one look: each is counted once. */
  private final class Blocks implements CidrStates.Use {
    private final PoolChange.Use use;
    private final Map<Cidr, Integer> held = new HashMap<>();

    private Blocks(PoolChange.Use use) {
      this.use = use;
    }

    @Override
    public int held(Cidr cidr) {
      return held.computeIfAbsent(
          cidr, block -> use.outsideIn(block) + ranges.countTaken(block, this::isHeld));
    }

    private boolean isHeld(IpAddress ip) {
      Held state = use.apply(ip);
      return state == Held.IN_USE || state == Held.COOLING;
    }

    @Override
    public int free(Cidr cidr) {
      return ranges.freeIn(cidr);
    }
  }
}
