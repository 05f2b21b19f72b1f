package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A subnet of a VPC, in one zone.
 *
 * @param block its IPv4 block
 * @param ipv6Block its IPv6 block, a /64
 * @param availableAddresses the value of AvailableIpAddressCount: free IPv4 addresses, without the
 *     five that AWS reserves
 * @param participants accounts that it is shared with
 */
public record Ec2Subnet(
    String id,
    String ownerId,
    String vpcId,
    Zone zone,
    Cidr block,
    Optional<Ipv6Association> ipv6Block,
    int availableAddresses,
    SortedSet<String> participants,
    Ec2Tags tags)
    implements Resource {
  /**
   * The IPv6 block of a subnet.
   *
   * @param associationId {@code subnet-cidr-assoc-...}
   */
  public record Ipv6Association(String associationId, Cidr block) {}

  public Ec2Subnet {
    participants = Collections.unmodifiableSortedSet(new TreeSet<>(participants));
  }

  @Override
  public boolean isVisibleTo(String account) {
    return ownerId.equals(account) || participants.contains(account);
  }

  @Override
  public Ec2Subnet withTags(Ec2Tags changed) {
    return new Ec2Subnet(
        id, ownerId, vpcId, zone, block, ipv6Block, availableAddresses, participants, changed);
  }

  public Ec2Subnet withIpv6Block(Optional<Ipv6Association> changed) {
    return new Ec2Subnet(
        id, ownerId, vpcId, zone, block, changed, availableAddresses, participants, tags);
  }

  public Ec2Subnet withAvailable(int changed) {
    return new Ec2Subnet(id, ownerId, vpcId, zone, block, ipv6Block, changed, participants, tags);
  }

  public Ec2Subnet withParticipants(SortedSet<String> changed) {
    return new Ec2Subnet(
        id, ownerId, vpcId, zone, block, ipv6Block, availableAddresses, changed, tags);
  }
}
