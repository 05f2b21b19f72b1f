package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Attachment;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Changes one attribute: description, groups, source/destination check or the attachment. */
final class ModifyNetworkInterfaceAttribute implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("NetworkInterfaceId").mandatory(),
          Field.structure("Description", Field.text("Value")),
          Field.structure("SourceDestCheck", Field.flag("Value")),
          Field.texts("SecurityGroupId"),
          Field.structure(
              "Attachment",
              Field.text("AttachmentId"),
              Field.flag("DeleteOnTermination"),
              Field.unsupported("DefaultEnaQueueCount"),
              Field.unsupported("EnaQueueCount")),
          Field.unsupported("EnaSrdSpecification"),
          Field.unsupported("EnablePrimaryIpv6"),
          Field.unsupported("ConnectionTrackingSpecification"),
          Field.unsupported("AssociatePublicIpAddress"),
          Field.unsupported("AssociatedSubnetId"),
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    requireOne(parameters);
    NetworkInterface present =
        call.need(call.region().interfaces(), parameters.need("NetworkInterfaceId"));
    call.region().interfaces().put(changed(call, parameters, present));
    return Answer.TRUE;
  }

  private static void requireOne(Parameters parameters) {
    List<String> given =
        Stream.of("Description", "SourceDestCheck", "SecurityGroupId", "Attachment")
            .filter(parameters::has)
            .toList();
    if (given.isEmpty()) {
      throw Refusal.of("InvalidParameterCombination", "No attributes specified.");
    }
    if (given.size() > 1) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "Fields for multiple attribute types specified: " + String.join(", ", given));
    }
  }

  private static NetworkInterface changed(
      Call call, Parameters parameters, NetworkInterface present) {
    if (parameters.has("Attachment")) {
      return present.withAttachment(Optional.of(attachment(call, parameters, present)));
    }
    requireOwner(call, present);
    NetworkInterface.Settings settings = present.settings();
    if (parameters.has("SecurityGroupId")) {
      return present.withSettings(
          settings.withGroups(
              GroupChoice.of(
                  call, present.placement().vpcId(), parameters.texts("SecurityGroupId"))));
    }
    Optional<String> description = value(parameters, "Description");
    if (description.isPresent()) {
      return present.withSettings(settings.withDescription(description.get()));
    }
    return present.withSettings(
        settings.withSourceDestCheck(
            value(parameters, "SourceDestCheck")
                .map(Boolean::parseBoolean)
                .orElseThrow(() -> ParameterShape.missing("sourceDestCheck.value"))));
  }

  private static Attachment attachment(Call call, Parameters parameters, NetworkInterface present) {
    Parameters wanted = parameters.structure("Attachment").orElseThrow();
    String id =
        wanted
            .text("AttachmentId")
            .orElseThrow(() -> ParameterShape.missing("attachment.attachmentId"));
    ResourceType.ATTACHMENT.requireWellFormed(id);
    Attachment attachment =
        present
            .attachment()
            .filter(a -> a.id().equals(id))
            .orElseThrow(() -> ResourceType.ATTACHMENT.notFound(id));
    if (!attachment.instanceOwnerId().equals(call.account())) {
      requireOwner(call, present);
    }
    return attachment.withDeleteOnTermination(
        wanted
            .flag("DeleteOnTermination")
            .orElseThrow(() -> ParameterShape.missing("attachment.deleteOnTermination")));
  }

  private static void requireOwner(Call call, NetworkInterface present) {
    call.needOwn(call.region().interfaces(), present.id());
  }

  private static Optional<String> value(Parameters parameters, String name) {
    return parameters.structure(name).flatMap(structure -> structure.text("Value"));
  }
}
