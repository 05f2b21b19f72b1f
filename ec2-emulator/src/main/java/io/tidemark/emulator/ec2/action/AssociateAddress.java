package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ElasticAddress;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Ipv4Address;

/**
 * Lets a public address stand for a private one. What it stood for before is given up, unless
 * AllowReassociation is false.
 */
final class AssociateAddress implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("AllocationId"),
          Field.text("NetworkInterfaceId"),
          Field.text("InstanceId"),
          Field.text("PrivateIpAddress"),
          Field.flag("AllowReassociation"),
          Field.unsupported("PublicIp"),
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    String id =
        parameters.text("AllocationId").orElseThrow(() -> ParameterShape.missing("allocationId"));
    ElasticAddress address = call.needOwn(region.elasticAddresses(), id);
    NetworkInterface target = target(call);
    requireNotPending(region, target);
    Ipv4Address privateAddress =
        parameters
            .text("PrivateIpAddress")
            .map(text -> Values.ipv4(text, "privateIpAddress"))
            .or(() -> target.addresses().first())
            .orElseThrow(
                () ->
                    Refusal.of(
                        "InvalidParameterValue",
                        "The EFA-only network interface '"
                            + target.id()
                            + "' does not support IP addresses"));
    ElasticAddress.Association made =
        region
            .elasticRules()
            .associate(
                address,
                target,
                privateAddress,
                parameters.flag("AllowReassociation").orElse(true));
    return Answer.builder().flag("return", true).text("associationId", made.id()).build();
  }

  /** The interface that is named, or the only one of the instance that is named. */
  private static NetworkInterface target(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    if (parameters.has("NetworkInterfaceId")) {
      if (parameters.has("InstanceId")) {
        throw Refusal.of(
            "InvalidParameterCombination",
            "The parameter instanceId cannot be used with the parameter networkInterfaceId");
      }
      return call.need(region.interfaces(), parameters.need("NetworkInterfaceId"));
    }
    Instance instance =
        call.need(
            region.instances(),
            parameters
                .text("InstanceId")
                .orElseThrow(() -> ParameterShape.missing("instanceId or networkInterfaceId")));
    if (instance.interfaceIds().size() != 1) {
      throw Refusal.of(
          "InvalidInstanceID",
          "There are multiple interfaces attached to instance '"
              + instance.id()
              + "'. Please specify an interface ID for the operation instead.");
    }
    return region.interfaces().find(instance.interfaceIds().get(0)).orElseThrow();
  }

  private static void requireNotPending(Region region, NetworkInterface target) {
    target
        .attachment()
        .flatMap(attachment -> region.instances().find(attachment.instanceId()))
        .filter(instance -> instance.state() == InstanceState.PENDING)
        .ifPresent(
            instance -> {
              throw Refusal.of(
                  "IncorrectInstanceState",
                  "The pending instance to which '"
                      + target.id()
                      + "' is attached is not in a valid state for this operation");
            });
  }
}
