package io.tidemark.agent.crd;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolChange;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.PoolSnapshot;
import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.agent.sync.NodePart;
import io.tidemark.agent.sync.NodeReservations;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of a node whose pool is in its object. It looks at the versions of the object, the
 * newest alone and one after the other, and says what the agent has to write into one.
 *
 * <p>Not thread-safe: one lane calls it. Requests for addresses go past it, to the facade.
 */
public final class CrdNode implements NodePart {
  private static final Logger LOG = LoggerFactory.getLogger(CrdNode.class);

  /** The pause until the next look while an interface is being attached. */
  private static final long LOOK_AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

  private final Settings settings;
  private final LocalInterfaces here;
  private final TimeSource time;
  private final Map<IpFamily, Family> families = new EnumMap<>(IpFamily.class);
  private final NodeReservations reservations = new NodeReservations();
  private @Nullable Ipam ipam;
  private boolean restored;
  private SortedSet<IpAddress> outside = new TreeSet<>();
  private SortedSet<String> unusable = new TreeSet<>();
  private boolean cools;
  private @Nullable NodeResource shown;
  private InterfaceCatalog catalog = InterfaceCatalog.NONE;
  private List<InterfaceConsistency.Contradiction> contradictions = List.of();
  private FormerPools formerPools = FormerPools.NONE;

  /**
   * Settings of one run.
   *
   * @param node its name
   * @param instance the id of this machine; empty where none is checked
   * @param pool where the addresses are
   * @param families that are served
   * @param grace after which a released address that is back in the pool counts as the node's, and
   *     within which an address that has cooled leaves the object
   * @param quarantine how long an address is not handed out that a release without a handshake may
   *     take away, because a multi-pool agent was here before
   * @param nativeRouting blocks that are reached without translation
   */
  public record Settings(
      String node,
      CrdMode mode,
      Optional<String> instance,
      PoolName pool,
      Set<IpFamily> families,
      Duration grace,
      Duration quarantine,
      List<Cidr> nativeRouting) {
    /** As long as a release can take. */
    public static final Duration QUARANTINE = Duration.ofMinutes(4);

    /** With {@link #QUARANTINE}. */
    public Settings(
        String node,
        CrdMode mode,
        Optional<String> instance,
        PoolName pool,
        Set<IpFamily> families,
        Duration grace,
        List<Cidr> nativeRouting) {
      this(node, mode, instance, pool, families, grace, QUARANTINE, nativeRouting);
    }
  }

  /** One family; the lock of its pool guards it. */
  private static final class Family {
    private CrdAddresses addresses;
    private AgentReleaseHandshake handshake = AgentReleaseHandshake.NONE;

    private Family(CrdAddresses addresses) {
      this.addresses = addresses;
    }
  }

  private CrdNode(Settings settings, LocalInterfaces here, TimeSource time) {
    this.settings = settings;
    this.here = here;
    this.time = time;
  }

  /**
   * A node whose object was not seen. Its allocators belong to the facade from now on.
   *
   * @param random draws where handing out begins
   */
  public static CrdNode of(
      Settings settings,
      LocalInterfaces here,
      TimeSource time,
      RandomGenerator random,
      IpamBuilder ipam) {
    CrdNode node = new CrdNode(settings, here, time);
    for (IpFamily family : new TreeSet<>(settings.families())) {
      AgentNodeView empty =
          new AgentNodeView(
              settings.mode(),
              family,
              NodeResource.named(settings.node()),
              InterfaceCatalog.NONE,
              AddressSet.of(),
              LocalInterfaces.ALL);
      CrdAddresses addresses =
          new CrdAddresses(settings.node(), settings.pool(), empty, random.nextLong());
      node.families.put(family, new Family(addresses));
      ipam.allocator(addresses);
    }
    return node;
  }

  /** The facade is built: from now on the object may be looked at. */
  public void serve(Ipam facade) {
    ipam = facade;
  }

  @Override
  public Half half() {
    return Half.STATUS;
  }

  @Override
  public boolean isOurs(NodeResource resource) {
    return settings.mode().isOf(settings.instance(), resource);
  }

  @Override
  public void restored() {
    restored = true;
  }

