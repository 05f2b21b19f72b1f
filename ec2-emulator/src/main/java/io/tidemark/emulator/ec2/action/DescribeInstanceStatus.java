package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.List;
import java.util.Optional;

/** Lists the status checks of instances; of running ones alone unless all are asked for. */
final class DescribeInstanceStatus implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("InstanceId"),
          Field.flag("IncludeAllInstances"),
          Field.ignored("IncludeManagedResources"),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    boolean all = call.parameters().isSet("IncludeAllInstances");
    Listing<Instance> listing =
        Listing.of(
            call,
            call.region().instances(),
            "InstanceId",
            filters().only(instance -> all || isRunning(instance)),
            PageRequest.thousand("InstanceId"));
    Optional<String> nextToken = listing.nextToken();
    return Answer.builder()
        .items("instanceStatusSet", listing.resources(), DescribeInstanceStatus::status)
        .text("nextToken", nextToken)
        .build();
  }

  private static Filters<Instance> filters() {
    return new Filters<Instance>("DescribeInstanceStatus")
        .by("availability-zone", instance -> instance.placement().zone().name())
        .by("availability-zone-id", instance -> instance.placement().zone().id())
        .by("instance-state-name", instance -> instance.state().wire())
        .by("instance-state-code", instance -> Integer.toString(instance.state().code()))
        .by("instance-status.status", DescribeInstanceStatus::summary)
        .by("system-status.status", DescribeInstanceStatus::summary)
        .byOptional("instance-status.reachability", DescribeInstanceStatus::reachability)
        .byOptional("system-status.reachability", DescribeInstanceStatus::reachability);
  }

  private static boolean isRunning(Instance instance) {
    return instance.state() == InstanceState.RUNNING;
  }

  private static String summary(Instance instance) {
    return isRunning(instance) ? "ok" : "not-applicable";
  }

  private static Optional<String> reachability(Instance instance) {
    return isRunning(instance) ? Optional.of("passed") : Optional.empty();
  }

  private static Answer status(Instance instance) {
    return Answer.builder()
        .text("instanceId", instance.id())
        .text("availabilityZone", instance.placement().zone().name())
        .text("availabilityZoneId", instance.placement().zone().id())
        .nested("instanceState", InstanceAnswer.state(instance.state()))
        .nested("instanceStatus", check(instance))
        .nested("systemStatus", check(instance))
        .build();
  }

  private static Answer check(Instance instance) {
    List<String> details = reachability(instance).map(List::of).orElse(List.of());
    return Answer.builder()
        .text("status", summary(instance))
        .items(
            "details",
            details,
            passed -> Answer.builder().text("name", "reachability").text("status", passed).build())
        .build();
  }
}
