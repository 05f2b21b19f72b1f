package io.tidemark.daemon;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.eni.NativeRouting;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import java.util.List;

/** Compares what is configured to be reached without translation with the VPC of the node (A75). */
final class RoutingCheck {
  private RoutingCheck() {}

  /**
   * Holds also while no interface names its VPC. The status shows no IPv6 CIDRs of a VPC.
   *
   * @throws IpamException with {@code ROUTING_CIDR_CONTRADICTS}
   */
  static void require(NodeResource node, List<Cidr> configured) {
    for (Cidr each : configured) {
      node.eniStatus()
          .filter(status -> each.family() == IpFamily.IPV4)
          .flatMap(status -> NativeRouting.contradiction(status, each))
          .ifPresent(
              detail -> {
                throw new IpamException(AgentError.ROUTING_CIDR_CONTRADICTS, detail);
              });
    }
  }
}
