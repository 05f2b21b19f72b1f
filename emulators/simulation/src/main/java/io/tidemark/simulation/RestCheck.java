package io.tidemark.simulation;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud.CloudSubnet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The invariants when the faults are over: I6, I7, I8 after settling, I9, no handshake under way,
 * and objects that show the truth.
 */
final class RestCheck {
  private static final int BLOCK = 16;

  private final Cluster cluster;

  /** Of a large cluster most nodes are at rest long before the last one. */
  private Optional<SimulatedNode> lastUnrest = Optional.empty();

  RestCheck(Cluster cluster) {
    this.cluster = cluster;
  }

  /** A part that is not at rest; {@code node} is empty for the account as a whole. */
  record Unrest(String invariant, String node, String detail) {}

  /** Something that is not at rest. */
  Optional<Unrest> any() {
    Optional<Unrest> unrest =
        lastUnrest.filter(cluster.fleet().nodes()::contains).flatMap(this::of);
    if (unrest.isPresent()) {
      return unrest;
    }
    for (SimulatedNode node : cluster.fleet().nodes()) {
      unrest = of(node);
      if (unrest.isPresent()) {
        lastUnrest = Optional.of(node);
        return unrest;
      }
    }
    return account();
  }

  /** Everything that is not at rest. */
  List<Unrest> all() {
    List<Unrest> all = new ArrayList<>();
    cluster.fleet().nodes().forEach(node -> of(node).ifPresent(all::add));
    account().ifPresent(all::add);
    return all;
  }

  private Optional<Unrest> account() {
    if (cluster.cloud().isChanging()) {
      return Optional.of(new Unrest("Q1", "", "a change that was accepted goes on"));
    }
    for (String id : cluster.invariants().unattached()) {
      Optional<CloudInterface> one = cluster.cloud().networkInterface(id);
      if (one.isPresent() && cluster.cloud().isOurs(one.get())) {
        return Optional.of(new Unrest("I7", "", id + " of ours is attached nowhere"));
      }
    }
    return Optional.empty();
  }

  private Optional<Unrest> of(SimulatedNode node) {
    Optional<NodeResource> object = node.object();
    if (object.isEmpty() || !node.isRunning()) {
      return Optional.empty();
    }
    if (node.agent().hasUnwritten()) {
      return unrest("A1", node, "the agent has not yet written what it knows");
    }
    if (!object.get().ipam().staticIpTags().isEmpty()
        && object.get().assignedStaticIp().isEmpty()) {
      return unrest("I9", node, "the public address is missing");
    }
    return object(node, object.get())
        .or(() -> interfaces(node))
        .or(() -> marks(node, object.get()));
  }

  private Optional<Unrest> object(SimulatedNode node, NodeResource object) {
    boolean agentIsDeaf = object.pool().isEmpty(); // NM-J5
    if (!object.releaseIps().isEmpty() && !agentIsDeaf) {
      return unrest("H1", node, "handshake under way: " + object.releaseIps());
    }
    if (object.used().isEmpty() && object.ipam().requested().isPresent()) {
      return cluster.scenario().operator().releaseExcess() ? cidrs(node, object) : Optional.empty();
    }
    AddressSet.Builder attached = AddressSet.builder();
    for (CloudInterface each : cluster.cloud().attachedTo(node.instanceId())) {
      attached.addAll(each.singles());
      for (Cidr block : each.blocks()) {
        attached.addAll(AddressSet.ofRange(block));
      }
    }
    AddressSet truth = attached.build();
    AddressSet pool = object.pool().addresses();
    return pool.equals(truth)
        ? Optional.empty()
        : unrest(
            "S1",
            node,
            "pool lacks " + truth.minus(pool) + " and has " + pool.minus(truth) + " too many");
  }

