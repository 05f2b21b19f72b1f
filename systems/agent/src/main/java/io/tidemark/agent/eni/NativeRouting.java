package io.tidemark.agent.eni;

import io.tidemark.agent.AgentError;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the configured blocks that pods reach without translation fit the VPC (A75). */
public final class NativeRouting {
  private NativeRouting() {}

  /**
   * Holds also while no interface names its VPC. The status shows no IPv6 CIDRs of a VPC.
   *
   * @throws IpamException with {@code ROUTING_CIDR_CONTRADICTS}
   */
  public static void require(NodeResource node, List<Cidr> configured) {
    for (Cidr each : configured) {
      node.eniStatus()
          .filter(status -> each.family() == IpFamily.IPV4)
          .flatMap(status -> contradiction(status, each))
          .ifPresent(
              detail -> {
                throw new IpamException(AgentError.ROUTING_CIDR_CONTRADICTS, detail);
              });
    }
  }

  /**
   * Why the agent must not start with a configured block: it neither contains a block of the VPC,
   * which is that of the first interface that names it, nor is part of one.
   */
  static Optional<String> contradiction(EniStatus status, Cidr configured) {
    for (EniStatus.Eni each : status.enis().values()) {
      List<Cidr> vpc = new ArrayList<>(each.vpc().primaryCidr().stream().toList());
      if (!vpc.isEmpty()) {
        each.vpc().cidrs().stream().filter(it -> !vpc.contains(it)).forEach(vpc::add);
        return vpc.stream().anyMatch(configured::overlaps)
            ? Optional.empty()
            : Optional.of(
                "ipv4-native-routing-cidr is "
                    + configured
                    + "; expected a block with or in one of "
                    + vpc);
      }
    }
    return Optional.empty();
  }
}
