package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.AssignedAddresses;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * EC2 without SDK and XML: {@link DirectReads} take the model's own objects; a change is the form
 * that the SDK would send. Tests compare its runs with the SDK's.
 */
final class DirectEc2Api extends DirectReads {
  DirectEc2Api(Ec2World world, Caller caller, Reads reads) {
    super(world, caller, reads);
  }

  // ---- changes

  @Override
  public AwsNetworkInterface createNetworkInterface(CreateInterfaceRequest request)
      throws Ec2Failure {
    Map<String, String> parameters =
        new HashMap<>(Ec2World.tags("TagSpecification.1.", request.tags()));
    parameters.put("TagSpecification.1.ResourceType", "network-interface");
    parameters.put("SubnetId", request.subnet().text());
    parameters.put("Description", request.description());
    parameters.put("ClientToken", request.token());
    numbered(parameters, "SecurityGroupId", request.securityGroups());
    count(parameters, "SecondaryPrivateIpAddressCount", request.singles());
    count(parameters, "Ipv4PrefixCount", request.prefixes());
    count(parameters, "Ipv6PrefixCount", request.ipv6Prefixes());
    request
        .tracking()
        .tcpEstablishedSeconds()
        .ifPresent(s -> tracking(parameters, "TcpEstablished", s));
    request.tracking().udpStreamSeconds().ifPresent(s -> tracking(parameters, "UdpStream", s));
    request.tracking().udpSeconds().ifPresent(s -> tracking(parameters, "Udp", s));
    Answer answer;
    try {
      answer = send("CreateNetworkInterface", parameters);
    } catch (Ec2Failure failure) {
      throw request.prefixes() > 0 ? failure.ofPrefixes() : failure;
    }
    String id =
        answer.nested("networkInterface").orElseThrow().text("networkInterfaceId").orElseThrow();
    // A repetition under the same token is told what the first one was.
    return created.computeIfAbsent(id, this::justCreated);
  }

  private AwsNetworkInterface justCreated(String id) {
    return Translation.pending(
        translation.of(world.region(), world.region().interfaces().find(id).orElseThrow()));
  }

  private static void tracking(Map<String, String> parameters, String what, int seconds) {
    parameters.put(
        "ConnectionTrackingSpecification." + what + "Timeout", Integer.toString(seconds));
  }

  private static void count(Map<String, String> parameters, String name, int count) {
    if (count > 0) {
      parameters.put(name, Integer.toString(count));
    }
  }

  private static void numbered(Map<String, String> parameters, String name, List<String> values) {
    for (int i = 0; i < values.size(); i++) {
      parameters.put(name + "." + (i + 1), values.get(i));
    }
  }

  private static List<String> texts(List<?> all) {
    return all.stream().map(Object::toString).toList();
  }

