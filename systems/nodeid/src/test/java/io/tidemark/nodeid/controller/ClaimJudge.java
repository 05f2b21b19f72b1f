package io.tidemark.nodeid.controller;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.InMemoryClaims;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.ip.Cidr;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The invariants of the objects on the server, whatever operators do. An agent runs on each node:
 * it uses the id that its node shows once the claim of the id is its own, and keeps it.
 */
final class ClaimJudge {
  private final VirtualTime time;
  private final InMemoryClusterNodes nodes;
  private final InMemoryClaims claims;
  private final NodeIdSubnets subnets;
  private final long cooldownNanos;
  private final boolean changesOperator;
  private final boolean agentsClaim;

  private Map<String, Claim> before = new TreeMap<>();
  private final Map<String, Long> madeNanos = new HashMap<>();

  /** When a node went, by its name and by its uid. */
  private final Map<String, Long> goneNanos = new HashMap<>();

  /** The id that the agent of a node uses, by the uid of the node. */
  private final Map<String, NodeId> used = new HashMap<>();

  /** The node that used an id last. */
  private final Map<NodeId, ClusterNode> users = new HashMap<>();

  private final Set<NodeId> history = new HashSet<>();
  private boolean losing;
  private boolean lost;
  private boolean notesLost;

  /** Something that must hold does not. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String rule, String what) {
      super("[" + rule + "] " + what);
    }
  }

  ClaimJudge(
      VirtualTime time,
      InMemoryClusterNodes nodes,
      InMemoryClaims claims,
      NodeIdSubnets subnets,
      Duration cooldown,
      boolean changesOperator,
      boolean agentsClaim) {
    this.time = time;
    this.nodes = nodes;
    this.claims = claims;
    this.subnets = subnets;
    this.cooldownNanos = cooldown.toNanos();
    this.changesOperator = changesOperator;
    this.agentsClaim = agentsClaim;
  }

  /** All claims are about to be lost. */
  void claimsLost() {
    losing = true;
    lost = true;
  }

  /** The leaders' knowledge of earlier ids is lost as well. */
  void notesLost() {
    notesLost = true;
  }

  /** A node is about to go. */
  void deleted(String name) {
    goneNanos.put(name, time.nanos());
    nodes.find(name).ifPresent(node -> goneNanos.put(node.uid(), time.nanos()));
  }

  /** Judges what changed in one step. */
  void step() {
    Map<String, Claim> now = new TreeMap<>();
    claims.all().forEach(claim -> now.put(claim.name(), claim));
    List<ClusterNode> live = nodes.all();
    if (!now.equals(before)) {
      for (Claim each : before.values()) {
        Claim after = now.get(each.name());
        if (after == null || !after.uid().equals(each.uid())) {
          ended(each);
        }
      }
      for (Claim each : now.values()) {
        Claim earlier = before.get(each.name());
        if (earlier == null || !earlier.uid().equals(each.uid())) {
          made(each);
        } else {
          check(
              "Q3",
              earlier.holder().equals(each.holder()),
              each.name() + " passes from " + earlier.holder() + " to " + each.holder());
        }
      }
      several(now);
    }
    losing = false;
    before = now;
    live.forEach(node -> agent(node, now));
  }

  private void made(Claim claim) {
    madeNanos.put(claim.uid(), time.nanos());
    NodeId id = ClaimName.id(claim.name()).orElseThrow();
    boolean again =
        nodes.find(claim.holder()).flatMap(NodeIdMirror::id).filter(id::equals).isPresent();
    for (ClusterNode other : nodes.all()) {
      boolean uses = !other.name().equals(claim.holder()) && id.equals(used.get(other.uid()));
      check(
          "NI-29",
          agentsClaim || !uses,
          claim.holder() + " gets " + id + ", which " + other.name() + " uses");
    }
    if (!lost && !agentsClaim && !again && history.contains(id)) {
      long never = subnets.capacity().ids() - highest();
      check(
          "NI-30",
          never <= withoutClaim(claim.holder()),
          id + " is claimed again before " + (highest() + 1));
    }
    history.add(id);
  }

  /** Other nodes that may be getting an id. */
  private long withoutClaim(String name) {
    return nodes.all().stream()
        .filter(node -> !node.name().equals(name))
        .filter(node -> claims.all().stream().noneMatch(it -> it.holder().equals(node.name())))
        .count();
  }

  private long highest() {
    return history.stream().mapToLong(NodeId::number).max().orElse(0);
  }

