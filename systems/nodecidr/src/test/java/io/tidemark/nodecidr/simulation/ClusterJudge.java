package io.tidemark.nodecidr.simulation;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.controller.CidrNodeReport;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.controller.NodeCidrController;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The invariants of a cluster (node-cidr 17.7 AM34): at each write, and at rest. */
final class ClusterJudge {
  /** Until then, what changed was shown to everybody. */
  static final Duration DELIVERED = Duration.ofSeconds(45);

  private final VirtualTime time;
  private final SimulatedServer server;
  private final ClusterCidrs cidrs;
  private final long cooldownNanos;

  /** Who had a CIDR last that has gone since, and when. */
  private final Map<Cidr, Gone> gone = new HashMap<>();

  private final Map<String, Long> foreign = new HashMap<>();

  /** When a list that lagged did not have a live node, by its uid. */
  private final Map<String, Long> lacked = new HashMap<>();

  /** CIDRs that a new incarnation of a name gets back, by its uid. */
  private final Map<String, Promise> promises = new HashMap<>();

  /** A node that is gone, and the operator that led and had reported its CIDRs; empty for none. */
  private record Gone(String name, String uid, String providerId, String knownTo, long nanos) {}

  /** The CIDRs of a node at rest, if this operator leads until then and nobody interferes. */
  private record Promise(String rule, SimulatedOperator leader, List<String> cidrs) {}

  /** Whether blocks may be an instance's, who has them until the cloud gives them to another. */
  private final boolean hasCloud;

  /** Whether the cloud decides who gets blocks of a family. */
  private final Predicate<IpFamily> cloudGives;

  ClusterJudge(
      VirtualTime time,
      SimulatedServer server,
      ClusterCidrs cidrs,
      Duration cooldown,
      boolean hasCloud,
      Predicate<IpFamily> cloudGives) {
    this.hasCloud = hasCloud;
    this.cloudGives = cloudGives;
    this.time = time;
    this.server = server;
    this.cidrs = cidrs;
    this.cooldownNanos = cooldown.toNanos();
  }

  /**
   * A node is removed from the server, which this operator leads and had reported; empty for none.
   * A cooldown that began with a list that did not have it goes on.
   */
  void removed(ClusterNode node, String knownTo) {
    promises.remove(node.uid());
    long since = lacked.getOrDefault(node.uid(), time.nanos());
    for (String text : node.podCidrs().texts()) {
      if (server.all().stream()
          .filter(other -> !other.name().equals(node.name()))
          .noneMatch(other -> other.podCidrs().texts().contains(text))) {
        gone.put(
            Cidr.parse(text), new Gone(node.name(), node.uid(), node.providerId(), knownTo, since));
      }
    }
  }

  /** A leader has ended in order and did not learn that these of its nodes are gone. */
  void unseen(SimulatedOperator former) {
    gone.values().removeIf(each -> former.shows(each.name(), each.uid()));
  }

  /** A list that lags does not have a live node. */
  void shownAbsent(ClusterNode node) {
    lacked.putIfAbsent(node.uid(), time.nanos());
  }

  /** Another allocator wrote while this operator led, which knows that. */
  void foreignWrite(String operator, long nanos) {
    foreign.put(operator, nanos);
  }

  /**
   * A write of an operator arrives that was sent at a time, when it had listed all nodes or not; it
   * knew the result of an earlier write to this node at another time, or not.
   */
  void sent(
      String operator, String name, long sentNanos, boolean listed, Optional<Long> settledNanos) {
    check("K4", listed, operator + " writes to " + name + " and has not listed all nodes");
    check(
        "K8",
        settledNanos.isEmpty() || settledNanos.get() >= sentNanos,
        operator + " writes to " + name + " again, whose write had a result");
    Long wrote = foreign.get(operator);
    boolean paused =
        wrote != null
            && sentNanos - wrote > DELIVERED.toNanos()
            && sentNanos - wrote < Duration.ofMinutes(5).toNanos();
    check("AM23", !paused, operator + " writes to " + name + " while another allocator does");
  }

  /** The lease said, when these blocks were written, that they may be given out. */
  void told(String operator, List<Cidr> blocks, String note) {
    if (hasCloud) {
      return; // an instance's block is where it is, and the cloud gives none twice
    }
    for (String word : note.split(" ", -1)) {
      String[] parts = word.split(",", -1);
      if (parts[0].equals("range")) {
        Cidr range = Cidr.parse(parts[1]);
        int length = Integer.parseInt(parts[2]);
        for (Cidr block : blocks) {
          check(
              "AM18",
              !range.contains(block)
                  || range.subnetIndex(block, length) < Long.parseLong(parts[3])
                  || note.contains(" ended "),
              operator + " writes " + block + ", but the lease says " + note);
        }
      }
    }
  }

