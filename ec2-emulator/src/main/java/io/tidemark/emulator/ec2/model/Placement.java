package io.tidemark.emulator.ec2.model;

import java.util.Objects;

/**
 * Where an interface or instance is.
 *
 * @param subnetOwnerId the account of the subnet, another one when it is shared
 */
public record Placement(String subnetId, String vpcId, Zone zone, String subnetOwnerId) {
  public Placement {
    Objects.requireNonNull(subnetId, "subnetId");
    Objects.requireNonNull(vpcId, "vpcId");
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(subnetOwnerId, "subnetOwnerId");
  }

  /** Where something in this subnet is. */
  public static Placement in(Subnet subnet) {
    return new Placement(subnet.id(), subnet.vpcId(), subnet.zone(), subnet.ownerId());
  }
}
