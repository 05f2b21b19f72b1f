package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * One row of the table of actions.
 *
 * @param resourcesOf how many tokens of the action's resource bucket a request takes
 * @param effect changes the region of the call and returns the response, or throws the refusal
 */
record DeclaredAction(
    String name,
    ParameterShape shape,
    ToIntFunction<Parameters> resourcesOf,
    Function<Call, Answer> effect)
    implements Action {
  /** Members of many shapes, to be joined to others. */
  static final String FILTERS = " Filter[]{Name Value[]}";

  static final String PAGES = FILTERS + " MaxResults:int NextToken";
  static final String TAGS = " TagSpecification[]{ResourceType Tag[]{Key Value}}";

  /** An action with {@code DryRun} beside {@code shape}, as {@link ParameterShape#of} reads it. */
  static Action of(String name, String shape, Function<Call, Answer> effect) {
    return counted(name, shape, parameters -> 0, effect);
  }

  /** The same with a resource bucket. */
  static Action counted(
      String name,
      String shape,
      ToIntFunction<Parameters> resourcesOf,
      Function<Call, Answer> effect) {
    return new DeclaredAction(name, ParameterShape.of(shape + " DryRun:flag"), resourcesOf, effect);
  }

  /** One of the few actions that have no {@code DryRun}. */
  static Action withoutDryRun(String name, String shape, Function<Call, Answer> effect) {
    return new DeclaredAction(name, ParameterShape.of(shape), parameters -> 0, effect);
  }

  /** An action that answers {@code true}. */
  static Action doing(String name, String shape, Consumer<Call> effect) {
    return of(
        name,
        shape,
        call -> {
          effect.accept(call);
          return Answer.TRUE;
        });
  }

  @Override
  public Answer answer(Call call) {
    return effect.apply(call);
  }

  @Override
  public int resources(Parameters parameters) {
    return resourcesOf.applyAsInt(parameters);
  }
}
