package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Zone;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;
import java.util.function.Predicate;

/** Lists the Availability Zones of the region. */
final class DescribeAvailabilityZones implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("ZoneName"),
          Field.texts("ZoneId"),
          Field.flag("AllAvailabilityZones"),
          Fields.FILTERS,
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    List<Zone> zones = call.region().zones();
    List<String> names = call.parameters().texts("ZoneName");
    List<String> ids = call.parameters().texts("ZoneId");
    requireAll(names, zones.stream().map(Zone::name).toList());
    requireAll(ids, zones.stream().map(Zone::id).toList());
    Predicate<Zone> filter = filters(call).read(call.parameters());
    List<Zone> found =
        zones.stream()
            .filter(zone -> names.isEmpty() || names.contains(zone.name()))
            .filter(zone -> ids.isEmpty() || ids.contains(zone.id()))
            .filter(filter)
            .toList();
    return Answer.builder().items("availabilityZoneInfo", found, zone -> zone(call, zone)).build();
  }

  private static void requireAll(List<String> named, List<String> known) {
    for (String name : named) {
      if (!known.contains(name)) {
        throw Refusal.of("InvalidParameterValue", "Invalid availability zone: [" + name + "]");
      }
    }
  }

  private static Filters<Zone> filters(Call call) {
    return new Filters<Zone>("DescribeAvailabilityZones")
        .by("zone-name", Zone::name)
        .by("zone-id", Zone::id)
        .by("region-name", zone -> call.region().name())
        .by("state", zone -> "available")
        .by("zone-type", zone -> "availability-zone")
        .by("opt-in-status", zone -> "opt-in-not-required");
  }

  private static Answer zone(Call call, Zone zone) {
    return Answer.builder()
        .text("zoneName", zone.name())
        .text("zoneId", zone.id())
        .text("zoneState", "available")
        .text("regionName", call.region().name())
        .text("optInStatus", "opt-in-not-required")
        .text("zoneType", "availability-zone")
        .text("networkBorderGroup", call.region().name())
        .build();
  }
}