  @Override
  public String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex)
      throws Ec2Failure {
    return send(
            "AttachNetworkInterface",
            Map.of(
                "NetworkInterfaceId", id.text(),
                "InstanceId", to.text(),
                "DeviceIndex", Integer.toString(deviceIndex),
                "NetworkCardIndex", "0"))
        .text("attachmentId")
        .orElseThrow();
  }

  @Override
  public void modifyDeleteOnTermination(InterfaceId id, String attachmentId, boolean wanted)
      throws Ec2Failure {
    send(
        "ModifyNetworkInterfaceAttribute",
        Map.of(
            "NetworkInterfaceId",
            id.text(),
            "Attachment.AttachmentId",
            attachmentId,
            "Attachment.DeleteOnTermination",
            Boolean.toString(wanted)));
  }

  @Override
  public AssignedAddresses assignPrivateIpAddresses(InterfaceId id, int count) throws Ec2Failure {
    return assigned(id, "SecondaryPrivateIpAddressCount", count);
  }

  @Override
  public AssignedAddresses assignPrefixes(InterfaceId id, int count) throws Ec2Failure {
    try {
      return assigned(id, "Ipv4PrefixCount", count);
    } catch (Ec2Failure failure) {
      throw failure.ofPrefixes();
    }
  }

  private AssignedAddresses assigned(InterfaceId id, String what, int count) throws Ec2Failure {
    Answer answer =
        send(
            "AssignPrivateIpAddresses",
            Map.of("NetworkInterfaceId", id.text(), what, Integer.toString(count)));
    AddressSet.Builder singles = AddressSet.builder();
    for (Answer each : answer.structures("assignedPrivateIpAddressesSet")) {
      singles.add(IpAddress.parse(each.text("privateIpAddress").orElseThrow()));
    }
    return new AssignedAddresses(
        singles.build(),
        answer.structures("assignedIpv4PrefixSet").stream()
            .map(each -> Cidr.parse(each.text("ipv4Prefix").orElseThrow()))
            .sorted()
            .toList());
  }

  @Override
  public void unassignPrivateIpAddresses(InterfaceId id, AddressSet addresses) throws Ec2Failure {
    unassign("UnassignPrivateIpAddresses", id, "PrivateIpAddress", texts(addresses.toList()));
  }

  @Override
  public void unassignPrefixes(InterfaceId id, List<Cidr> prefixes) throws Ec2Failure {
    unassign("UnassignPrivateIpAddresses", id, "Ipv4Prefix", texts(prefixes));
  }

  @Override
  public void assignNamedPrefix(InterfaceId id, Cidr prefix) throws Ec2Failure {
    boolean ipv4 = prefix.family() == IpFamily.IPV4;
    Map<String, String> parameters = new HashMap<>();
    parameters.put("NetworkInterfaceId", id.text());
    numbered(parameters, ipv4 ? "Ipv4Prefix" : "Ipv6Prefix", List.of(prefix.toString()));
    try {
      send(ipv4 ? "AssignPrivateIpAddresses" : "AssignIpv6Addresses", parameters);
    } catch (Ec2Failure failure) {
      throw failure.ofPrefixes();
    }
  }

  private void unassign(String action, InterfaceId id, String what, List<String> all)
      throws Ec2Failure {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("NetworkInterfaceId", id.text());
    numbered(parameters, what, all);
    send(action, parameters);
  }

  @Override
  public List<Cidr> assignIpv6Prefixes(InterfaceId id, int count) throws Ec2Failure {
    try {
      return send(
              "AssignIpv6Addresses",
              Map.of("NetworkInterfaceId", id.text(), "Ipv6PrefixCount", Integer.toString(count)))
          .texts("assignedIpv6PrefixSet")
          .stream()
          .map(Cidr::parse)
          .sorted()
          .toList();
    } catch (Ec2Failure failure) {
      throw failure.ofPrefixes();
    }
  }

  @Override
  public void modifySecurityGroups(InterfaceId id, List<String> groups) throws Ec2Failure {
    Map<String, String> sent = new TreeMap<>();
    sent.put("NetworkInterfaceId", id.text());
    for (int i = 0; i < groups.size(); i++) {
      sent.put("SecurityGroupId." + (i + 1), groups.get(i));
    }
    send("ModifyNetworkInterfaceAttribute", sent);
  }

  @Override
  public void detachNetworkInterface(String attachmentId) throws Ec2Failure {
    send("DetachNetworkInterface", Map.of("AttachmentId", attachmentId));
  }

  @Override
  public void deleteNetworkInterface(InterfaceId id) throws Ec2Failure {
    send("DeleteNetworkInterface", Map.of("NetworkInterfaceId", id.text()));
  }

  @Override
  public void associateAddress(String allocationId, InterfaceId id, IpAddress primary)
      throws Ec2Failure {
    send(
        "AssociateAddress",
        Map.of(
            "AllocationId",
            allocationId,
            "NetworkInterfaceId",
            id.text(),
            "PrivateIpAddress",
            primary.toString(),
            "AllowReassociation",
            "false"));
  }

  @Override
  public void createTags(InterfaceId id, Map<String, String> tags) throws Ec2Failure {
    Map<String, String> parameters = new HashMap<>(Ec2World.tags("", tags));
    parameters.put("ResourceId.1", id.text());
    send("CreateTags", parameters);
  }

  @Override
  public void createNetworkInterfacePermission(InterfaceId id, String accountId) throws Ec2Failure {
    send(
        "CreateNetworkInterfacePermission",
        Map.of(
            "NetworkInterfaceId",
            id.text(),
            "AwsAccountId",
            accountId,
            "Permission",
            "INSTANCE-ATTACH"));
  }
}
