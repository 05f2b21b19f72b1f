package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.AddressRequest;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Interfaces;
import io.tidemark.emulator.ec2.model.Ipv6Request;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.List;

/** Makes a network interface in a subnet. */
final class CreateNetworkInterface implements Action {
  private static final List<String> TYPES =
      List.of("interface", "efa", NetworkInterface.EFA_ONLY, "trunk");

  private static final ParameterShape SHAPE =
      ParameterShape.of(
              Field.text("SubnetId").mandatory(),
              Field.text("Description"),
              Field.texts("SecurityGroupId"),
              Field.text("InterfaceType"),
              Field.text("ClientToken"),
              Field.unsupported("EnablePrimaryIpv6"),
              TrackingRequests.FIELD,
              Field.unsupported("Operator"),
              Fields.TAG_SPECIFICATIONS,
              Fields.DRY_RUN)
          .plus(AddressRequests.OF_NEW.toArray(Field[]::new))
          .plus(Ipv6Requests.OF_NEW.toArray(Field[]::new));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    AddressRequest addresses = AddressRequests.ofNew(parameters);
    Ipv6Request ipv6 = Ipv6Requests.ofNew(parameters);
    String type = InterfaceTypes.read(parameters, TYPES);
    InterfaceTypes.requireFits(type, addresses, ipv6);
    Subnet subnet = call.need(call.region().subnets(), parameters.need("SubnetId"));
    Interfaces.Plan plan =
        new Interfaces.Plan(
            call.account(),
            type,
            new NetworkInterface.Settings(
                parameters.text("Description").orElse(""),
                GroupChoice.of(call, subnet.vpcId(), parameters.texts("SecurityGroupId")),
                true,
                TrackingRequests.ofNew(parameters)),
            call.isPartial() ? addresses.half() : addresses,
            addresses.named().plus(ipv6.named()),
            ipv6,
            TagRules.ofNew(call, ResourceType.NETWORK_INTERFACE));
    NetworkInterface made = call.region().interfaceRules().create(subnet, plan);
    return Answer.builder()
        .nested("networkInterface", InterfaceAnswer.of(call, made, "pending"))
        .text("clientToken", parameters.text("ClientToken"))
        .build();
  }
}
