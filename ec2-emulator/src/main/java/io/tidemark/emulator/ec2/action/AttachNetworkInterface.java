package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Attachment;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.Instances;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;

/**
 * Attaches an interface to a running or stopped instance of the caller. It is not deleted with the
 * instance unless ModifyNetworkInterfaceAttribute says so.
 */
final class AttachNetworkInterface implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("NetworkInterfaceId").mandatory(),
          Field.text("InstanceId").mandatory(),
          Field.integer("DeviceIndex").mandatory(),
          Field.integer("NetworkCardIndex"),
          Field.unsupported("EnaSrdSpecification"),
          Field.unsupported("EnaQueueCount"),
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    NetworkInterface attached =
        call.need(call.region().interfaces(), parameters.need("NetworkInterfaceId"));
    if (!attached.permitted().contains(call.account())) {
      call.needOwn(call.region().interfaces(), attached.id());
    }
    Instance instance = call.need(call.region().instances(), parameters.need("InstanceId"));
    int device = Values.count(parameters.integer("DeviceIndex").orElse(0), "deviceIndex");
    int card = parameters.integer("NetworkCardIndex").orElse(0);
    Attachment attachment =
        call.region()
            .instanceRules()
            .attach(attached, instance, new Instances.Slot(card, device, false), false);
    return Answer.builder()
        .text("attachmentId", attachment.id())
        .number("networkCardIndex", attachment.card())
        .build();
  }
}
