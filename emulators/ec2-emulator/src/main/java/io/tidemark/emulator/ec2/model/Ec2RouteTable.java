package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * A route table.
 *
 * @param associations the subnets that use it by choice; the main table also has one without a
 *     subnet, for all the others
 * @param localBlocks the VPC's blocks when it was made, each a route to {@code local}
 */
public record Ec2RouteTable(
    String id,
    String ownerId,
    String vpcId,
    List<Association> associations,
    List<Cidr> localBlocks,
    Ec2Tags tags)
    implements Resource {
  /**
   * One use of the table.
   *
   * @param id {@code rtbassoc-...}
   * @param subnetId empty for the main association
   */
  public record Association(String id, Optional<String> subnetId) {
    public boolean isMain() {
      return subnetId.isEmpty();
    }
  }

  public Ec2RouteTable {
    associations = List.copyOf(associations);
    localBlocks = List.copyOf(localBlocks);
  }

  /** True for the table of all subnets that chose none. */
  public boolean isMain() {
    return associations.stream().anyMatch(Association::isMain);
  }

  @Override
  public Ec2RouteTable withTags(Ec2Tags changed) {
    return new Ec2RouteTable(id, ownerId, vpcId, associations, localBlocks, changed);
  }

  public Ec2RouteTable withLocalBlocks(List<Cidr> changed) {
    return new Ec2RouteTable(id, ownerId, vpcId, associations, changed, tags);
  }

  public Ec2RouteTable withAssociations(List<Association> changed) {
    return new Ec2RouteTable(id, ownerId, vpcId, changed, localBlocks, tags);
  }
}
