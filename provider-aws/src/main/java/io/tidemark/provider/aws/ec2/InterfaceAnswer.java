package io.tidemark.provider.aws.ec2;

import static io.tidemark.provider.aws.ec2.Answers.list;
import static io.tidemark.provider.aws.ec2.Answers.number;
import static io.tidemark.provider.aws.ec2.Answers.optional;
import static io.tidemark.provider.aws.ec2.Answers.text;
import static io.tidemark.provider.aws.ec2.Answers.truth;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.model.ConnectionTrackingConfiguration;
import software.amazon.awssdk.services.ec2.model.GroupIdentifier;
import software.amazon.awssdk.services.ec2.model.Ipv4PrefixSpecification;
import software.amazon.awssdk.services.ec2.model.Ipv6PrefixSpecification;
import software.amazon.awssdk.services.ec2.model.NetworkInterfaceAttachment;
import software.amazon.awssdk.services.ec2.model.NetworkInterfaceIpv6Address;
import software.amazon.awssdk.services.ec2.model.NetworkInterfacePrivateIpAddress;

/**
 * Reads one interface (provider-aws 1.1, parsing rules). What is no address or prefix is listed as
 * unreadable and never fails the listing that it stands in. Used once.
 */
final class InterfaceAnswer {
  /** Stands for the subnet of an interface that EC2 shows without one. */
  private static final PoolId NO_SUBNET = new PoolId("-");

  private final software.amazon.awssdk.services.ec2.model.NetworkInterface answer;
  private final List<String> unreadable = new ArrayList<>();

  private InterfaceAnswer(software.amazon.awssdk.services.ec2.model.NetworkInterface answer) {
    this.answer = answer;
  }

  /** The interface; empty only when it has no id to call it by. */
  static Optional<AwsNetworkInterface> read(
      software.amazon.awssdk.services.ec2.model.NetworkInterface answer) {
    return optional(answer.networkInterfaceId())
        .map(id -> new InterfaceAnswer(answer).read(new InterfaceId(id)));
  }

  private AwsNetworkInterface read(InterfaceId id) {
    Optional<IpAddress> primary = address(answer.privateIpAddress(), IpFamily.IPV4);
    List<Cidr> prefixes =
        blocks(list(answer.ipv4Prefixes()).stream().map(Ipv4PrefixSpecification::ipv4Prefix));
    List<Cidr> ipv6Prefixes =
        blocks(list(answer.ipv6Prefixes()).stream().map(Ipv6PrefixSpecification::ipv6Prefix));
    return new AwsNetworkInterface(
        id,
        text(answer.interfaceTypeAsString()),
        text(answer.statusAsString()),
        optional(answer.subnetId()).map(PoolId::new).orElse(NO_SUBNET),
        text(answer.vpcId()),
        text(answer.availabilityZone()),
        text(answer.macAddress()),
        text(answer.description()),
        primary,
        singles(primary, prefixes),
        prefixes,
        ipv6(),
        primaryIpv6(),
        ipv6Prefixes,
        groups(),
        Answers.tags(answer.tagSet()),
        Optional.ofNullable(answer.attachment()).flatMap(InterfaceAnswer::attachment),
        publicAddress(),
        tracking(),
        unreadable);
  }

  /** Addresses of a prefix count once, by the prefix, whether they are listed too or not. */
  private AddressSet singles(Optional<IpAddress> primary, List<Cidr> prefixes) {
    AddressSet.Builder singles = AddressSet.builder();
    for (NetworkInterfacePrivateIpAddress each : list(answer.privateIpAddresses())) {
      if (!truth(each.primary())) {
        address(each.privateIpAddress(), IpFamily.IPV4)
            .filter(found -> !primary.filter(found::equals).isPresent())
            .filter(found -> prefixes.stream().noneMatch(block -> block.contains(found)))
            .ifPresent(singles::add);
      }
    }
    return singles.build();
  }

  private AddressSet ipv6() {
    AddressSet.Builder all = AddressSet.builder();
    for (NetworkInterfaceIpv6Address each : list(answer.ipv6Addresses())) {
      address(each.ipv6Address(), IpFamily.IPV6).ifPresent(all::add);
    }
    return all.build();
  }

  private Optional<IpAddress> primaryIpv6() {
    return list(answer.ipv6Addresses()).stream()
        .filter(each -> truth(each.isPrimaryIpv6()))
        .map(each -> optional(each.ipv6Address()).flatMap(IpAddress::tryParse))
        .flatMap(Optional::stream)
        .min(IpAddress::compareTo);
  }

  private List<Cidr> blocks(Stream<@Nullable String> texts) {
    List<Cidr> blocks = new ArrayList<>();
    texts.forEach(
        text -> {
          Optional<Cidr> block = Answers.cidr(text);
          block.ifPresentOrElse(blocks::add, () -> unreadable.add(Answers.text(text)));
        });
    blocks.sort(null);
    return blocks;
  }

  private Optional<IpAddress> address(@Nullable String text, IpFamily family) {
    Optional<IpAddress> address =
        optional(text).flatMap(IpAddress::tryParse).filter(a -> a.family() == family);
    if (address.isEmpty() && text != null) {
      unreadable.add(text);
    }
    return address;
  }

  /** Null and the empty text both mean none. */
  private Optional<IpAddress> publicAddress() {
    return answer.association() == null
        ? Optional.empty()
        : optional(answer.association().publicIp()).flatMap(text -> address(text, IpFamily.IPV4));
  }

  private ConnectionTracking tracking() {
    ConnectionTrackingConfiguration shown = answer.connectionTrackingConfiguration();
    return shown == null
        ? ConnectionTracking.DEFAULT
        : new ConnectionTracking(
            seconds(shown.tcpEstablishedTimeout()),
            seconds(shown.udpStreamTimeout()),
            seconds(shown.udpTimeout()));
  }

  private static OptionalInt seconds(@Nullable Integer shown) {
    return shown == null ? OptionalInt.empty() : OptionalInt.of(shown);
  }

  private List<String> groups() {
    Collection<GroupIdentifier> groups = list(answer.groups());
    return groups.stream().map(GroupIdentifier::groupId).filter(Objects::nonNull).sorted().toList();
  }

  private static Optional<Attachment> attachment(NetworkInterfaceAttachment answer) {
    return optional(answer.attachmentId())
        .map(
            id ->
                new Attachment(
                    id,
                    optional(answer.instanceId()).map(InstanceId::new),
                    number(answer.networkCardIndex()),
                    number(answer.deviceIndex()),
                    truth(answer.deleteOnTermination()),
                    text(answer.statusAsString())));
  }
}