  /** A CIDR that a multi-pool agent dropped has been released, as far as min-allocate allows. */
  private Optional<Unrest> cidrs(SimulatedNode node, NodeResource object) {
    Set<Cidr> held = object.ipam().allocatedCidrs();
    int spare = Invariants.available(cluster.cloud(), node) - object.ipam().minAllocate();
    for (CloudInterface each : cluster.cloud().attachedTo(node.instanceId())) {
      List<Cidr> attached = new ArrayList<>(each.blocks());
      each.singles()
          .minus(cluster.cloud().pinned(each.id()))
          .forEach(address -> attached.add(Cidr.single(address)));
      for (Cidr cidr : attached) {
        boolean left = held.stream().noneMatch(part -> cidr.contains(part.first()));
        if (left && cidr.sizeSaturated() <= spare) {
          return unrest("C1", node, cidr + " is attached, and its agent does not hold it");
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Unrest> interfaces(SimulatedNode node) {
    for (CloudInterface each : cluster.cloud().attachedTo(node.instanceId())) {
      if (cluster.cloud().isOurs(each) && !each.deleteOnTermination()) {
        return unrest("I6", node, each.id() + " outlives its instance");
      }
    }
    return Optional.empty();
  }

  private Optional<Unrest> marks(SimulatedNode node, NodeResource object) {
    int available = Invariants.available(cluster.cloud(), node);
    Marks marks = node.marks(object);
    Optional<Unrest> lack = lack(node, marks, available);
    if (lack.isPresent()) {
      return lack;
    }
    if (!cluster.scenario().operator().releaseExcess() || object.ipam().requested().isPresent()) {
      return Optional.empty();
    }
    int excess = marks.excess(available);
    return excess > 0 && releasable(node, object, excess)
        ? unrest("I8", node, excess + " addresses too many at " + available + ", " + marks)
        : Optional.empty();
  }

  /** Addresses that the node lacks although the cloud has them. */
  Optional<Unrest> lack(SimulatedNode node) {
    return node.object().isPresent() && node.isRunning()
        ? lack(node, node.marks(node.object().get()), Invariants.available(cluster.cloud(), node))
        : Optional.empty();
  }

  private Optional<Unrest> lack(SimulatedNode node, Marks marks, int available) {
    int needed = marks.needed(available);
    if (needed > 0 && canGrow(node)) {
      return unrest("I9", node, needed + " addresses missing at " + available + ", " + marks);
    }
    boolean stuckPods = node.waiting() > 0 && needed == 0 && available > marks.used();
    return stuckPods && !atCeiling(marks, available)
        ? unrest("I9", node, node.waiting() + " pods wait, " + available + ", " + marks)
        : Optional.empty();
  }

  private static boolean atCeiling(Marks marks, int available) {
    return marks.max() > 0 && available >= marks.max();
  }

  /** Whether the cloud could give this node at least one more address. */
  private boolean canGrow(SimulatedNode node) {
    SimulatedCloud cloud = cluster.cloud();
    List<CloudInterface> attached = cloud.attachedTo(node.instanceId());
    for (CloudInterface each : attached) {
      boolean forPods =
          each.deviceIndex() >= node.launch().firstInterfaceIndex() && !cloud.isForeign(each.id());
      if (forPods
          && each.places() < node.type().addressesPerInterface()
          && cloud.subnet(each.subnetId()).free() > 0) {
        return true;
      }
    }
    if (attached.size() >= node.type().interfaces()) {
      return false;
    }
    CloudSubnet home = cloud.subnet(node.launch().subnetId());
    return cloud.subnets().stream()
        .anyMatch(
            each ->
                each.vpcId().equals(home.vpcId())
                    && each.zone().equals(home.zone())
                    && each.free() > 1);
  }

  private boolean releasable(SimulatedNode node, NodeResource object, int excess) {
    for (CloudInterface each : cluster.cloud().attachedTo(node.instanceId())) {
      AddressSet free = each.singles().minus(cluster.cloud().pinned(each.id()));
      if (!object.used().containsAll(free)) {
        return true;
      }
      for (Cidr block : each.blocks()) {
        if (excess >= BLOCK && !object.used().containsAny(block)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Optional<Unrest> unrest(String invariant, SimulatedNode node, String detail) {
    return Optional.of(new Unrest(invariant, node.name(), detail));
  }
}
