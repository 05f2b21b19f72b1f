package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Attachment;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.SecurityGroup;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.ip.Ipv4Address;
import java.util.Collection;
import java.util.Optional;

/** Writes network interfaces as the service model's NetworkInterface structure. */
final class InterfaceAnswer {
  private InterfaceAnswer() {}

  /** An interface as listings show it. */
  static Answer of(Call call, NetworkInterface shown) {
    return of(call, shown, shown.status());
  }

  /**
   * The same with another status: EC2 answers {@code pending} to the creation ("Example",
   * CreateNetworkInterface).
   */
  static Answer of(Call call, NetworkInterface shown, String status) {
    Answer.Builder answer =
        Answer.builder()
            .text("networkInterfaceId", shown.id())
            .text("subnetId", shown.placement().subnetId())
            .text("vpcId", shown.placement().vpcId())
            .text("availabilityZone", shown.placement().zone().name())
            .text("availabilityZoneId", shown.placement().zone().id())
            .text("description", shown.settings().description())
            .text("ownerId", shown.ownerId())
            .flag("requesterManaged", false)
            .text("status", status)
            .text("macAddress", shown.macAddress())
            .text("interfaceType", shown.type())
            .flag("sourceDestCheck", shown.settings().sourceDestCheck())
            .nested("attachment", shown.attachment().map(InterfaceAnswer::attachment))
            .nested(
                "connectionTrackingConfiguration",
                TrackingRequests.shown(shown.settings().tracking()));
    groups(answer, shown.settings().groups());
    addresses(answer, call, shown, false);
    return TagRules.write(answer, shown.tags()).build();
  }

  /** The addresses, the same in this structure and in an instance's. */
  static void addresses(
      Answer.Builder answer, Call call, NetworkInterface shown, boolean inInstance) {
    Optional<Ipv4Address> primary = shown.addresses().first();
    String region = call.caller().region();
    answer
        .nested("association", primary.flatMap(a -> association(call, shown, a, inInstance)))
        .text("privateIpAddress", primary.map(a -> a.toString()))
        .text("privateDnsName", primary.map(a -> Values.privateDnsName(a, region)))
        .items(
            "privateIpAddressesSet",
            shown.addresses().ipv4().toList(),
            address ->
                Answer.builder()
                    .text("privateIpAddress", address.toString())
                    .text("privateDnsName", Values.privateDnsName(address, region))
                    .flag("primary", primary.filter(address::equals).isPresent())
                    .nested("association", association(call, shown, address, inInstance))
                    .build())
        .items(
            "ipv6AddressesSet",
            shown.addresses().ipv6(),
            address -> Answer.builder().text("ipv6Address", address.toString()).build());
    if (!shown.addresses().prefixes().isEmpty()) {
      answer.items("ipv4PrefixSet", shown.addresses().prefixes(), p -> prefix("ipv4Prefix", p));
    }
    if (!shown.addresses().ipv6Prefixes().isEmpty()) {
      answer.items("ipv6PrefixSet", shown.addresses().ipv6Prefixes(), p -> prefix("ipv6Prefix", p));
    }
  }

  /** The public address that stands for a private one; an instance shows less of it. */
  private static Optional<Answer> association(
      Call call, NetworkInterface shown, Ipv4Address address, boolean inInstance) {
    return call.region()
        .elasticRules()
        .of(shown.id())
        .filter(a -> a.association().orElseThrow().privateAddress().equals(address))
        .findFirst()
        .map(
            elastic -> {
              Answer.Builder answer =
                  Answer.builder()
                      .text("publicIp", elastic.publicIp().toString())
                      .text("ipOwnerId", elastic.ownerId());
              if (!inInstance) {
                answer
                    .text("allocationId", elastic.id())
                    .text("associationId", elastic.association().orElseThrow().id());
              }
              return answer.build();
            });
  }

  static void groups(Answer.Builder answer, Collection<SecurityGroup.Reference> groups) {
    answer.items(
        "groupSet",
        groups,
        group ->
            Answer.builder().text("groupId", group.id()).text("groupName", group.name()).build());
  }

  static Answer prefix(String name, Object prefix) {
    return Answer.builder().text(name, prefix.toString()).build();
  }

  /** An attachment as the interface shows it. */
  static Answer attachment(Attachment attachment) {
    return attachmentOfInstance(attachment)
        .text("instanceId", attachment.instanceId())
        .text("instanceOwnerId", attachment.instanceOwnerId())
        .build();
  }

  /** An attachment as the instance shows it, which need not name itself. */
  static Answer.Builder attachmentOfInstance(Attachment attachment) {
    return Answer.builder()
        .text("attachmentId", attachment.id())
        .number("deviceIndex", attachment.device())
        .number("networkCardIndex", attachment.card())
        .text("status", attachment.status().wire())
        .text("attachTime", Values.time(attachment.since()))
        .flag("deleteOnTermination", attachment.deleteOnTermination());
  }
}
