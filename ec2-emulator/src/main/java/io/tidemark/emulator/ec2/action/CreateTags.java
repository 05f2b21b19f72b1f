package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.Map;

/** Adds or overwrites tags of any resources of the caller, of all or of none. */
final class CreateTags implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("ResourceId").mandatory(), Fields.TAGS.mandatory(), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Map<String, String> tags = TagRules.read(call.parameters());
    TaggedResources.change(
        call,
        call.parameters().texts("ResourceId"),
        present -> TagRules.checked(call, present.plus(tags)));
    return Answer.TRUE;
  }
}
