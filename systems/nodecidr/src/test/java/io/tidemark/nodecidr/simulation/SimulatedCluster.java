package io.tidemark.nodecidr.simulation;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.cloud.AliasCloud;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.controller.CidrTakeOver;
import io.tidemark.nodecidr.controller.ControllerSettings;
import io.tidemark.nodecidr.controller.NodeCidrController;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.time.VirtualProcess.OnTheWire;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A cluster: the server, the nodes that come and go, and the operators one after the other. */
final class SimulatedCluster {
  /** A range that the start state may have used already. */
  static final Cidr RANGE = Cidr.parse("10.0.0.0/20");

  static final Duration COOLDOWN = Duration.ofSeconds(60);
  static final Duration HOLD = Duration.ofSeconds(75);
  private static final List<CidrAllocatorType> CLOUDY =
      Arrays.stream(CidrAllocatorType.values()).filter(CidrAllocatorType::followsCloud).toList();
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  final VirtualTime time = new VirtualTime(START.toEpochMilli(), 3_000_000, 200_000);
  final SimulatedServer server;
  final ClusterJudge judge;

  /** Who decides, where nodes follow a cloud. */
  final Optional<CidrAllocatorType> type;

  final AliasCloud cloud = new AliasCloud();

  /** How long the cache of a store of Nodes may show one as it was before a write. */
  final long cacheLagNanos;

  /** How often requests fail, from 0 to 1. */
  double faults;

  private final Random random;
  private final ControllerSettings settings;
  private final List<String> log = new ArrayList<>();

  /** Whether the lease has notes for the next leader. */
  final boolean hasNotes;

  private Map<String, String> notes = Map.of();

  /** Whether nobody watches: before the first leader, or after one has ended in order. */
  private boolean unwatched = true;

  /** Who holds the lease, or is about to. */
  SimulatedOperator leader;

  private int operators;
  private int created;
  private int foreign;
  private long outageUntil;
  private long delayMax;
  private int launched;

  /** The first one that was found on a lane. */
  private @Nullable AssertionError violation;

  SimulatedCluster(long seed, Target target, boolean hasCloud) {
    this.random = new Random(seed);
    this.type =
        hasCloud ? Optional.of(CLOUDY.get(random.nextInt(CLOUDY.size()))) : Optional.empty();
    this.faults = random.nextInt(4) == 0 ? 0 : random.nextDouble();
    int waitingMax = random.nextBoolean() ? 1_000 : 3;
    long lag = random.nextInt(3) == 0 ? Duration.ofSeconds(random.nextInt(20)).toNanos() : 0;
    this.cacheLagNanos = target == Target.NODE ? lag : 0;
    this.hasNotes = random.nextInt(3) > 0;
    ClusterCidrs cidrs = hasCloud ? beside(ranges(target)) : ranges(target);
    this.settings =
        new ControllerSettings(
            cidrs,
            COOLDOWN,
            false,
            1 + random.nextInt(4),
            Duration.ofSeconds(10),
            SimulatedOperator.MANAGER);
    this.server =
        target == Target.NODE
            ? new SimulatedNodes(this, waitingMax)
            : new SimulatedPool(this, cidrs, random.nextLong());
    this.judge = new ClusterJudge(time, server, cidrs, COOLDOWN, hasCloud, this::isGiven);
    int nodes = random.nextInt(random.nextInt(3) == 0 ? 20 : 6);
    for (int i = 0; i < nodes; i++) {
      create();
    }
    this.leader = operator();
    lead(leader, Duration.ZERO);
  }

  /** Whether the cloud decides who gets blocks of a family. */
  private boolean isGiven(IpFamily family) {
    return type.equals(Optional.of(CidrAllocatorType.IPAM_FROM_CLOUD))
        || settings.cidrs().of(family).filter(FamilyRanges::isOfCloud).isPresent();
  }

