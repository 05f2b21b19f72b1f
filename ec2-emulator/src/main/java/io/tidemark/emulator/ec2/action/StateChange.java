package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.Instances;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Starts, stops or terminates every instance named, or none when one of them refuses.
 *
 * @param change of one instance
 */
record StateChange(
    String name, ParameterShape shape, BiFunction<Instances, Instance, Instance> change)
    implements Action {
  /** Starts stopped instances. */
  static StateChange start() {
    return of("StartInstances", Instances::start, "AdditionalInfo");
  }

  /** Stops instances; their interfaces and addresses stay. */
  static StateChange stop() {
    return of("StopInstances", Instances::stop, "Hibernate", "SkipOsShutdown", "Force");
  }

  /** Terminates instances; each attachment says whether its interface is deleted. */
  static StateChange terminate() {
    return of("TerminateInstances", Instances::terminate, "Force", "SkipOsShutdown");
  }

  private static StateChange of(
      String name, BiFunction<Instances, Instance, Instance> change, String... ignored) {
    Stream<Field> fields =
        Stream.of(
                Stream.of(Field.texts("InstanceId").mandatory()),
                Stream.of(ignored).map(Field::ignored),
                Stream.of(Fields.DRY_RUN))
            .flatMap(each -> each);
    return new StateChange(name, ParameterShape.of(fields.toArray(Field[]::new)), change);
  }

  @Override
  public int resources(Parameters parameters) {
    return parameters.texts("InstanceId").size();
  }

  @Override
  public Answer answer(Call call) {
    Instances rules = call.region().instanceRules();
    List<String> ids = call.parameters().texts("InstanceId").stream().distinct().toList();
    List<Answer> changes = new ArrayList<>();
    for (Instance before : call.needAll(call.region().instances(), ids)) {
      changes.add(InstanceAnswer.change(before, change.apply(rules, before)));
    }
    return Answer.builder().items("instancesSet", changes, answer -> answer).build();
  }
}
