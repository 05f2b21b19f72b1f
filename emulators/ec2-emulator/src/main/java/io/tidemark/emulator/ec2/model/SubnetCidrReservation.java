package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;

/**
 * A part of a subnet that is kept from automatic assignment.
 *
 * @param type {@code prefix}: for delegated prefixes; {@code explicit}: for who names an address
 */
public record SubnetCidrReservation(
    String id,
    String ownerId,
    String subnetId,
    Cidr block,
    String type,
    String description,
    Ec2Tags tags)
    implements Resource {
  public static final String PREFIX = "prefix";

  @Override
  public SubnetCidrReservation withTags(Ec2Tags changed) {
    return new SubnetCidrReservation(id, ownerId, subnetId, block, type, description, changed);
  }
}
