package io.tidemark.daemon;

import io.tidemark.agent.eni.NativeRouting;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import java.util.List;
import java.util.Optional;

/** Compares what is configured to be reached without translation with the VPC of the node (A75). */
final class RoutingCheck {
  private RoutingCheck() {}

  /**
   * Holds also while no interface names its VPC. The status shows no IPv6 CIDRs of a VPC.
   *
   * @throws IpamException with {@code ROUTING_CIDR_CONTRADICTS}
   */
  static void require(NodeResource node, List<Cidr> configured) {
    Optional<Cidr> ipv4 =
        configured.stream().filter(each -> each.family() == IpFamily.IPV4).findFirst();
    Optional<EniStatus> status = node.eniStatus();
    if (status.isPresent()
        && NativeRouting.of(status.get(), ipv4)
            instanceof NativeRouting.Contradiction contradiction) {
      throw new IpamException(contradiction.code(), contradiction.detail());
    }
  }
}
