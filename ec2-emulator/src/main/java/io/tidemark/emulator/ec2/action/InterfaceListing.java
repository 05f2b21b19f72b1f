package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Attachment;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Ipv4Address;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Lists network interfaces. An account with very many must page or use one of six filters, as the
 * action documents.
 */
final class InterfaceListing {
  private static final Set<String> NARROWING =
      Set.of(
          "group-id mac-address private-dns-name private-ip-address subnet-id vpc-id".split(" "));

  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "DescribeNetworkInterfaces",
              "NetworkInterfaceId[] ~IncludeManagedResources" + DeclaredAction.PAGES,
              InterfaceListing::describe));

  private static final Filters<NetworkInterface> FILTERS =
      new Filters<NetworkInterface>("DescribeNetworkInterfaces")
          .by("network-interface-id", NetworkInterface::id)
          .by("owner-id", NetworkInterface::ownerId)
          .by("subnet-id", shown -> shown.placement().subnetId())
          .by("vpc-id", shown -> shown.placement().vpcId())
          .by("availability-zone", shown -> shown.placement().zone().name())
          .by("availability-zone-id", shown -> shown.placement().zone().id())
          .by("description", shown -> shown.settings().description())
          .by("interface-type", NetworkInterface::type)
          .by("mac-address", NetworkInterface::macAddress)
          .by("status", NetworkInterface::status)
          .by("requester-managed", shown -> false)
          .by("operator.managed", shown -> false)
          .by("source-dest-check", shown -> shown.settings().sourceDestCheck())
          .by("group-id", shown -> shown.settings().groups().stream().map(g -> g.id()))
          .by("group-name", shown -> shown.settings().groups().stream().map(g -> g.name()))
          .by("private-ip-address", shown -> shown.addresses().first())
          .by("addresses.private-ip-address", shown -> shown.addresses().ipv4())
          .by("addresses.primary", shown -> shown.addresses().ipv4().map(isPrimary(shown)))
          .by("ipv6-addresses.ipv6-address", shown -> shown.addresses().ipv6().stream())
          .by("attachment.attachment-id", attachment(Attachment::id))
          .by("attachment.instance-id", attachment(Attachment::instanceId))
          .by("attachment.instance-owner-id", attachment(Attachment::instanceOwnerId))
          .by("attachment.status", attachment(a -> a.status().wire()))
          .by("attachment.attach-time", attachment(a -> Values.time(a.since())))
          .by("attachment.device-index", attachment(Attachment::device))
          .by("attachment.network-card-index", attachment(Attachment::card))
          .by("attachment.delete-on-termination", attachment(Attachment::deleteOnTermination))
          .byTags(NetworkInterface::tags);

  private InterfaceListing() {}

  private static Function<Ipv4Address, Boolean> isPrimary(NetworkInterface shown) {
    return address -> shown.addresses().first().filter(address::equals).isPresent();
  }

  private static Function<NetworkInterface, Optional<Object>> attachment(
      Function<Attachment, Object> reader) {
    return shown -> shown.attachment().map(reader);
  }

  private static Answer describe(Call call) {
    Parameters parameters = call.parameters();
    Table<NetworkInterface> all = call.region().interfaces();
    boolean bounded =
        Stream.of("MaxResults", "NextToken", "NetworkInterfaceId").anyMatch(parameters::has)
            || parameters.structures("Filter").stream()
                .anyMatch(filter -> NARROWING.contains(filter.text("Name").orElse("")));
    Refusal.when(
        !bounded && all.countOf(call.account()) > call.region().quotas().unpagedInterfaces(),
        "OperationNotPermitted",
        "The account has too many network interfaces to list them without pagination;"
            + " specify MaxResults or a filter on group-id, mac-address, private-dns-name,"
            + " private-ip-address, subnet-id or vpc-id.");
    return Listing.of(call, all, "NetworkInterfaceId", 1000, FILTERS)
        .answer(
            call,
            "networkInterfaceSet",
            (by, shown) -> InterfaceAnswer.of(by, shown, shown.status()));
  }
}
