package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Attachment;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Lists network interfaces. An account with very many must page or use one of six filters, as the
 * action documents.
 */
final class DescribeNetworkInterfaces implements Action {
  private static final Set<String> NARROWING =
      Set.of(
          "group-id",
          "mac-address",
          "private-dns-name",
          "private-ip-address",
          "subnet-id",
          "vpc-id");

  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("NetworkInterfaceId"),
          Field.ignored("IncludeManagedResources"),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

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
          .by("requester-managed", shown -> "false")
          .by("operator.managed", shown -> "false")
          .by("source-dest-check", s -> Boolean.toString(s.settings().sourceDestCheck()))
          .byEach("group-id", shown -> shown.settings().groups().stream().map(g -> g.id()))
          .byEach("group-name", shown -> shown.settings().groups().stream().map(g -> g.name()))
          .byOptional(
              "private-ip-address", shown -> shown.addresses().first().map(a -> a.toString()))
          .byEach(
              "addresses.private-ip-address",
              shown -> shown.addresses().ipv4().map(a -> a.toString()))
          .byEach(
              "addresses.primary",
              shown ->
                  shown
                      .addresses()
                      .ipv4()
                      .map(
                          a ->
                              Boolean.toString(
                                  shown.addresses().first().filter(a::equals).isPresent())))
          .byEach(
              "ipv6-addresses.ipv6-address",
              shown -> shown.addresses().ipv6().stream().map(a -> a.toString()))
          .byOptional("attachment.attachment-id", attachment(Attachment::id))
          .byOptional("attachment.instance-id", attachment(Attachment::instanceId))
          .byOptional("attachment.instance-owner-id", attachment(Attachment::instanceOwnerId))
          .byOptional("attachment.status", attachment(a -> a.status().wire()))
          .byOptional("attachment.attach-time", attachment(a -> Values.time(a.since())))
          .byOptional("attachment.device-index", attachment(a -> Integer.toString(a.device())))
          .byOptional("attachment.network-card-index", attachment(a -> Integer.toString(a.card())))
          .byOptional(
              "attachment.delete-on-termination",
              attachment(a -> Boolean.toString(a.deleteOnTermination())))
          .byTags(shown -> shown.tags().values());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    requireBounds(call);
    Listing<NetworkInterface> listing =
        Listing.of(
            call,
            call.region().interfaces(),
            "NetworkInterfaceId",
            FILTERS,
            PageRequest.thousand("NetworkInterfaceId"));
    return Answer.builder()
        .items("networkInterfaceSet", listing.resources(), shown -> InterfaceAnswer.of(call, shown))
        .text("nextToken", listing.nextToken())
        .build();
  }

  private static void requireBounds(Call call) {
    Parameters parameters = call.parameters();
    boolean bounded =
        parameters.has("MaxResults")
            || parameters.has("NextToken")
            || parameters.has("NetworkInterfaceId")
            || parameters.structures("Filter").stream()
                .anyMatch(filter -> NARROWING.contains(filter.text("Name").orElse("")));
    if (!bounded
        && call.region().interfaces().countOf(call.account())
            > call.region().quotas().unpagedInterfaces()) {
      throw Refusal.of(
          "OperationNotPermitted",
          "The account has too many network interfaces to list them without pagination;"
              + " specify MaxResults or a filter on group-id, mac-address, private-dns-name,"
              + " private-ip-address, subnet-id or vpc-id.");
    }
  }

  private static Function<NetworkInterface, Optional<String>> attachment(
      Function<Attachment, String> reader) {
    return shown -> shown.attachment().map(reader);
  }
}
