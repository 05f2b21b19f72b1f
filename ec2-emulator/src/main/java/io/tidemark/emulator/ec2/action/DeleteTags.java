package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Tags;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.List;
import java.util.Optional;

/**
 * Takes tags off resources: those with a key, or with key and value when a value is given, or all
 * when no tag is named. A tag that is not there is no error.
 */
final class DeleteTags implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.texts("ResourceId").mandatory(), Fields.TAGS, Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    List<Parameters> unwanted = call.parameters().structures("Tag");
    unwanted.forEach(tag -> TagRules.requireKey(tag.text("Key").orElse("")));
    TaggedResources.change(
        call, call.parameters().texts("ResourceId"), present -> without(present, unwanted));
    return Answer.TRUE;
  }

  private static Tags without(Tags present, List<Parameters> unwanted) {
    if (unwanted.isEmpty()) {
      return Tags.NONE;
    }
    Tags left = present;
    for (Parameters tag : unwanted) {
      String key = tag.need("Key");
      Optional<String> value = tag.text("Value");
      Optional<String> there = Optional.ofNullable(left.values().get(key));
      if (value.isEmpty() || value.equals(there)) {
        left = left.minus(key);
      }
    }
    return left;
  }
}
