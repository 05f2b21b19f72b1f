package io.tidemark.nodeid.plan;

import io.tidemark.cluster.Messages;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrOverlaps;
import io.tidemark.ip.CidrOverlaps.Held;
import io.tidemark.ip.CidrOverlaps.Overlap;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.claim.NodeIdMirror;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether nodes that exist fit the settings.
 *
 * @param nodes how many there are
 * @param plans what follows from the ids of nodes that the ranges serve, in the order of the nodes
 * @param without how many nodes have no id
 * @param lacking how many of these get none, since too few ids are left
 * @param findings what does not fit, by name of the node
 */
public record NodeIdCheck(
    int nodes, List<Planned> plans, long without, long lacking, List<NodeProblem.At> findings) {
  public record Planned(String node, SubnetPlan plan) {}

  /** Checks these nodes, which have unique names. */
  public static NodeIdCheck of(NodeIdSubnets subnets, List<ExistingNode> nodes) {
    return new NodeIdReview(subnets).check(nodes);
  }

  public boolean needsAttention() {
    return lacking > 0 || !findings.isEmpty();
  }

  /** One check of nodes that exist. Mutable and not thread-safe; used once. */
  private static final class NodeIdReview {
    private final NodeIdSubnets subnets;
    private final List<NodeProblem.At> findings = new ArrayList<>();
    private final List<Planned> plans = new ArrayList<>();

    /** The nodes of each id that can be read, also of one beyond the ranges. */
    private final Map<NodeId, List<String>> nodesOfId = new LinkedHashMap<>();

    /**
     * Pod subnets by plan and pod CIDRs as they are; nodes of one id count as the first of them.
     */
    private final Set<Held<String>> held = new LinkedHashSet<>();

    private long without;

    NodeIdReview(NodeIdSubnets subnets) {
      this.subnets = subnets;
    }

    NodeIdCheck check(List<ExistingNode> nodes) {
      nodes.forEach(this::check);
      nodesOfId.forEach(this::duplicates);
      CidrOverlaps.of(held).forEach(this::overlap);
      findings.sort(Comparator.comparing(NodeProblem.At::node));
      long served =
          nodesOfId.keySet().stream().filter(id -> id.number() <= subnets.capacity().ids()).count();
      long left = subnets.capacity().ids() - served;
      return new NodeIdCheck(nodes.size(), plans, without, Math.max(0, without - left), findings);
    }

    private void check(ExistingNode node) {
      Optional<String> text = node.annotation(NodeIdMirror.ID);
      Optional<NodeId> id = text.flatMap(it -> id(node, it));
      if (text.isEmpty()) {
        without++;
        if (node.annotation(NodeIdMirror.PLAN).isPresent()) {
          mismatch(node, "", "it has " + NodeIdMirror.PLAN + ", but no " + NodeIdMirror.ID);
        }
      }
      Optional<List<String>> ofId =
          id.map(it -> nodesOfId.computeIfAbsent(it, key -> new ArrayList<>()));
      ofId.ifPresent(nodes -> nodes.add(node.name()));
      String holder = ofId.map(nodes -> nodes.get(0)).orElse(node.name());
      Optional<SubnetPlan> plan = id.flatMap(it -> plan(node, it));
      plan.ifPresent(
          it -> {
            plans.add(new Planned(node.name(), it));
            held.add(new Held<>(it.podSubnet(), holder));
            mirror(node, it);
          });
      podCidrs(node, plan, holder);
      addresses(node, plan);
    }

    private Optional<NodeId> id(ExistingNode node, String text) {
      try {
        return Optional.of(NodeId.parse(text));
      } catch (IllegalArgumentException e) {
        mismatch(node, text, NodeIdMirror.ID + ": " + e.getMessage());
        return Optional.empty();
      }
    }

    private Optional<SubnetPlan> plan(ExistingNode node, NodeId id) {
      try {
        return Optional.of(subnets.plan(id));
      } catch (IpamException e) {
        findings.add(
            new NodeProblem.At(
                node.name(),
                new NodeProblem(NodeIdError.NODE_ID_OUT_OF_RANGE, id.toString(), e.detail())));
        return Optional.empty();
      }
    }

    private void mirror(ExistingNode node, SubnetPlan plan) {
      Optional<String> json = node.annotation(NodeIdMirror.PLAN);
      String id = plan.id().toString();
      if (json.isEmpty()) {
        return;
      }
      try {
        List<String> differences = NodeIdMirror.differences(json.get(), plan);
        if (!differences.isEmpty()) {
          mismatch(node, id, NodeIdMirror.PLAN + ": " + String.join("; ", differences));
        }
      } catch (IllegalArgumentException e) {
        mismatch(node, id, NodeIdMirror.PLAN + " cannot be read: " + e.getMessage());
      }
    }

    /** Pod CIDRs of the family of the pod subnets. */
    private void podCidrs(ExistingNode node, Optional<SubnetPlan> plan, String holder) {
      Set<String> texts = new LinkedHashSet<>(node.node().podCidrs().all());
      if (!node.node().podCidrs().first().isEmpty()) {
        texts.add(node.node().podCidrs().first());
      }
      for (String text : texts) {
        Cidr cidr;
        try {
          cidr = Cidr.parseLenient(text);
        } catch (IpFormatException e) {
          mismatch(node, text, "its pod CIDR cannot be read: " + e.getMessage());
          continue;
        }
        if (cidr.family() == subnets.ranges().pods().family()) {
          held.add(new Held<>(cidr, holder));
          if (plan.isPresent() && !plan.get().podSubnet().equals(cidr)) {
            mismatch(
                node,
                cidr.toString(),
                Messages.of(
                    "its pod CIDR is %s, but the pod subnet of id %s is %s",
                    cidr, plan.get().id(), plan.get().podSubnet()));
          }
        }
      }
    }

    /** Addresses in the interconnect; a node may have others besides. */
    private void addresses(ExistingNode node, Optional<SubnetPlan> plan) {
      Optional<Cidr> interconnect = subnets.ranges().interconnect();
      Optional<IpAddress> expected =
          plan.flatMap(SubnetPlan::nodeAddress).map(InterfaceAddress::address);
      for (String text : node.internalIps()) {
        Optional<IpAddress> address = IpAddress.tryParse(text);
        if (address.isEmpty()) {
          mismatch(node, text, "its InternalIP " + text + " is not an address");
        } else if (interconnect.filter(it -> it.contains(address.get())).isPresent()
            && expected.filter(it -> !it.equals(address.get())).isPresent()) {
          mismatch(
              node,
              address.get().toString(),
              Messages.of(
                  "its InternalIP is %s, but the address of id %s is %s",
                  address.get(), plan.orElseThrow().id(), expected.get()));
        }
      }
    }

    private void duplicates(NodeId id, List<String> nodes) {
      for (String node : nodes.size() < 2 ? List.<String>of() : nodes) {
        String other = nodes.get(0).equals(node) ? nodes.get(1) : nodes.get(0);
        int more = nodes.size() - 2;
        String others = more == 0 ? "" : " and of " + more + (more == 1 ? " other" : " others");
        conflict(node, id.toString(), "node id " + id + " is also that of node " + other + others);
      }
    }

    private void overlap(Overlap<String> overlap) {
      Cidr cidr = overlap.held().cidr();
      Cidr other = overlap.other().cidr();
      String how = cidr.equals(other) ? "is a subnet" : "overlaps " + other;
      conflict(
          overlap.held().holder(),
          cidr.toString(),
          "its subnet " + cidr + " " + how + " of node " + overlap.other().holder());
    }

    private void conflict(String node, String value, String detail) {
      findings.add(
          new NodeProblem.At(node, new NodeProblem(NodeIdError.NODE_ID_CONFLICT, value, detail)));
    }

    private void mismatch(ExistingNode node, String value, String detail) {
      findings.add(
          new NodeProblem.At(
              node.name(), new NodeProblem(NodeIdError.NODE_ID_MISMATCH, value, detail)));
    }
  }
}
