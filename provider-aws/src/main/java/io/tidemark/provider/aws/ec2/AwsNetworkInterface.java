package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network interface as EC2 describes it.
 *
 * @param type {@code interface}, {@code efa}, {@code efa-only}, {@code trunk}, {@code branch} …
 * @param status {@code available}, {@code in-use} …; empty when EC2 did not say
 * @param primary empty for interfaces without IPv4
 * @param singles secondary addresses that belong to no prefix
 * @param prefixes delegated /28 blocks, ascending
 * @param ipv6 assigned IPv6 addresses
 * @param primaryIpv6 that of them which EC2 marks as the primary one
 * @param ipv6Prefixes delegated /80 blocks, ascending
 * @param securityGroups ids, ascending
 * @param tracking how long it remembers idle connections
 * @param unreadable values that are no address or prefix; such an interface is known, takes its
 *     place, and is not for pods
 */
public record AwsNetworkInterface(
    InterfaceId id,
    String type,
    String status,
    PoolId subnet,
    String vpcId,
    String availabilityZone,
    String mac,
    String description,
    Optional<IpAddress> primary,
    AddressSet singles,
    List<Cidr> prefixes,
    AddressSet ipv6,
    Optional<IpAddress> primaryIpv6,
    List<Cidr> ipv6Prefixes,
    List<String> securityGroups,
    Map<String, String> tags,
    Optional<Attachment> attachment,
    Optional<IpAddress> publicAddress,
    ConnectionTracking tracking,
    List<String> unreadable) {

  /**
   * Where an interface is attached.
   *
   * @param instance empty for attachments that belong to a service
   * @param status {@code attaching}, {@code attached}, {@code detaching} …
   */
  public record Attachment(
      String id,
      Optional<InstanceId> instance,
      int cardIndex,
      int deviceIndex,
      boolean deleteOnTermination,
      String status) {}

  /**
   * The IPv6 address to show for it: the marked one, else the lowest assigned one, else the last
   * one of the lowest block.
   */
  public Optional<IpAddress> ipv6Address() {
    return primaryIpv6
        .or(ipv6::first)
        .or(() -> ipv6Prefixes.stream().sorted().findFirst().map(Cidr::last));
  }

  /** IPv4 addresses it takes from its subnet. */
  public int addressesHeld() {
    int held = primary.isPresent() ? 1 : 0;
    for (Cidr prefix : prefixes) {
      held += (int) prefix.sizeSaturated();
    }
    return held + singles.size();
  }
}