  /** The families of a cluster whose nodes follow a cloud: one, or one and the cloud's. */
  private ClusterCidrs beside(ClusterCidrs ranges) {
    FamilyRanges first = ranges.families().get(0);
    if (type.equals(Optional.of(CidrAllocatorType.CLOUD_ALLOCATOR))) {
      FamilyRanges ofCloud =
          FamilyRanges.ofCloud(first.family() == IpFamily.IPV4 ? IpFamily.IPV6 : IpFamily.IPV4);
      List<FamilyRanges> families =
          random.nextBoolean() ? List.of(ofCloud) : List.of(first, ofCloud);
      return new ClusterCidrs(families, ranges.exclusions());
    }
    return new ClusterCidrs(List.of(first), ranges.exclusions());
  }

  private ClusterCidrs ranges(Target target) {
    String families = RANGE + "," + (21 + random.nextInt(random.nextBoolean() ? 4 : 7));
    if (random.nextInt(3) == 0) {
      boolean isFirst = target == Target.NODE && random.nextInt(2) == 0;
      String second = "fd00::/60," + (61 + random.nextInt(4));
      families = isFirst ? second + " " + families : families + " " + second;
    }
    return TestCidrs.of(families + (random.nextBoolean() ? " -10.0.3.0/28" : ""), target);
  }

  void log(String what) {
    log.add(Duration.ofNanos(time.nanos()) + " " + what);
  }

  @Override
  public String toString() {
    return settings.cidrs() + "\n" + String.join("\n", log);
  }

  long delayNanos() {
    return delayMax == 0 ? 0 : random.nextLong(delayMax);
  }

  /** Whether every request is served at once, and was. */
  boolean isCalm() {
    return faults == 0 && outageUntil == 0 && foreign == 0;
  }

  boolean isOutage() {
    return outageUntil > time.nanos();
  }

  void pass(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
    AssertionError found = violation;
    if (found != null) {
      throw found;
    }
  }

  /**
   * Checks on a lane, which goes on after a failed task: the failure is thrown by the next pass.
   */
  void check(String rule, boolean holds, String otherwise) {
    if (!holds && violation == null) {
      violation = new AssertionError("[" + rule + " " + otherwise + "]");
    }
  }

  // ---- nodes

  void create() {
    ClusterNode node = register("n" + ++created, type.isPresent() ? launch() : "");
    log("created " + node.name() + " " + node.uid() + " " + node.providerId());
  }

  private ClusterNode register(String name, String instance) {
    return instance.isEmpty()
        ? server.create(name)
        : ((SimulatedNodes) server).create(name, AliasCloud.providerId(instance));
  }

  private String launch() {
    String instance = "i" + ++launched;
    cloud.launch(instance);
    boolean rarely = type.equals(Optional.of(CidrAllocatorType.IPAM_FROM_CLUSTER));
    if (rarely ? random.nextInt(8) == 0 : random.nextInt(3) > 0) {
      grant(instance);
    }
    return instance;
  }

  /** Gives an instance a range that suits the mode, unless it has one or the range is taken. */
  private void grant(String instance) {
    for (FamilyRanges family : settings.cidrs().families()) {
      boolean given =
          family.isOfCloud() || !type.equals(Optional.of(CidrAllocatorType.CLOUD_ALLOCATOR));
      if (given && cloud.of(instance).isEmpty()) {
        Cidr range = drawn(family);
        log(instance + " gets " + range + ": " + cloud.grant(instance, range));
      }
    }
  }

  private Cidr drawn(FamilyRanges family) {
    if (family.isOfCloud()) {
      boolean ipv4 = family.family() == IpFamily.IPV4;
      return Cidr.parse(ipv4 ? "172.16.0.0/16" : "fd01::/48")
          .subnet(ipv4 ? 24 : 64, random.nextInt(40));
    }
    Cidr range = family.ranges().get(0);
    int bits = family.blockLength() - range.prefixLength();
    return range.subnet(family.blockLength(), random.nextInt(1 << bits));
  }

