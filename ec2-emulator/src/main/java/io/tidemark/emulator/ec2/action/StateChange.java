package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.protocol.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What the actions that start, stop and terminate have in common. */
final class StateChange {
  private StateChange() {}

  /** Changes every instance named, or none when one of them refuses. */
  static Answer of(Call call, UnaryOperator<Instance> change) {
    List<String> ids = call.parameters().texts("InstanceId").stream().distinct().toList();
    List<Answer> changes = new ArrayList<>();
    for (Instance before : call.needAll(call.region().instances(), ids)) {
      changes.add(InstanceAnswer.change(before, change.apply(before)));
    }
    return Answer.builder().items("instancesSet", changes, answer -> answer).build();
  }
}
