package io.tidemark.emulator.ec2.model;

/**
 * Where an interface or instance is.
 *
 * @param subnetOwnerId the account of the subnet, another one when it is shared
 */
public record Placement(String subnetId, String vpcId, Zone zone, String subnetOwnerId) {
  /** Where something in this subnet is. */
  public static Placement in(Ec2Subnet subnet) {
    return new Placement(subnet.id(), subnet.vpcId(), subnet.zone(), subnet.ownerId());
  }
}
