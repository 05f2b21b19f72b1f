package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ipv6Assignment;
import io.tidemark.emulator.ec2.model.Ipv6Request;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;

/** Adds IPv6 addresses or prefixes to an interface; the answer lists what was added. */
final class AssignIpv6Addresses implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.text("NetworkInterfaceId").mandatory())
          .plus(Ipv6Requests.OF_ASSIGNMENT.toArray(Field[]::new));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Ipv6Request wanted = Ipv6Requests.ofAssignment(call.parameters());
    NetworkInterface target =
        call.needOwn(call.region().interfaces(), call.parameters().need("NetworkInterfaceId"));
    Ipv6Assignment.Assigned assigned = call.region().ipv6().assign(target, wanted);
    return Answer.builder()
        .text("networkInterfaceId", target.id())
        .texts(
            "assignedIpv6Addresses", assigned.addresses().stream().map(a -> a.toString()).toList())
        .texts(
            "assignedIpv6PrefixSet", assigned.prefixes().stream().map(p -> p.toString()).toList())
        .build();
  }
}
