package io.tidemark.provider.aws.ec2;

import static io.tidemark.provider.aws.ec2.Answers.list;
import static io.tidemark.provider.aws.ec2.Answers.number;
import static io.tidemark.provider.aws.ec2.Answers.optional;
import static io.tidemark.provider.aws.ec2.Answers.text;
import static io.tidemark.provider.aws.ec2.Answers.truth;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.Instance.State;
import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.model.Address;
import software.amazon.awssdk.services.ec2.model.InstanceTypeInfo;
import software.amazon.awssdk.services.ec2.model.NetworkCardInfo;
import software.amazon.awssdk.services.ec2.model.NetworkInfo;

/** Reads instances, what their types can carry, and elastic addresses. Pure. */
final class InstanceAnswers {
  private InstanceAnswers() {}

  static Optional<Instance> instance(software.amazon.awssdk.services.ec2.model.Instance answer) {
    return optional(answer.instanceId())
        .map(
            id ->
                new Instance(
                    new InstanceId(id),
                    state(answer.state() == null ? null : answer.state().nameAsString()),
                    Answers.tags(answer.tags())));
  }

  private static State state(@Nullable String name) {
    return switch (text(name)) {
      case "pending" -> State.PENDING;
      case "running" -> State.RUNNING;
      case "shutting-down" -> State.SHUTTING_DOWN;
      case "terminated" -> State.TERMINATED;
      case "stopping" -> State.STOPPING;
      case "stopped" -> State.STOPPED;
      default -> State.UNKNOWN;
    };
  }

  /** The type; empty when its network limits are not told. */
  static Optional<InstanceType> type(InstanceTypeInfo answer) {
    NetworkInfo network = answer.networkInfo();
    if (network == null) {
      return Optional.empty();
    }
    int inAll = number(network.maximumNetworkInterfaces());
    int card0 = card0(network).orElse(inAll);
    int ipv4 = number(network.ipv4AddressesPerInterface());
    return optional(answer.instanceTypeAsString())
        .filter(name -> card0 > 0 && ipv4 > 0)
        .map(
            name ->
                new InstanceType(
                    name,
                    card0,
                    Math.max(card0, inAll),
                    ipv4,
                    number(network.ipv6AddressesPerInterface()),
                    text(answer.hypervisorAsString()),
                    truth(answer.bareMetal())));
  }

  /** The maximum of the type is the sum over its cards, of which only the default one is used. */
  private static Optional<Integer> card0(NetworkInfo network) {
    int index = number(network.defaultNetworkCardIndex());
    List<NetworkCardInfo> cards = list(network.networkCards());
    return cards.stream()
        .filter(card -> number(card.networkCardIndex()) == index)
        .map(card -> number(card.maximumNetworkInterfaces()))
        .findFirst();
  }

  static Optional<ElasticAddress> address(Address answer) {
    return optional(answer.allocationId())
        .flatMap(
            id ->
                optional(answer.publicIp())
                    .flatMap(IpAddress::tryParse)
                    .map(
                        address ->
                            new ElasticAddress(
                                id, address, optional(answer.associationId()).isPresent())));
  }
}
