package io.tidemark.nodeid;

import io.tidemark.cluster.Messages;
import io.tidemark.config.SharedKey.Profile;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.InterfaceAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The subnets that follow from the id of a node. Pure: the same ranges and id give the same answer
 * on every node. Immutable; usable from any thread.
 *
 * <p>Node {@code k} has the {@code k}-th subnet of the ranges of subnets, counted from 0, and the
 * {@code k}-th host of the ranges of addresses. In the reference profile the id that is one above
 * the last subnet has subnet 0.
 *
 * <p>A part is refused when its own range does not serve the id; {@link #plan} refuses an id that
 * any of the ranges does not serve.
 */
public final class NodeIdSubnets {
  private final NodeIdRanges ranges;
  private final boolean reference;
  private final long podIds;
  private final long linkIds;
  private final Optional<InterconnectAddresses> interconnect;
  private final InterconnectAddresses overlay;
  private final NodeIdCapacity capacity;
  private final long capacityIds;

  /** The subnets of these ranges; {@link IllegalArgumentException} when they have problems. */
  public NodeIdSubnets(NodeIdRanges ranges) {
    List<NodeIdRanges.Problem> problems = ranges.problems();
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          problems.get(0).range() + ": " + problems.get(0).problem());
    }
    this.ranges = ranges;
    this.reference = ranges.profile() == Profile.REFERENCE;
    this.podIds = ids(ranges.pods(), ranges.podPrefix());
    this.linkIds = ids(ranges.links(), ranges.linkPrefix());
    this.interconnect =
        ranges
            .interconnect()
            .map(range -> new InterconnectAddresses(range, ranges.excluded(), ranges.profile()));
    this.overlay = new InterconnectAddresses(ranges.overlay(), List.of(), ranges.profile());
    this.capacity = countCapacity();
    this.capacityIds = capacity.ids();
  }

  public NodeIdRanges ranges() {
    return ranges;
  }

  /** How many nodes there can be, and which range limits them. */
  public NodeIdCapacity capacity() {
    return capacity;
  }

  /**
   * Everything that follows from an id; {@link NodeIdError#NODE_ID_OUT_OF_RANGE}, which names the
   * range, when one does not serve it.
   */
  public SubnetPlan plan(NodeId id) {
    if (id.number() > capacityIds) {
      throw beyond(id);
    }
    return new SubnetPlan(id, podSubnet(id), linkSubnet(id), nodeAddress(id), overlay.address(id));
  }

  /** The pod subnet of a node, if the range serves its id. */
  public Cidr podSubnet(NodeId id) {
    return subnet(NodeIdRange.PODS, ranges.pods(), ranges.podPrefix(), podIds, id);
  }

  /** The subnet of the link between switch and host of a node. */
  public Cidr linkSubnet(NodeId id) {
    return subnet(NodeIdRange.LINKS, ranges.links(), ranges.linkPrefix(), linkIds, id);
  }

  /** The address of the main interface of a node; empty where it comes by DHCP. */
  public Optional<InterfaceAddress> nodeAddress(NodeId id) {
    return interconnect.map(addresses -> addresses.address(id));
  }

  /** The address of the overlay interface of a node. */
  public InterfaceAddress overlayAddress(NodeId id) {
    return overlay.address(id);
  }

  private Cidr subnet(NodeIdRange range, Cidr parent, int prefix, long ids, NodeId id) {
    if (id.number() > ids) {
      throw new IpamException(
          NodeIdError.NODE_ID_OUT_OF_RANGE,
          Messages.of(
              "node id %s has no /%s in the %s %s, which has subnets for ids 1 to %s",
              id, prefix, range, parent, ids));
    }
    long number = id.number() == subnets(parent, prefix) ? 0 : id.number();
    return parent.subnet(prefix, number);
  }

  private IpamException beyond(NodeId id) {
    String serve = capacity.scarcest().size() == 1 ? "serves" : "serve";
    return new IpamException(
        NodeIdError.NODE_ID_OUT_OF_RANGE,
        Messages.of(
            "node id %s is above %s, the highest id that %s %s",
            id, capacityIds, capacity.scarcestText(), serve));
  }

  private long ids(Cidr parent, int prefix) {
    return Math.min(subnets(parent, prefix) - (reference ? 0 : 1), NodeId.MAX);
  }

  private static long subnets(Cidr parent, int prefix) {
    return parent.subnetCountSaturated(prefix);
  }

  private NodeIdCapacity countCapacity() {
    List<NodeIdCapacity.OfRange> rows = new ArrayList<>();
    rows.add(new NodeIdCapacity.OfRange(NodeIdRange.PODS, ranges.pods(), podIds));
    rows.add(new NodeIdCapacity.OfRange(NodeIdRange.LINKS, ranges.links(), linkIds));
    interconnect.ifPresent(
        each ->
            rows.add(
                new NodeIdCapacity.OfRange(NodeIdRange.INTERCONNECT, each.range(), each.ids())));
    rows.add(new NodeIdCapacity.OfRange(NodeIdRange.OVERLAY, overlay.range(), overlay.ids()));
    return new NodeIdCapacity(rows);
  }
}
