package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.Vpc;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.InterfaceSection;
import io.tidemark.resource.EniStatus;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An attached interface as the cache holds it: what plans and the published status need, no more.
 *
 * @param place where it is attached
 * @param kind whether pods can be served by it at all
 * @param pool its subnet
 * @param primary empty only for interfaces of another kind
 * @param singles secondary addresses that belong to no prefix, without the primary one
 * @param prefixes /28 blocks, ascending
 * @param ipv6Prefixes /80 blocks, ascending
 * @param tracking how long it remembers idle connections
 */
record AwsEni(
    InterfaceId id,
    Place place,
    Kind kind,
    PoolId pool,
    String mac,
    String description,
    Optional<IpAddress> primary,
    AddressSet singles,
    List<Cidr> prefixes,
    List<Cidr> ipv6Prefixes,
    List<String> securityGroups,
    Map<String, String> tags,
    Optional<IpAddress> publicAddress,
    ConnectionTracking tracking)
    implements CachedInterface<AwsEni> {

  /**
   * Where an interface is attached; card and index together name the place (provider-aws 2.5).
   *
   * @param index device index
   */
  record Place(String attachmentId, int card, int index, boolean deleteOnTermination) {
    private Place marked(boolean wanted) {
      return new Place(attachmentId, card, index, wanted);
    }
  }

  /** The role of an interface (provider-aws 1.1, 5.3). */
  enum Kind {
    ORDINARY,
    /** Belongs to the controller of security groups for pods. */
    TRUNK,
    /** Takes its place and nothing else: EFA alone, without IPv4, or not readable. */
    UNMANAGED
  }

  AwsEni {
    prefixes = List.copyOf(prefixes);
    ipv6Prefixes = List.copyOf(ipv6Prefixes);
    securityGroups = List.copyOf(securityGroups);
    tags = Map.copyOf(tags);
  }

  static AwsEni of(AwsNetworkInterface each, Attachment attachment) {
    return new AwsEni(
        each.id(),
        new Place(
            attachment.id(),
            attachment.cardIndex(),
            attachment.deviceIndex(),
            attachment.deleteOnTermination()),
        kindOf(each),
        each.subnet(),
        each.mac(),
        each.description(),
        each.primary(),
        each.singles(),
        each.prefixes(),
        each.ipv6Prefixes(),
        each.securityGroups(),
        each.tags(),
        each.publicAddress(),
        each.tracking());
  }

  private static Kind kindOf(AwsNetworkInterface each) {
    if (each.primary().isEmpty() || !each.unreadable().isEmpty()) {
      return Kind.UNMANAGED;
    }
    return switch (each.type()) {
      case "interface", "efa", "" -> Kind.ORDINARY;
      case "trunk" -> Kind.TRUNK;
      default -> Kind.UNMANAGED;
    };
  }

  /** The instance's own interface. */
  static Optional<AwsEni> primaryOf(List<AwsEni> interfaces) {
    for (AwsEni each : interfaces) {
      if (each.isOwn()) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  boolean isOwn() {
    return onCard0() && index() == 0;
  }

  int index() {
    return place.index();
  }

  boolean onCard0() {
    return place.card() == 0;
  }

  @Override
  public Optional<IpAddress> primaryAddress() {
    return primary;
  }

  @Override
  public int slotsTaken() {
    return singles.size() + prefixes.size();
  }

  @Override
  public AwsEni holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    return holding(otherSingles, otherPrefixes, ipv6Prefixes);
  }

  AwsEni plusIpv6(List<Cidr> more) {
    return holding(singles, prefixes, CachedInterface.joined(ipv6Prefixes, more));
  }

  AwsEni withDeleteOnTermination(boolean wanted) {
    return with(
        place.marked(wanted), kind, singles, prefixes, ipv6Prefixes, securityGroups, publicAddress);
  }

  /** The same, taking its place and nothing else. */
  AwsEni unmanaged() {
    return with(
        place, Kind.UNMANAGED, singles, prefixes, ipv6Prefixes, securityGroups, publicAddress);
  }

  boolean isBare() {
    return singles.isEmpty()
        && prefixes.isEmpty()
        && ipv6Prefixes.isEmpty()
        && publicAddress.isEmpty();
  }

  AwsEni withSecurityGroups(List<String> others) {
    return with(place, kind, singles, prefixes, ipv6Prefixes, others, publicAddress);
  }

  AwsEni withPublicAddress(IpAddress address) {
    return with(place, kind, singles, prefixes, ipv6Prefixes, securityGroups, Optional.of(address));
  }

  /** As an agent in ENI mode reads it in the status. */
  EniStatus.Eni entry(boolean primaryServes, Networks networks) {
    Optional<AwsSubnet> subnet = networks.subnet(pool);
    Optional<Vpc> vpc = subnet.flatMap(found -> networks.vpc(found.vpcId()));
    return new EniStatus.Eni(
        id.text(),
        primary,
        mac,
        subnet.map(AwsSubnet::availabilityZone).orElse(""),
        description,
        index(),
        new EniStatus.SubnetRef(pool.text(), subnet.map(AwsSubnet::cidr)),
        new EniStatus.VpcRef(
            subnet.map(AwsSubnet::vpcId).orElse(""),
            vpc.flatMap(Vpc::primaryCidr),
            vpc.map(Vpc::cidrs).orElse(List.of())),
        InterfaceSection.addresses(this, primaryServes),
        prefixes,
        ipv6Prefixes,
        publicAddress,
        securityGroups,
        tags);
  }

  private AwsEni holding(
      AddressSet otherSingles, List<Cidr> otherPrefixes, List<Cidr> otherIpv6Prefixes) {
    return with(
        place, kind, otherSingles, otherPrefixes, otherIpv6Prefixes, securityGroups, publicAddress);
  }

  private AwsEni with(
      Place otherPlace,
      Kind otherKind,
      AddressSet otherSingles,
      List<Cidr> otherPrefixes,
      List<Cidr> otherIpv6Prefixes,
      List<String> otherGroups,
      Optional<IpAddress> otherPublicAddress) {
    return new AwsEni(
        id,
        otherPlace,
        otherKind,
        pool,
        mac,
        description,
        primary,
        otherSingles,
        otherPrefixes,
        otherIpv6Prefixes,
        otherGroups,
        tags,
        otherPublicAddress,
        tracking);
  }
}
