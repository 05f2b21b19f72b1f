package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Shape;

/** Starts stopped instances. */
final class StartInstances implements Action {
  private static final Shape SHAPE =
      Shape.of(
          Field.texts("InstanceId").mandatory(), Field.ignored("AdditionalInfo"), Fields.DRY_RUN);

  @Override
  public String name() {
    return "StartInstances";
  }

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public int resources(Parameters parameters) {
    return parameters.texts("InstanceId").size();
  }

  @Override
  public Answer answer(Call call) {
    return StateChange.of(call, call.region().instanceRules()::start);
  }
}
