package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Ipv4Address;
import java.util.Optional;

/**
 * A public IPv4 address that an account holds.
 *
 * @param association the associated private address; empty if there is none
 */
public record Ec2ElasticAddress(
    String id,
    String ownerId,
    Ipv4Address publicIp,
    Optional<Association> association,
    Ec2Tags tags)
    implements Resource {
  /**
   * The association of a public address.
   *
   * @param id {@code eipassoc-...}
   */
  public record Association(String id, String interfaceId, Ipv4Address privateAddress) {
    boolean isOf(String otherInterface, Ipv4Address address) {
      return interfaceId.equals(otherInterface) && privateAddress.equals(address);
    }
  }

  @Override
  public Ec2ElasticAddress withTags(Ec2Tags changed) {
    return new Ec2ElasticAddress(id, ownerId, publicIp, association, changed);
  }

  public Ec2ElasticAddress withAssociation(Optional<Association> changed) {
    return new Ec2ElasticAddress(id, ownerId, publicIp, changed, tags);
  }
}