  /** The instance of a node; empty text for none. */
  static String instanceOf(ClusterNode node) {
    return node.providerId().replaceFirst(".*/", "");
  }

  /** An instance gets a range later than its node comes. */
  void grant(long drawn) {
    any(drawn).forEach(node -> grant(instanceOf(node)));
  }

  /** An instance loses its ranges; in the modes that look again. */
  void revoke(long drawn) {
    for (ClusterNode node : any(drawn)) {
      if (!type.equals(Optional.of(CidrAllocatorType.CLOUD_ALLOCATOR))) {
        cloud.revoke(instanceOf(node));
        log(instanceOf(node) + " loses its ranges");
      }
    }
  }

  /** One node, or none when there are none. */
  private List<ClusterNode> any(long drawn) {
    List<ClusterNode> all = server.all();
    return all.isEmpty() ? all : List.of(all.get(Math.floorMod(drawn, all.size())));
  }

  void delete(long drawn) {
    any(drawn).forEach(this::delete);
  }

  private void delete(ClusterNode node) {
    if (!unwatched) {
      judge.removed(node, leader.knows(node, State.ASSIGNED) ? leader.name : "");
    }
    server.delete(node.name());
    log("deleted " + node.name() + " " + node.podCidrs().texts());
    if (type.isPresent() && random.nextInt(4) > 0) {
      cloud.terminate(instanceOf(node));
    }
  }

  void recreate(long drawn) {
    for (ClusterNode node : any(drawn)) {
      boolean known = leader.knows(node, State.ASSIGNED);
      delete(node);
      pass(Duration.ofMillis(Math.floorMod(drawn, 900)));
      boolean stays = type.isEmpty() || cloud.exists(instanceOf(node));
      ClusterNode again = register(node.name(), stays ? instanceOf(node) : launch());
      log("created " + node.name() + " again");
      if (known) {
        server.recreated(node, again);
      }
    }
  }

  void beginDeletion(long drawn) {
    for (ClusterNode node : any(drawn)) {
      server.beginDeletion(node.name());
      log("deletion of " + node.name() + " begins");
    }
  }

  void heartbeat(long drawn) {
    any(drawn).forEach(node -> server.heartbeat(node.name(), drawn));
  }

  /** Another allocator writes CIDRs outside the ranges. */
  void foreignWrite(long drawn) {
    any(drawn).stream().filter(it -> it.podCidrs().isEmpty()).forEach(this::foreignWrite);
  }

  void foreignWrite(ClusterNode node) {
    NodeChange change =
        server.assign(
            "cilium-operator-generic", node, List.of(Cidr.parse("192.168." + ++foreign + ".0/24")));
    log("another allocator writes to " + node.name() + ": " + change.ending());
    SimulatedOperator then = leader;
    long now = time.nanos();
    boolean leads = then.ready;
    time.after(
        ClusterJudge.DELIVERED,
        () -> {
          boolean counts = server.find(node.name()).filter(it -> !it.exempt()).isPresent();
          if (leads && counts && then.knows(node, State.FOREIGN)) {
            judge.foreignWrite(then.name, now);
          }
        });
  }

  // ---- the way to the server

  void outage(long drawn) {
    outageUntil = time.nanos() + Duration.ofSeconds(1 + Math.floorMod(drawn, 40)).toNanos();
    log("outage");
  }

  void lag(long drawn) {
    delayMax =
        Math.floorMod(drawn, 3) == 0
            ? 0
            : Duration.ofSeconds(1 + Math.floorMod(drawn, 20)).toNanos();
  }

  void staleList(SimulatedNodes nodes, long drawn) {
    Optional<List<ClusterNode>> lacking = nodes.showOld(drawn);
    if (lacking.isPresent()) {
      lacking.get().forEach(judge::shownAbsent);
      log("stale list");
      time.after(Duration.ofSeconds(1 + Math.floorMod(drawn, 90)), nodes::showNew);
    }
  }

