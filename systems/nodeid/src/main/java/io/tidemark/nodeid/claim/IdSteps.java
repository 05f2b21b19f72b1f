package io.tidemark.nodeid.claim;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.Messages;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdCapacity;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.claim.LedgerNode.Absence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** The next step for one name, by the ledger; called under its lock. */
final class IdSteps {
  private final IdLedger facts;
  private final NodeIdSubnets subnets;
  private final long cooldownNanos;
  private final boolean writesPodCidr;

  IdSteps(IdLedger facts, NodeIdSubnets subnets, long cooldownNanos, boolean writesPodCidr) {
    this.facts = facts;
    this.subnets = subnets;
    this.cooldownNanos = cooldownNanos;
    this.writesPodCidr = writesPodCidr;
  }

  IdStep next(LedgerNode it, long now) {
    ClusterNode node = it.node;
    if (node == null) {
      return release(it, now);
    }
    Optional<NodeId> kept = it.kept();
    if ((kept.isPresent() || it.mirror().isPresent()) && facts.waiting.remove(it.name)) {
      facts.wakeOne();
    }
    if (kept.isPresent()) {
      return hold(it, node, kept.get(), now);
    }
    return it.mirror().map(id -> reassert(it, node, id)).orElseGet(() -> choose(it, node, now));
  }

  private IdStep release(LedgerNode it, long now) {
    if (it.claims.isEmpty()) {
      return IdStep.Rest.QUIET;
    }
    if (it.absence == Absence.OVER) {
      return IdStep.delete(it.claims.firstEntry().getValue());
    }
    long until = it.absentSinceNanos + cooldownNanos;
    return it.absence == Absence.UNCONFIRMED || now - until >= 0
        ? new IdStep.ReadNode()
        : new IdStep.Rest(OptionalLong.of(until), List.of());
  }

  private IdStep choose(LedgerNode it, ClusterNode node, long now) {
    if (node.beingDeleted()) {
      facts.giveBack(it);
      if (facts.waiting.remove(it.name)) {
        facts.wakeOne();
      }
      return IdStep.Rest.QUIET;
    }
    NodeId before = it.reserved;
    if (before != null && facts.mirrors.containsKey(before)) {
      facts.giveBack(it);
    }
    if (it.reserved == null) {
      facts.waiting.add(it.name);
      if (!facts.lost.isEmpty()) {
        return IdStep.Rest.QUIET;
      }
      Optional<NodeId> id = facts.pool.reserve(now);
      if (id.isEmpty()) {
        return new IdStep.Rest(facts.pool.nextReadyNanos(now), List.of(exhausted()));
      }
      it.reserved = id.get();
      facts.reservations.put(it.reserved, it);
    }
    facts.waiting.remove(it.name);
    facts.wakeOne();
    return IdStep.create(it.reserved, node, false);
  }

  private NodeProblem exhausted() {
    NodeIdCapacity of = subnets.capacity();
    return new NodeProblem(
        NodeIdError.NODE_ID_EXHAUSTED,
        Messages.of(
            "all %s ids of %s are in use, %s of them cool",
            of.ids(), of.scarcestText(), facts.counts().cooling()));
  }

  private IdStep reassert(LedgerNode it, ClusterNode node, NodeId id) {
    if (id.number() > subnets.capacity().ids()) {
      return IdStep.Rest.with(beyond(it, id));
    }
    Claim other = facts.claims.get(id);
    if (other != null) {
      return IdStep.Rest.with(
          conflict("node " + it.name + " shows id " + id + ", which is claimed by " + who(other)));
    }
    return IdStep.create(id, node, true);
  }

  private String who(Claim claim) {
    String absent = facts.isPresent(claim.holder()) ? "" : ", which is not there";
    return claim.holder().isEmpty() ? "nobody named" : "node " + claim.holder() + absent;
  }

  private IdStep hold(LedgerNode it, ClusterNode node, NodeId id, long now) {
    List<NodeProblem> findings = new ArrayList<>();
    Set<String> others = new TreeSet<>(facts.mirrors.getOrDefault(id, new TreeSet<>()));
    others.remove(it.name);
    if (!others.isEmpty()) {
      String other = others.iterator().next();
      findings.add(
          conflict("node " + it.name + " holds id " + id + ", which node " + other + " shows"));
      if (!it.mirror().equals(Optional.of(id))) {
        return new IdStep.Rest(OptionalLong.empty(), findings);
      }
    }
    Claim claim = facts.claims.get(id);
    if (claim != null && !claim.holderUid().equals(node.uid())) {
      return IdStep.update(claim, node);
    }
    if (id.number() > subnets.capacity().ids()) {
      findings.add(beyond(it, id));
      return new IdStep.Rest(OptionalLong.empty(), findings);
    }
    SubnetPlan plan = subnets.plan(id);
    if (!NodeIdMirror.shows(node, plan)) {
      return IdStep.mirror(node, plan);
    }
    it.confirmed = id;
    if (writesPodCidr && node.podCidrs().isEmpty()) {
      return IdStep.assignPodCidr(node, plan);
    }
    List<String> texts = node.podCidrs().texts();
    if (writesPodCidr && !texts.equals(List.of(plan.podSubnet().toString()))) {
      findings.add(
          conflict(
              Messages.of(
                  "node %s has the pod CIDR %s, and its id %s the pod subnet %s",
                  it.name, String.join(", ", texts), id, plan.podSubnet())));
    }
    return surplus(it, id, now, findings);
  }

  private IdStep surplus(LedgerNode it, NodeId kept, long now, List<NodeProblem> findings) {
    OptionalLong until = OptionalLong.empty();
    it.surplus.keySet().retainAll(it.claims.keySet());
    it.surplus.remove(kept);
    for (Map.Entry<NodeId, Claim> each : it.claims.entrySet()) {
      if (!each.getKey().equals(kept)) {
        long ends = it.surplus.computeIfAbsent(each.getKey(), id -> now) + cooldownNanos;
        if (now - ends >= 0) {
          return IdStep.delete(each.getValue());
        }
        until = until.isEmpty() || ends - until.getAsLong() < 0 ? OptionalLong.of(ends) : until;
      }
    }
    return new IdStep.Rest(until, findings);
  }

  private static NodeProblem conflict(String detail) {
    return new NodeProblem(NodeIdError.NODE_ID_CONFLICT, detail);
  }

  private NodeProblem beyond(LedgerNode it, NodeId id) {
    return new NodeProblem(
        NodeIdError.NODE_ID_OUT_OF_RANGE,
        Messages.of(
            "node %s has id %s; the highest that %s serves is %s",
            it.name, id, subnets.capacity().scarcest().get(0), subnets.capacity().ids()));
  }
}
