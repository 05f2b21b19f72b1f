package io.tidemark.agent.eni;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.EniStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a configured block that pods reach without translation fits the VPC. */
public final class NativeRouting {
  private NativeRouting() {}

  /**
   * Why the agent must not start with a configured block: it neither contains a block of the VPC
   * nor is part of one. The VPC is that of the first interface that names it; empty also while none
   * does.
   */
  public static Optional<String> contradiction(EniStatus status, Cidr configured) {
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