  /** A write of an operator for an incarnation changed a node, which was so before. */
  void added(String operator, ClusterNode before, String uid, List<Cidr> added) {
    check("K5", before.uid().equals(uid), before.name() + " is another incarnation");
    for (Cidr block : added) {
      for (ClusterNode other : server.all()) {
        boolean overlaps =
            other.podCidrs().texts().stream().map(Cidr::parse).anyMatch(block::overlaps);
        check(
            "K1",
            other.name().equals(before.name()) || !overlaps,
            block + " of " + before.name() + " is a CIDR of " + other.name() + " too");
      }
      check(
          "K2",
          cidrs.exclusions().stream().noneMatch(each -> each.cidr().overlaps(block)),
          block + " of " + before.name() + " is excluded");
      gone.forEach(
          (cidr, former) ->
              check(
                  "K3",
                  !cidr.overlaps(block)
                      || former.uid().equals(uid)
                      || (cidrs.target() == Target.CILIUM_NODE
                          && former.name().equals(before.name()))
                      || (hasCloud && isOfInstance(operator, block, former, before))
                      || time.nanos() - former.nanos() >= cooldownNanos,
                  "%s of %s was another node's %s ago"
                      .formatted(
                          block, before.name(), Duration.ofNanos(time.nanos() - former.nanos()))));
    }
  }

  /**
   * A range of the cloud is the cloud's matter, unless the operator has seen that another node had
   * it; what an instance has, its next node may have.
   */
  private boolean isOfInstance(String operator, Cidr block, Gone former, ClusterNode node) {
    return former.providerId().equals(node.providerId())
        || former.name().equals(node.name())
        || (cloudGives.test(block.family()) && !former.knownTo().equals(operator));
  }

  /**
   * A node is there that must have these CIDRs at rest, if this operator, who knows, leads until
   * then.
   */
  void promise(String rule, ClusterNode node, List<String> wanted, SimulatedOperator leader) {
    promises.put(node.uid(), new Promise(rule, leader, wanted));
  }

  /** Something happens to a node, or to all, after which nothing is promised. */
  void promiseNothing(Predicate<String> uid) {
    promises.keySet().removeIf(uid);
  }

  /** Nothing is queued or in flight, and no pause is left. */
  void atRest(SimulatedOperator leader) {
    NodeCidrController controller = leader.controller;
    Map<String, Set<String>> open = leader.open;
    Map<String, CidrNodeReport> reports = new HashMap<>();
    controller.nodes().forEach(each -> reports.put(each.node().name(), each));
    List<ClusterNode> nodes = server.all();
    check("K7", reports.size() == nodes.size(), "reports of " + reports.keySet());
    boolean free = controller.ranges().stream().allMatch(range -> range.free() > 0);
    for (ClusterNode node : nodes) {
      check("K7", reports.containsKey(node.name()), "no report of " + node.name());
      CidrNodeReport report = Objects.requireNonNull(reports.get(node.name()));
      int has = node.podCidrs().texts().size();
      boolean whole = has == 0 || has >= cidrs.families().size() || report.state() == State.FOREIGN;
      boolean gets = !node.beingDeleted() && !node.exempt();
      boolean grows = cidrs.target() == Target.CILIUM_NODE && (!gets || report.lacksCidrs());
      check("K6", whole || grows, node.name() + " has " + node.podCidrs().texts());
      if ((node.podCidrs().isEmpty() || (grows && !whole)) && gets) {
        check(
            "K7", hasCloud || !free, node.name() + " has no CIDRs, and blocks are free: " + report);
        check("K7", report.state() == State.PARKED, node.name() + " waits: " + report);
        check("K7", !report.matters().isEmpty(), "nothing says why " + node.name() + " waits");
      } else if (whole && has > 0) {
        check("K7", !report.lacksCidrs(), node.name() + " has CIDRs, but " + report);
      }
      Set<String> codes = new HashSet<>();
      report.matters().forEach(each -> codes.add(each.code().name()));
      check(
          "K7",
          codes.equals(open.getOrDefault(node.name(), Set.of())),
          "open Events of " + node.name() + ": " + open.get(node.name()) + ", but " + codes);
    }
    for (RangeUsage range : controller.ranges()) {
      Set<Cidr> blocks =
          nodes.stream()
              .flatMap(node -> node.podCidrs().texts().stream())
              .map(Cidr::parse)
              .filter(range.range()::overlaps)
              .collect(Collectors.toSet());
      check(
          "K6",
          range.claimed() == blocks.size() && range.reserved() == 0 && range.cooling() == 0,
          range + ", " + range.reserved() + " reserved; nodes have " + blocks);
    }
  }

  /** Promises are kept. */
  void promisesAtRest(SimulatedOperator leader) {
    for (ClusterNode node : server.all()) {
      Promise promise = promises.get(node.uid());
      check(
          promise == null ? "" : promise.rule(),
          promise == null
              || !promise.leader().equals(leader)
              || node.podCidrs().texts().containsAll(promise.cidrs()),
          node + " does not have " + promise);
    }
  }

  static void check(String rule, boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError("[" + rule + " " + otherwise + "]");
    }
  }
}
