package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv6Address;
import java.util.List;

/** Takes IPv6 addresses and prefixes off an interface, all that are named or none. */
final class UnassignIpv6Addresses implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("NetworkInterfaceId").mandatory(),
          Field.texts("Ipv6Addresses"),
          Field.texts("Ipv6Prefix"));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    List<Ipv6Address> addresses = Ipv6Requests.addresses(call.parameters().texts("Ipv6Addresses"));
    List<Cidr> prefixes = Ipv6Requests.prefixes(call.parameters().texts("Ipv6Prefix"));
    if (addresses.isEmpty() && prefixes.isEmpty()) {
      throw ParameterShape.missing("ipv6Addresses or ipv6Prefixes");
    }
    NetworkInterface from =
        call.needOwn(call.region().interfaces(), call.parameters().need("NetworkInterfaceId"));
    call.region().ipv6().unassign(from, addresses, prefixes);
    return Answer.builder()
        .text("networkInterfaceId", from.id())
        .texts("unassignedIpv6Addresses", addresses.stream().map(a -> a.toString()).toList())
        .texts("unassignedIpv6PrefixSet", prefixes.stream().map(p -> p.toString()).toList())
        .build();
  }
}
