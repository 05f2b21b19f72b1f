package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import java.util.List;

/** Takes secondary addresses and prefixes off an interface, all that are named or none. */
final class UnassignPrivateIpAddresses implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("NetworkInterfaceId").mandatory(),
          Field.texts("PrivateIpAddress"),
          Field.texts("Ipv4Prefix"));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    List<Ipv4Address> addresses = AddressRequests.addresses(parameters);
    List<Cidr> prefixes = AddressRequests.prefixes(parameters);
    if (addresses.isEmpty() && prefixes.isEmpty()) {
      throw ParameterShape.missing("privateIpAddresses or ipv4Prefixes");
    }
    NetworkInterface from =
        call.needOwn(call.region().interfaces(), parameters.need("NetworkInterfaceId"));
    call.region().interfaceRules().unassign(from, addresses, prefixes);
    return Answer.TRUE;
  }
}