  @Override
  public void gone() {
    families.forEach(
        (family, each) -> facade().change(family, settings.pool(), held -> each.addresses.gone()));
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public NodeResource applied(NodeResource base) {
    if (base != shown) {
      see(base);
    }
    SortedMap<IpAddress, HandshakeState> answers = new TreeMap<>(base.releaseIps());
    UsedEntries used = new UsedEntries(base.usedEntries());
    SortedSet<IpAddress> left = new TreeSet<>();
    SortedSet<String> missing = new TreeSet<>();
    cools = false;
    AddressSet doubtful = doubtful(base);
    families.forEach(
        (family, each) -> {
          AgentNodeView view =
              new AgentNodeView(settings.mode(), family, base, catalog, doubtful, here);
          answers.keySet().removeAll(view.wire().keySet());
          PoolSnapshot now = show(each, view, answers);
          cools |= now.counts().cooling() > 0;
          AddressCursor cursor = new AddressCursor(view.addresses());
          for (HeldAddress held : now.held()) {
            if (held.state() != Held.EXCLUDED) {
              int index = cursor.indexOf(held.ip());
              used.add(held.ip(), held.owner(), index < 0 ? "" : view.resource(index));
              if (index < 0) {
                left.add(held.ip());
              }
            }
          }
          missing.addAll(view.unusableInterfaces());
        });
    report(left, missing);
    return restored ? base.withUsed(used.all()).withReleaseIps(answers) : base;
  }

  /** Takes in a version, which is looked at several times, once. */
  private void see(NodeResource base) {
    catalog = InterfaceCatalog.of(settings.mode(), base, settings.nativeRouting());
    contradicts(InterfaceConsistency.of(settings.mode(), base));
    reservations.keep(base.nodeAddresses(), List.of(settings.pool()), facade());
    shown = base;
  }

  private void contradicts(List<InterfaceConsistency.Contradiction> now) {
    if (!now.isEmpty() && !now.equals(contradictions)) {
      LOG.debug("Addresses of the node's object are not handed out yet: {}", now.get(0).text());
    }
    contradictions = now;
  }

  /** Addresses of the pool that this version contradicts, or that an operator may still release. */
  private AddressSet doubtful(NodeResource base) {
    AddressSet all = AddressSet.of();
    for (InterfaceConsistency.Contradiction each : contradictions) {
      all = all.plus(each.addresses());
    }
    if (settings.mode().isCloud()) {
      formerPools = formerPools.observe(base, settings.quarantine(), time.nanos());
      all = all.plus(formerPools.doubted());
    }
    return all;
  }

  @Override
  public NodeResource cleared(NodeResource base) {
    return settings.mode().isCloud() ? formerPools.cleared(base) : base;
  }

  /** Under the lock of the pool: what is answered and what is withheld are one decision. */
  private PoolSnapshot show(
      Family family, AgentNodeView view, SortedMap<IpAddress, HandshakeState> answers) {
    PoolChange change =
        held -> {
          AgentReleaseHandshake.Step step =
              family.handshake.observe(
                  view.sight(ip -> isKept(held.apply(ip)), restored),
                  settings.grace(),
                  time.nanos());
          family.handshake = step.next();
          answers.putAll(step.answers());
          family.addresses = family.addresses.shown(view, step.withheld());
          return family.addresses;
        };
    return facade().change(view.family(), settings.pool(), change).orElseThrow();
  }

  private static boolean isKept(@Nullable Held held) {
    return held == Held.IN_USE || held == Held.COOLING;
  }

  private Ipam facade() {
    return Objects.requireNonNull(ipam, "serve comes first");
  }

  private void report(SortedSet<IpAddress> left, SortedSet<String> missing) {
    if (!outside.containsAll(left)) {
      LOG.warn("Addresses are in use that the node does not have any more. addresses={}", left);
    }
    if (!unusable.containsAll(missing)) {
      LOG.warn("Interfaces of the pool are not in the status or not here. ids={}", missing);
    }
    outside = left;
    unusable = missing;
  }

  @Override
  public OptionalLong nextLookNanos() {
    LongStream graces =
        families.values().stream()
            .flatMapToLong(each -> each.handshake.nextDueNanos(settings.grace()).stream());
    long again = unusable.isEmpty() ? settings.grace().toNanos() : LOOK_AGAIN_NANOS;
    LongStream soon =
        unusable.isEmpty() && !cools ? LongStream.empty() : LongStream.of(time.nanos() + again);
    LongStream pause = formerPools.nextLookNanos().stream();
    return LongStream.concat(pause, LongStream.concat(graces, soon)).min();
  }
}
