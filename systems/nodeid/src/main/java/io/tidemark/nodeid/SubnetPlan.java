package io.tidemark.nodeid;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.ip.IpAddress;
import java.util.Optional;

/**
 * All subnets and addresses of one node.
 *
 * <p>In the pod subnet the first host is the gateway, the last the NAT loopback; pods have the
 * hosts between them. In the link subnet the first host is the end of the switch, the second that
 * of the host.
 *
 * @param nodeAddress of the main interface; empty where it comes by DHCP
 * @param overlayAddress of the overlay interface
 */
public record SubnetPlan(
    NodeId id,
    Cidr podSubnet,
    Cidr linkSubnet,
    Optional<InterfaceAddress> nodeAddress,
    InterfaceAddress overlayAddress) {
  /** Addresses of a pod subnet that no pod gets: network, gateway, NAT loopback, broadcast. */
  public static final int RESERVED = 4;

  public SubnetPlan {
    if (!hasRoom(podSubnet)) {
      throw new IllegalArgumentException(
          podSubnet + " has no room for a pod: a pod subnet has 8 addresses or more");
    }
  }

  /** Whether a pod subnet has room for a pod beside what is reserved. */
  public static boolean hasRoom(Cidr podSubnet) {
    return podSubnet.sizeSaturated() > RESERVED;
  }

  /**
   * The same node with a pod subnet that an external IPAM chose; {@link IllegalArgumentException}
   * when it has no room for a pod.
   */
  public SubnetPlan withPodSubnet(Cidr other) {
    return new SubnetPlan(id, other, linkSubnet, nodeAddress, overlayAddress);
  }

  public IpAddress gateway() {
    return podSubnet.address(1);
  }

  /** The source of a pod that reaches itself through a service. */
  public IpAddress natLoopback() {
    return podSubnet.last().plus(-1);
  }

  public IpAddress firstPod() {
    return podSubnet.address(2);
  }

  public IpAddress lastPod() {
    return podSubnet.last().plus(-2);
  }

  public IpAddress linkSwitchEnd() {
    return linkSubnet.address(1);
  }

  public IpAddress linkHostEnd() {
    return linkSubnet.address(2);
  }
}
