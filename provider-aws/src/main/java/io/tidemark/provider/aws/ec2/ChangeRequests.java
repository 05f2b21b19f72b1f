package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.ec2.model.AssignIpv6AddressesRequest;
import software.amazon.awssdk.services.ec2.model.AssignPrivateIpAddressesRequest;
import software.amazon.awssdk.services.ec2.model.AssociateAddressRequest;
import software.amazon.awssdk.services.ec2.model.AttachNetworkInterfaceRequest;
import software.amazon.awssdk.services.ec2.model.ConnectionTrackingSpecificationRequest;
import software.amazon.awssdk.services.ec2.model.CreateNetworkInterfacePermissionRequest;
import software.amazon.awssdk.services.ec2.model.CreateNetworkInterfaceRequest;
import software.amazon.awssdk.services.ec2.model.CreateTagsRequest;
import software.amazon.awssdk.services.ec2.model.InterfacePermissionType;
import software.amazon.awssdk.services.ec2.model.ModifyNetworkInterfaceAttributeRequest;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TagSpecification;
import software.amazon.awssdk.services.ec2.model.UnassignPrivateIpAddressesRequest;

/** Builds the changing requests (provider-aws 1.1 rows 13 to 24). Pure. */
final class ChangeRequests {
  /** Left out, EC2 checks the wrong limits on types with several cards. */
  private static final int CARD = 0;

  private ChangeRequests() {}

  static CreateNetworkInterfaceRequest create(CreateInterfaceRequest request) {
    CreateNetworkInterfaceRequest.Builder sent =
        CreateNetworkInterfaceRequest.builder()
            .subnetId(request.subnet().text())
            .description(request.description())
            .clientToken(request.token());
    if (!request.securityGroups().isEmpty()) {
      sent.groups(request.securityGroups());
    }
    if (!request.tags().isEmpty()) {
      sent.tagSpecifications(
          TagSpecification.builder()
              .resourceType(ResourceType.NETWORK_INTERFACE)
              .tags(tags(request.tags()))
              .build());
    }
    if (request.singles() > 0) {
      sent.secondaryPrivateIpAddressCount(request.singles());
    }
    if (request.prefixes() > 0) {
      sent.ipv4PrefixCount(request.prefixes());
    }
    if (request.ipv6Prefixes() > 0) {
      sent.ipv6PrefixCount(request.ipv6Prefixes());
    }
    if (!request.tracking().equals(ConnectionTracking.DEFAULT)) {
      sent.connectionTrackingSpecification(tracking(request.tracking()));
    }
    return sent.build();
  }

  private static ConnectionTrackingSpecificationRequest tracking(ConnectionTracking wanted) {
    ConnectionTrackingSpecificationRequest.Builder sent =
        ConnectionTrackingSpecificationRequest.builder();
    wanted.tcpEstablishedSeconds().ifPresent(sent::tcpEstablishedTimeout);
    wanted.udpStreamSeconds().ifPresent(sent::udpStreamTimeout);
    wanted.udpSeconds().ifPresent(sent::udpTimeout);
    return sent.build();
  }

  static AttachNetworkInterfaceRequest attach(InterfaceId id, InstanceId to, int deviceIndex) {
    return AttachNetworkInterfaceRequest.builder()
        .networkInterfaceId(id.text())
        .instanceId(to.text())
        .deviceIndex(deviceIndex)
        .networkCardIndex(CARD)
        .build();
  }

  static ModifyNetworkInterfaceAttributeRequest deleteOnTermination(
      InterfaceId id, String attachmentId, boolean wanted) {
    return ModifyNetworkInterfaceAttributeRequest.builder()
        .networkInterfaceId(id.text())
        .attachment(a -> a.attachmentId(attachmentId).deleteOnTermination(wanted))
        .build();
  }

  static ModifyNetworkInterfaceAttributeRequest groups(InterfaceId id, List<String> groups) {
    return ModifyNetworkInterfaceAttributeRequest.builder()
        .networkInterfaceId(id.text())
        .groups(groups)
        .build();
  }

  static AssignPrivateIpAddressesRequest singles(InterfaceId id, int count) {
    return AssignPrivateIpAddressesRequest.builder()
        .networkInterfaceId(id.text())
        .secondaryPrivateIpAddressCount(count)
        .build();
  }

  static AssignPrivateIpAddressesRequest prefixes(InterfaceId id, int count) {
    return AssignPrivateIpAddressesRequest.builder()
        .networkInterfaceId(id.text())
        .ipv4PrefixCount(count)
        .build();
  }

  static AssignPrivateIpAddressesRequest prefix(InterfaceId id, Cidr prefix) {
    return AssignPrivateIpAddressesRequest.builder()
        .networkInterfaceId(id.text())
        .ipv4Prefixes(prefix.toString())
        .build();
  }

  static UnassignPrivateIpAddressesRequest withoutSingles(InterfaceId id, AddressSet addresses) {
    return UnassignPrivateIpAddressesRequest.builder()
        .networkInterfaceId(id.text())
        .privateIpAddresses(addresses.toList().stream().map(IpAddress::toString).toList())
        .build();
  }

  static UnassignPrivateIpAddressesRequest withoutPrefixes(InterfaceId id, List<Cidr> prefixes) {
    return UnassignPrivateIpAddressesRequest.builder()
        .networkInterfaceId(id.text())
        .ipv4Prefixes(texts(prefixes))
        .build();
  }

  static AssignIpv6AddressesRequest ipv6(InterfaceId id, int count) {
    return AssignIpv6AddressesRequest.builder()
        .networkInterfaceId(id.text())
        .ipv6PrefixCount(count)
        .build();
  }

  static AssignIpv6AddressesRequest ipv6Prefix(InterfaceId id, Cidr prefix) {
    return AssignIpv6AddressesRequest.builder()
        .networkInterfaceId(id.text())
        .ipv6Prefixes(prefix.toString())
        .build();
  }

  static AssociateAddressRequest associate(String allocationId, InterfaceId id, IpAddress primary) {
    return AssociateAddressRequest.builder()
        .allocationId(allocationId)
        .networkInterfaceId(id.text())
        .privateIpAddress(primary.toString())
        .allowReassociation(false)
        .build();
  }

  static CreateTagsRequest tag(InterfaceId id, Map<String, String> tags) {
    return CreateTagsRequest.builder().resources(id.text()).tags(tags(tags)).build();
  }

  static CreateNetworkInterfacePermissionRequest permission(InterfaceId id, String accountId) {
    return CreateNetworkInterfacePermissionRequest.builder()
        .networkInterfaceId(id.text())
        .awsAccountId(accountId)
        .permission(InterfacePermissionType.INSTANCE_ATTACH)
        .build();
  }

  private static List<Tag> tags(Map<String, String> tags) {
    return new TreeMap<>(tags)
        .entrySet().stream()
            .map(each -> Tag.builder().key(each.getKey()).value(each.getValue()).build())
            .toList();
  }

  private static List<String> texts(List<Cidr> blocks) {
    return blocks.stream().map(Cidr::toString).toList();
  }
}
