package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A network interface as the cloud describes it. Immutable.
 *
 * @param primary its primary address
 * @param singles secondary addresses that belong to no block
 * @param prefixes blocks, a /28 each
 * @param attachment empty while it is available
 * @param publicAddress associated public address
 * @param ipv6 its IPv6 part
 */
public record NetworkInterface(
    String id,
    String subnetId,
    String mac,
    String description,
    IpAddress primary,
    AddressSet singles,
    List<Cidr> prefixes,
    List<String> securityGroups,
    Map<String, String> tags,
    Optional<Attachment> attachment,
    Optional<IpAddress> publicAddress,
    HeldIpv6 ipv6) {
  public NetworkInterface {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(subnetId, "subnetId");
    Objects.requireNonNull(mac, "mac");
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(primary, "primary");
    Objects.requireNonNull(singles, "singles");
    prefixes = List.copyOf(prefixes);
    securityGroups = List.copyOf(securityGroups);
    tags = Map.copyOf(tags);
    Objects.requireNonNull(attachment, "attachment");
    Objects.requireNonNull(publicAddress, "publicAddress");
    Objects.requireNonNull(ipv6, "ipv6");
  }

  /**
   * Where an interface is plugged in.
   *
   * @param deviceIndex place on the instance, 0 for the primary interface
   */
  public record Attachment(
      String id, String instanceId, int deviceIndex, boolean deleteOnTermination) {
    public Attachment {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(instanceId, "instanceId");
    }
  }

  /** IPv4 places taken, the primary address included. */
  public int placesTaken() {
    return 1 + singles.size() + prefixes.size();
  }

  /** Addresses of the subnet that it holds. */
  public int addressesHeld() {
    return 1 + singles.size() + 16 * prefixes.size();
  }

  /** The same interface with other secondary addresses. */
  public NetworkInterface holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    return with(otherSingles, otherPrefixes, attachment, publicAddress);
  }

  /** The same interface, plugged in elsewhere or nowhere. */
  public NetworkInterface attachedBy(Optional<Attachment> other) {
    return with(singles, prefixes, other, publicAddress);
  }

  /** The same interface with another static public address. */
  public NetworkInterface withPublicAddress(Optional<IpAddress> other) {
    return with(singles, prefixes, attachment, other);
  }

  private NetworkInterface with(
      AddressSet otherSingles,
      List<Cidr> otherPrefixes,
      Optional<Attachment> otherAttachment,
      Optional<IpAddress> otherPublicAddress) {
    return new NetworkInterface(
        id,
        subnetId,
        mac,
        description,
        primary,
        otherSingles,
        otherPrefixes,
        securityGroups,
        tags,
        otherAttachment,
        otherPublicAddress,
        ipv6);
  }
}