  private void ended(Claim claim) {
    if (losing) {
      return;
    }
    NodeId id = ClaimName.id(claim.name()).orElseThrow();
    Optional<ClusterNode> holder = nodes.find(claim.holder());
    long age = time.nanos() - madeNanos.getOrDefault(claim.uid(), 0L);
    if (age >= cooldownNanos && !id.equals(used.get(claim.holderUid()))) {
      return; // one of several that a node holds and does not use
    }
    if (holder.isPresent()) {
      boolean held = holder.get().uid().equals(claim.holderUid());
      boolean shown = NodeIdMirror.id(holder.get()).equals(Optional.of(id));
      boolean uses = id.equals(used.get(holder.get().uid()));
      check(
          "Q3",
          !held || !(shown || uses || age < cooldownNanos),
          "the claim of " + id + " ends, which " + claim.holder() + " holds");
      return;
    }
    long since = goneNanos.getOrDefault(claim.holder(), time.nanos() - cooldownNanos);
    check(
        "Q3",
        time.nanos() - since >= cooldownNanos,
        "the claim of " + id + " ends within the cooldown");
  }

  private void several(Map<String, Claim> now) {
    if (changesOperator || agentsClaim || lost) {
      return;
    }
    Map<String, String> byHolder = new HashMap<>();
    for (Claim claim : now.values()) {
      String other = byHolder.put(claim.holder(), claim.name());
      check(
          "NI-30",
          other == null,
          claim.holder() + " has the claims " + other + ", " + claim.name());
    }
  }

  private void agent(ClusterNode node, Map<String, Claim> now) {
    Optional<NodeId> shown = NodeIdMirror.id(node);
    NodeId uses = used.get(node.uid());
    if (shown.isEmpty()) {
      return;
    }
    NodeId id = shown.get();
    if (uses != null) {
      check("Q4", uses.equals(id), node.name() + " uses " + uses + " and shows " + id);
      return;
    }
    Claim claim = now.get(ClaimName.of(id));
    check("Q1", lost || claim != null, node.name() + " shows " + id + " without a claim");
    if (claim != null && claim.isHeldBy(node.name(), node.uid())) {
      used.put(node.uid(), id);
      uses(node, id);
    }
  }

  private void uses(ClusterNode node, NodeId id) {
    SubnetPlan plan = subnets.plan(id);
    for (ClusterNode other : nodes.all()) {
      NodeId theirs = used.get(other.uid());
      if (theirs != null && !other.name().equals(node.name())) {
        String both = node.name() + " and " + other.name();
        check("Q1", !theirs.equals(id), both + " use " + id);
        Cidr subnet = subnets.plan(theirs).podSubnet();
        check("Q2", !subnet.overlaps(plan.podSubnet()), both + " overlap");
      }
    }
    ClusterNode former = users.put(id, node);
    boolean stolen = notesLost || (lost && agentsClaim);
    if (former != null && !stolen && !former.name().equals(node.name())) {
      Long since = goneNanos.get(former.uid());
      check(
          "Q3",
          since != null && time.nanos() - since >= cooldownNanos,
          id + " goes from " + former.name() + " to " + node.name() + " too early");
    }
  }

  /** Judges what must hold once nothing happened for long. */
  void atRest() {
    Map<String, Claim> left = new TreeMap<>(before);
    Set<NodeId> shownByAll = new HashSet<>();
    int without = 0;
    for (ClusterNode node : nodes.all()) {
      Optional<NodeId> shown = NodeIdMirror.id(node);
      if (shown.isEmpty()) {
        without += node.beingDeleted() ? 0 : 1;
        continue;
      }
      boolean twice = !shownByAll.add(shown.get());
      Claim claim = left.remove(ClaimName.of(shown.get()));
      boolean own = claim != null && claim.isHeldBy(node.name(), node.uid());
      String shows = node.name() + " shows " + shown.get();
      check("Q5", lost || (own && !twice), shows + ", claimed by " + claim);
      check("Q5", twice || claim != null, shows + " without a claim");
    }
    check("Q5", lost || left.isEmpty(), "claims without a node that shows them: " + left.values());
    boolean allClaimed = before.size() >= subnets.capacity().ids();
    check(
        "Q5",
        lost || without == 0 || allClaimed,
        without + " nodes have no id, and not all ids are claimed");
  }

  private static void check(String rule, boolean holds, String otherwise) {
    if (!holds) {
      throw new Violation(rule, otherwise);
    }
  }
}
