package io.tidemark.agent.multipool;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.Upstream;
import io.tidemark.agent.multipool.AgentPools.Blocks;
import io.tidemark.agent.sync.NodePart;
import io.tidemark.agent.sync.NodeReservations;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools of a node in mode {@code multi-pool}: every version of the node's object is shown to
 * it, and it says what is to be written there (allocators 5). Addresses are allocated by its {@link
 * #ipam()}.
 *
 * <p>Its methods are called one at a time, with the versions of the object in their order; the
 * {@link Ipam} by any thread at any time. Nothing here blocks.
 */
public final class MultiPool implements NodePart {
  private static final Logger LOG = LoggerFactory.getLogger(MultiPool.class);

  /** Unserved requests expire and cooldowns end without an event. */
  private static final long LOOK_NANOS = Duration.ofMinutes(1).toNanos();

  private final Optional<String> instance;
  private final MultiPoolRules rules;
  private final RangeSource source;
  private final Meters metrics;
  private final TimeSource time;
  private final long seed;
  private final CidrHistory history;
  private final PendingRequests pending;
  private final Ipam ipam;
  private final SortedMap<PoolName, Map<IpFamily, FamilyPool>> pools =
      new ConcurrentSkipListMap<>();
  private final RejectedBlocks rejected = new RejectedBlocks();
  private final NodeReservations reservations = new NodeReservations();
  private boolean observed;
  private OptionalInt preAllocation = OptionalInt.empty();
  private String contradiction = "";
  private boolean restored;

  /**
   * The start values of a process.
   *
   * @param instance the id of this machine; empty where none is checked
   * @param seed where handing out begins in each block
   * @param remembered what the process before this one stored; empty without such a record
   */
  public record Origin(
      Optional<String> instance, long seed, Optional<List<RememberedCidr>> remembered) {}

  /**
   * Pools without addresses yet.
   *
   * @param facade with everything set but pools, upstream and metrics
   * @param source where in the object the blocks are
   * @param time of the facade
   */
  public MultiPool(
      IpamBuilder facade,
      MultiPoolRules rules,
      RangeSource source,
      Origin origin,
      TimeSource time,
      Meters metrics) {
    this.instance = origin.instance();
    this.metrics = metrics;
    this.rules = rules;
    this.source = source;
    this.time = time;
    this.seed = origin.seed();
    this.history = new CidrHistory(origin.remembered(), time, rules.quarantine());
    this.pending = new PendingRequests(time);
    this.ipam =
        facade
            .upstream(pending)
            .metrics(metrics)
            .changingPools(
                rules.families(),
                (pool, family) ->
                    RangeAllocator.empty(pool, family, origin.seed(), CidrStates.EMPTY))
            .build();
  }

  /** Who allocates. */
  public Ipam ipam() {
    return ipam;
  }

  /** Sets who writes the object, such as a {@code NodeSync}. */
  public void publishedBy(Upstream publisher) {
    pending.next(publisher);
  }

  /** Sets who keeps {@link #remembered()}; before restoration. */
  public void keptBy(CidrMemory keeper) {
    history.keptBy(keeper);
  }

  // ---- the object

  @Override
  public Half half() {
    return Half.SPEC;
  }

  @Override
  public boolean isOurs(NodeResource resource) {
    return source.isOf(instance, resource);
  }

  /** From now on blocks may be given back. */
  @Override
  public void restored() {
    restored = true;
  }

  /** The last version counts on. */
  @Override
  public void gone() {}

  /**
   * Takes up what the object offers, and says what is to be written: the object with the demand and
   * the blocks that the agent has, without those that it does not need. What is given back here is
   * not used any more, whether or not it is written. Before restoration nothing is to be written.
   */
  @Override
  public NodeResource applied(NodeResource base) {
    String problem = source.contradiction(base).orElse("");
    if (!problem.equals(contradiction) && !problem.isEmpty()) {
      LOG.warn("This version of the node's object is not used: {}", problem);
    }
    contradiction = problem;
    if (!problem.isEmpty()) {
      return base;
    }
    observe(base);
    return restored ? says().apply(base) : base;
  }

  /** An agent of single addresses publishes them; this one does not know its pods by that. */
  @Override
  public NodeResource cleared(NodeResource base) {
    return contradiction.isEmpty() && !base.pools().requested().isEmpty()
        ? base.withUsed(Map.of())
        : base;
  }

  /** Keeps {@link #remembered()}, unless that is what was kept last. */
  @Override
  public CompletionStage<Optional<String>> persist() {
    return history.persist(remembered());
  }

  private void observe(NodeResource resource) {
    long now = time.nanos();
    pending.expire(now);
    preAllocation = source.preAllocation(resource);
    if (!observed && resource.pools().equals(PodPools.NONE)) {
      history.isFirstProcess(); // an agent writes its demand before anything else
    }
    observed = true;
    Map<PoolName, OfferedCidrs> offers = source.offers(resource);
    offers.forEach(this::appear);
    reservations.keep(resource.nodeAddresses(), pools.keySet(), ipam);
    pools.forEach(
        (pool, families) ->
            families.forEach(
                (family, each) -> {
                  OfferedCidrs offer = offers.getOrDefault(pool, OfferedCidrs.none()).in(family);
                  int waiting = pending.count(pool, family);
                  each.observe(offer, waiting, preAllocation(pool), restored, now);
                }));
    rejected.report(offers, rules.families(), pools);
  }

  private void appear(PoolName pool, OfferedCidrs offer) {
    for (IpFamily family : rules.families()) {
      if (!offer.in(family).cidrs().isEmpty()) {
        pools
            .computeIfAbsent(pool, name -> new ConcurrentSkipListMap<>())
            .computeIfAbsent(family, each -> familyPool(pool, each));
      }
    }
  }

  private FamilyPool familyPool(PoolName pool, IpFamily family) {
    CidrStates states = history.states(pool, family);
    return new FamilyPool(
        ipam, pool, family, rules, metrics, RangeAllocator.empty(pool, family, seed, states));
  }

  private AgentPools says() {
    SortedMap<String, AddressDemand> requested = new TreeMap<>();
    Set<String> names = new TreeSet<>(pending.pools());
    rules.preAllocation().keySet().forEach(pool -> names.add(pool.value()));
    pools.keySet().forEach(pool -> names.add(pool.value()));
    for (String name : names) {
      PoolName pool = new PoolName(name);
      AddressDemand demand =
          new AddressDemand(demand(pool, IpFamily.IPV4), demand(pool, IpFamily.IPV6));
      // An operator of interfaces knows by its demand that an agent has pools.
      boolean always = source.agentLists() && rules.preAllocation().containsKey(pool);
      if (demand.ipv4() > 0 || demand.ipv6() > 0 || always) {
        requested.put(name, demand);
      }
    }
    SortedMap<String, Blocks> blocks = new TreeMap<>();
    pools.forEach((pool, families) -> blocks.put(pool.value(), Blocks.of(families.values())));
    return new AgentPools(requested, blocks, source.agentLists());
  }

  private int demand(PoolName pool, IpFamily family) {
    if (!rules.families().contains(family)) {
      return 0;
    }
    FamilyPool known = find(pool, family);
    return known == null
        ? rules.demand().wanted(pending.count(pool, family), preAllocation(pool))
        : known.demand();
  }

  private int preAllocation(PoolName pool) {
    int configured = rules.preAllocation().getOrDefault(pool, 0);
    return configured == 0 ? 0 : preAllocation.orElse(configured);
  }

  /** One family of a pool; null when nothing of it was ever offered. */
  @Nullable FamilyPool find(PoolName pool, IpFamily family) {
    return pools.getOrDefault(pool, Map.of()).get(family);
  }

  @Override
  public OptionalLong nextLookNanos() {
    long now = time.nanos();
    long next = now + LOOK_NANOS;
    if (!contradiction.isEmpty()) { // what is due stays due until a version counts
      return OptionalLong.of(next);
    }
    for (Map<IpFamily, FamilyPool> families : pools.values()) {
      for (FamilyPool each : families.values()) {
        long due = each.nextLookNanos().orElse(next);
        next = due - next < 0 ? due : next;
      }
    }
    return OptionalLong.of(next);
  }

  /** The blocks that the next process must know, to be kept before {@link #applied} is written. */
  public List<RememberedCidr> remembered() {
    List<RememberedCidr> all = new ArrayList<>();
    pools.forEach(
        (pool, families) ->
            families
                .values()
                .forEach(each -> all.addAll(history.remembered(pool, each.ranges().states()))));
    return all;
  }

  /** The state of each block, by pool, IPv4 first; from any thread. */
  public List<PoolCidr> cidrs() {
    List<PoolCidr> all = new ArrayList<>();
    pools.forEach(
        (pool, families) ->
            families.values().forEach(each -> all.addAll(each.report().cidrs(pool, time))));
    rejected.ofDisabledFamilies().forEach(all::add);
    return all;
  }

  /** One line for people, such as {@code 2 IPAM pool(s) available}. */
  public String status() {
    long available =
        pools.values().stream()
            .filter(
                families ->
                    families.values().stream()
                        .anyMatch(each -> !each.ranges().states().entries().isEmpty()))
            .count();
    return available + " IPAM pool(s) available";
  }
}
