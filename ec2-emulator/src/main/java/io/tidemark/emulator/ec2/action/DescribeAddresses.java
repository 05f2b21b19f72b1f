package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ElasticAddress;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;
import java.util.Optional;

/** Lists public addresses, all at once: the action has no pages. */
final class DescribeAddresses implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("AllocationId"), Field.texts("PublicIp"), Fields.FILTERS, Fields.DRY_RUN);

  /** Without parameters nothing of it applies. */
  private static final PageRequest.Rule PAGES = new PageRequest.Rule(5, 1000, Optional.empty());

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    List<String> publicIps = call.parameters().texts("PublicIp");
    List<ElasticAddress> found =
        Listing.of(call, call.region().elasticAddresses(), "AllocationId", filters(call), PAGES)
            .resources();
    for (String publicIp : publicIps) {
      if (found.stream().noneMatch(a -> a.publicIp().toString().equals(publicIp))) {
        throw Refusal.of("InvalidAddress.NotFound", "Address '" + publicIp + "' not found.");
      }
    }
    return Answer.builder()
        .items(
            "addressesSet",
            found.stream()
                .filter(a -> publicIps.isEmpty() || publicIps.contains(a.publicIp().toString()))
                .toList(),
            address -> address(call, address))
        .build();
  }

  private static Filters<ElasticAddress> filters(Call call) {
    return new Filters<ElasticAddress>("DescribeAddresses")
        .by("allocation-id", ElasticAddress::id)
        .by("public-ip", address -> address.publicIp().toString())
        .by("network-border-group", address -> call.region().name())
        .byOptional("association-id", a -> a.association().map(x -> x.id()))
        .byOptional("network-interface-id", a -> a.association().map(x -> x.interfaceId()))
        .byOptional(
            "private-ip-address", a -> a.association().map(x -> x.privateAddress().toString()))
        .byOptional(
            "network-interface-owner-id", a -> target(call, a).map(NetworkInterface::ownerId))
        .byOptional("instance-id", a -> instance(call, a))
        .byTags(address -> address.tags().values());
  }

  private static Answer address(Call call, ElasticAddress address) {
    Answer.Builder answer =
        Answer.builder()
            .text("publicIp", address.publicIp().toString())
            .text("allocationId", address.id())
            .text("domain", "vpc")
            .text("publicIpv4Pool", "amazon")
            .text("networkBorderGroup", call.region().name())
            .text("instanceId", instance(call, address))
            .text("networkInterfaceOwnerId", target(call, address).map(NetworkInterface::ownerId));
    address
        .association()
        .ifPresent(
            association ->
                answer
                    .text("associationId", association.id())
                    .text("networkInterfaceId", association.interfaceId())
                    .text("privateIpAddress", association.privateAddress().toString()));
    return TagRules.write(answer, address.tags()).build();
  }

  private static Optional<NetworkInterface> target(Call call, ElasticAddress address) {
    return address
        .association()
        .flatMap(association -> call.region().interfaces().find(association.interfaceId()));
  }

  private static Optional<String> instance(Call call, ElasticAddress address) {
    return target(call, address).flatMap(t -> t.attachment()).map(a -> a.instanceId());
  }
}
