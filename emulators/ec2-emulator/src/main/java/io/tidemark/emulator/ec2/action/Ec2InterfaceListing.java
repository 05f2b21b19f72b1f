package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Attachment;
import io.tidemark.emulator.ec2.model.Ec2ElasticAddresses;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.InterfaceAddresses;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.Ipv4Address;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Lists network interfaces, and writes them as the service model's NetworkInterface structure. An
 * account with very many must page or use one of six filters, as the action documents.
 */
final class Ec2InterfaceListing {
  private static final Set<String> NARROWING =
      Set.of(
          "group-id mac-address private-dns-name private-ip-address subnet-id vpc-id".split(" "));

  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "DescribeNetworkInterfaces",
              "NetworkInterfaceId[] ~IncludeManagedResources" + DeclaredAction.PAGES,
              Ec2InterfaceListing::describe));

  private static final Ec2Filters<Ec2NetworkInterface> FILTERS =
      new Ec2Filters<Ec2NetworkInterface>("DescribeNetworkInterfaces")
          .by("network-interface-id", Ec2NetworkInterface::id)
          .by("owner-id", Ec2NetworkInterface::ownerId)
          .by("subnet-id", shown -> shown.placement().subnetId())
          .by("vpc-id", shown -> shown.placement().vpcId())
          .by("availability-zone", shown -> shown.placement().zone().name())
          .by("availability-zone-id", shown -> shown.placement().zone().id())
          .by("description", shown -> shown.settings().description())
          .by("interface-type", Ec2NetworkInterface::type)
          .by("mac-address", Ec2NetworkInterface::macAddress)
          .by("status", Ec2NetworkInterface::status)
          .by("requester-managed", shown -> false)
          .by("operator.managed", shown -> false)
          .by("source-dest-check", shown -> shown.settings().sourceDestCheck())
          .by("group-id", shown -> shown.settings().groups().stream().map(g -> g.id()))
          .by("group-name", shown -> shown.settings().groups().stream().map(g -> g.name()))
          .by("private-ip-address", shown -> shown.addresses().first())
          .by("addresses.private-ip-address", shown -> shown.addresses().ipv4())
          .by("addresses.primary", shown -> shown.addresses().ipv4().map(isPrimary(shown)))
          .by("ipv6-addresses.ipv6-address", shown -> shown.addresses().ipv6().stream())
          .by("attachment.attachment-id", attachment(Ec2Attachment::id))
          .by("attachment.instance-id", attachment(Ec2Attachment::instanceId))
          .by("attachment.instance-owner-id", attachment(Ec2Attachment::instanceOwnerId))
          .by("attachment.status", attachment(a -> a.status().wire()))
          .by("attachment.attach-time", attachment(a -> Values.time(a.since())))
          .by("attachment.device-index", attachment(Ec2Attachment::device))
          .by("attachment.network-card-index", attachment(Ec2Attachment::card))
          .by("attachment.delete-on-termination", attachment(Ec2Attachment::deleteOnTermination))
          .byTags(Ec2NetworkInterface::tags);

  private Ec2InterfaceListing() {}

  private static Function<Ipv4Address, Boolean> isPrimary(Ec2NetworkInterface shown) {
    return address -> shown.addresses().first().filter(address::equals).isPresent();
  }

  private static Function<Ec2NetworkInterface, Optional<Object>> attachment(
      Function<Ec2Attachment, Object> reader) {
    return shown -> shown.attachment().map(reader);
  }

  private static Answer describe(Call call) {
    Parameters parameters = call.parameters();
    Table<Ec2NetworkInterface> all = call.region().interfaces();
    boolean bounded =
        Stream.of("MaxResults", "NextToken", "NetworkInterfaceId").anyMatch(parameters::has)
            || parameters.structures("Filter").stream()
                .anyMatch(filter -> NARROWING.contains(filter.text("Name").orElse("")));
    Ec2Refusal.when(
        !bounded && all.countOf(call.account()) > call.region().quota(Quota.UNPAGED_INTERFACES),
        "OperationNotPermitted",
        "The account has too many network interfaces to list them without pagination;"
            + " specify MaxResults or a filter on group-id, mac-address, private-dns-name,"
            + " private-ip-address, subnet-id or vpc-id.");
    return Listing.of(call, all, "NetworkInterfaceId", 1000, FILTERS)
        .answer(call, "networkInterfaceSet", (by, shown) -> shown(by, shown, shown.status()));
  }

  /**
   * An interface as listings show it.
   *
   * @param status its own, or {@code pending}, which EC2 answers to the creation ("Example",
   *     CreateNetworkInterface)
   */
  static Answer shown(Call call, Ec2NetworkInterface shown, String status) {
    Answer answer =
        Answer.of("networkInterfaceId", shown.id())
            .put("subnetId", shown.placement().subnetId())
            .put("vpcId", shown.placement().vpcId())
            .put("availabilityZone", shown.placement().zone().name())
            .put("availabilityZoneId", shown.placement().zone().id())
            .put("description", shown.settings().description())
            .put("ownerId", shown.ownerId())
            .put("requesterManaged", false)
            .put("status", status)
            .put("macAddress", shown.macAddress())
            .put("interfaceType", shown.type())
            .put("sourceDestCheck", shown.settings().sourceDestCheck())
            .put("attachment", shown.attachment().map(Ec2InterfaceListing::shown));
    addresses(answer, call, shown, false);
    return answer.put("tagSet", TagRules.shown(shown.tags()));
  }

  /** An interface as its instance shows it. */
  static Answer ofInstance(Call call, Ec2NetworkInterface shown) {
    Answer answer =
        Answer.of("networkInterfaceId", shown.id())
            .put("subnetId", shown.placement().subnetId())
            .put("vpcId", shown.placement().vpcId())
            .put("description", shown.settings().description())
            .put("ownerId", shown.ownerId())
            .put("status", shown.status())
            .put("macAddress", shown.macAddress())
            .put("interfaceType", shown.type())
            .put("sourceDestCheck", shown.settings().sourceDestCheck())
            .put("attachment", shown.attachment().map(Ec2InterfaceListing::attachmentOfInstance));
    addresses(answer, call, shown, true);
    return answer;
  }

  /** Tracking, groups and addresses, the same in this structure and in an instance's. */
  private static void addresses(
      Answer answer, Call call, Ec2NetworkInterface shown, boolean inInstance) {
    InterfaceAddresses held = shown.addresses();
    Region region = call.region();
    answer
        .put(
            "connectionTrackingConfiguration",
            InterfaceAttributes.shown(shown.settings().tracking()))
        .put("groupSet", groups(shown))
        .put("association", held.first().flatMap(a -> association(call, shown, a, inInstance)))
        .put("privateIpAddress", held.first())
        .put("privateDnsName", held.first().map(region::privateDnsName))
        .items(
            "privateIpAddressesSet",
            held.ipv4().toList(),
            address ->
                Answer.of("privateIpAddress", address)
                    .put("privateDnsName", region.privateDnsName(address))
                    .put("primary", held.first().filter(address::equals).isPresent())
                    .put("association", association(call, shown, address, inInstance)))
        .items("ipv6AddressesSet", held.ipv6(), address -> Answer.of("ipv6Address", address));
    if (!held.prefixes().isEmpty()) {
      answer.items("ipv4PrefixSet", held.prefixes(), p -> Answer.of("ipv4Prefix", p));
    }
    if (!held.ipv6Prefixes().isEmpty()) {
      answer.items("ipv6PrefixSet", held.ipv6Prefixes(), p -> Answer.of("ipv6Prefix", p));
    }
  }

  /** The public address that stands for a private one; an instance shows less of it. */
  private static Optional<Answer> association(
      Call call, Ec2NetworkInterface shown, Ipv4Address address, boolean inInstance) {
    return new Ec2ElasticAddresses(call.region())
        .of(shown.id())
        .filter(a -> a.association().orElseThrow().privateAddress().equals(address))
        .findFirst()
        .map(
            elastic -> {
              Answer answer =
                  Answer.of("publicIp", elastic.publicIp()).put("ipOwnerId", elastic.ownerId());
              if (!inInstance) {
                answer
                    .put("allocationId", elastic.id())
                    .put("associationId", elastic.association().orElseThrow().id());
              }
              return answer;
            });
  }

  static List<Answer> groups(Ec2NetworkInterface shown) {
    return shown.settings().groups().stream()
        .map(g -> Answer.of("groupId", g.id()).put("groupName", g.name()))
        .toList();
  }

  /** An attachment as the interface shows it. */
  static Answer shown(Ec2Attachment attachment) {
    return attachmentOfInstance(attachment)
        .put("instanceId", attachment.instanceId())
        .put("instanceOwnerId", attachment.instanceOwnerId());
  }

  /** An attachment as the instance shows it, which need not name itself. */
  private static Answer attachmentOfInstance(Ec2Attachment attachment) {
    return Answer.of("attachmentId", attachment.id())
        .put("deviceIndex", attachment.device())
        .put("networkCardIndex", attachment.card())
        .put("status", attachment.status().wire())
        .put("attachTime", Values.time(attachment.since()))
        .put("deleteOnTermination", attachment.deleteOnTermination());
  }
}
