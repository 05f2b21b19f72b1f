package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists instances by the launch they come from; MaxResults counts instances. */
final class DescribeInstances implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("InstanceId"),
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
    Listing<Instance> listing =
        Listing.of(
            call,
            call.region().instances(),
            "InstanceId",
            InstanceFilters.in(call),
            PageRequest.thousand("InstanceId"));
    Map<String, List<Instance>> launches = new LinkedHashMap<>();
    for (Instance instance : listing.resources()) {
      launches
          .computeIfAbsent(instance.launch().reservationId(), id -> new ArrayList<>())
          .add(instance);
    }
    Optional<String> nextToken = listing.nextToken();
    return Answer.builder()
        .items(
            "reservationSet",
            launches.values(),
            instances -> InstanceAnswer.seenReservation(call, instances))
        .text("nextToken", nextToken)
        .build();
  }
}
