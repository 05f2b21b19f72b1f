package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.AddressRequest;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Interfaces;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;

/** Adds secondary addresses or prefixes to an interface; the answer lists what was added. */
final class AssignPrivateIpAddresses implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("NetworkInterfaceId").mandatory(),
          Field.texts("PrivateIpAddress"),
          Field.integer("SecondaryPrivateIpAddressCount"),
          Field.texts("Ipv4Prefix"),
          Field.integer("Ipv4PrefixCount"),
          Field.flag("AllowReassignment"));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    AddressRequest wanted = AddressRequests.ofAssignment(parameters);
    NetworkInterface target =
        call.needOwn(call.region().interfaces(), parameters.need("NetworkInterfaceId"));
    Interfaces.Assigned assigned =
        call.region()
            .interfaceRules()
            .assign(
                target,
                call.isPartial() ? wanted.half() : wanted,
                parameters.isSet("AllowReassignment"));
    Answer.Builder answer = Answer.builder().text("networkInterfaceId", target.id());
    if (wanted.wantsPrefixes()) {
      answer.items(
          "assignedIpv4PrefixSet",
          assigned.prefixes(),
          prefix -> InterfaceAnswer.prefix("ipv4Prefix", prefix));
    } else {
      answer.items(
          "assignedPrivateIpAddressesSet",
          assigned.addresses(),
          address -> Answer.builder().text("privateIpAddress", address.toString()).build());
    }
    return answer.flag("return", true).build();
  }
}