  // ---- operators

  private SimulatedOperator operator() {
    return new SimulatedOperator("operator-" + ++operators, this, settings, random.nextLong());
  }

  private void lead(SimulatedOperator next, Duration delay) {
    leader = next;
    if (random.nextBoolean()) {
      next.controller.standBy();
    }
    time.after(
        delay,
        () -> {
          if (next.process.isAlive() && leader.equals(next)) {
            next.leads = true;
            CidrTakeOver before = takeOver();
            log(next.name + " leads: " + before);
            next.controller.start(() -> before).thenAccept(outcome -> begun(next));
          }
        });
  }

  private void begun(SimulatedOperator next) {
    next.ready = true;
    unwatched &= !leader.equals(next);
  }

  private CidrTakeOver takeOver() {
    if (operators == 1) {
      return CidrTakeOver.clean();
    }
    String note = notes.get(NodeCidrController.NOTE);
    if (hasNotes) {
      return note == null ? CidrTakeOver.clean() : CidrTakeOver.of(note, HOLD);
    }
    return CidrTakeOver.hold(HOLD);
  }

  /** The lease's note now. */
  String note() {
    return notes.getOrDefault(NodeCidrController.NOTE, "");
  }

  /** The holder of the lease writes what it has to say; false when another one holds it. */
  boolean writeLease(SimulatedOperator operator) {
    boolean holds = operator.process.isAlive() && operator.leads && operator.equals(leader);
    if (holds && !operator.controller.notes().isEmpty()) {
      notes = operator.controller.notes();
      operator.ended = note().contains(" ended ");
      log(operator.name + " notes: " + notes);
    }
    return holds;
  }

  /** The process of an operator ends at once; its requests on the wire arrive. */
  void crash(SimulatedOperator operator) {
    if (operator.process.isAlive()) {
      log(operator.name + " crashes");
      operator.process.crash(random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
      if (operator.equals(leader)) {
        lead(operator(), Duration.ofSeconds(5 + random.nextInt(12)));
      }
    }
  }

  void crash() {
    crash(leader);
  }

  /** The leader loses the lease; what it has sent may still arrive. */
  void loseLease() {
    SimulatedOperator former = leader;
    log(former.name + " loses the lease");
    former.leads = false;
    time.after(Duration.ofSeconds(random.nextInt(20)), former.controller::stop);
    lead(operator(), Duration.ofSeconds(5));
  }

  /** The leader ends in order, and another begins. */
  void restart() {
    SimulatedOperator former = leader;
    log(former.name + " is stopped");
    former
        .stop()
        .thenAccept(
            report -> {
              if (leader.equals(former)) {
                log("stopped: " + report);
                writeLease(former);
                judge.unseen(former);
                unwatched = true;
                former.leads = false;
                lead(operator(), Duration.ofSeconds(1));
              }
            });
  }

  /** Everything works again; after hours, what is not done will not be. */
  void rest() {
    faults = 0;
    delayMax = 0;
    outageUntil = 0;
    if (!leader.process.isAlive()) {
      throw new IllegalStateException("nobody leads");
    }
    pass(Duration.ofHours(3));
    for (int i = 0; i < 100 && !leader.controller.isSettled(); i++) {
      pass(Duration.ofMillis(20));
    }
    ClusterJudge.check("K7", leader.controller.isSettled(), leader.name + " is not at rest");
    judge.atRest(leader);
    judge.promisesAtRest(leader);
    server.atRest(leader);
    type.ifPresent(
        mode -> new CloudJudge(mode, server, cloud, settings.cidrs()).atRest(leader.controller));
  }

  int assigned() {
    return (int) server.all().stream().filter(node -> !node.podCidrs().isEmpty()).count();
  }
}
