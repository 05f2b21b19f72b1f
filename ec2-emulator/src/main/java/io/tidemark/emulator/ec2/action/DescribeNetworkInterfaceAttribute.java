package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Shows one attribute of an interface. */
final class DescribeNetworkInterfaceAttribute implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("NetworkInterfaceId").mandatory(), Field.text("Attribute"), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    String id = call.parameters().need("NetworkInterfaceId");
    call.region().interfaces().type().requireWellFormed(id);
    NetworkInterface shown =
        call.seen(call.region().interfaces(), id)
            .orElseThrow(() -> call.region().interfaces().type().notFound(id));
    String attribute =
        call.parameters().text("Attribute").orElseThrow(() -> ParameterShape.missing("attribute"));
    Answer.Builder answer = Answer.builder().text("networkInterfaceId", shown.id());
    switch (attribute) {
      case "description" -> answer.nested("description", value(shown.settings().description()));
      case "sourceDestCheck" ->
          answer.nested(
              "sourceDestCheck", value(Boolean.toString(shown.settings().sourceDestCheck())));
      case "groupSet" -> InterfaceAnswer.groups(answer, shown.settings().groups());
      case "attachment" ->
          answer.nested("attachment", shown.attachment().map(InterfaceAnswer::attachment));
      case "associatePublicIpAddress" ->
          throw Refusal.of(
              "UnsupportedOperation", "The emulator does not support the attribute " + attribute);
      default -> throw Values.invalid(attribute, "attribute", "It is not an attribute.");
    }
    return answer.build();
  }

  private static Answer value(String text) {
    return Answer.builder().text("value", text).build();
  }
}
