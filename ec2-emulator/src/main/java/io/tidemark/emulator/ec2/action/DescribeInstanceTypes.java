package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.emulator.ec2.types.InstanceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Lists instance types with their limits, by name. */
final class DescribeInstanceTypes implements Action {
  /** Documented for InstanceTypes. */
  private static final int NAMES_MAX = 100;

  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("InstanceType"),
          Field.ignored("IncludeUnsupportedInRegion"),
          Fields.FILTERS,
          Fields.MAX_RESULTS,
          Fields.NEXT_TOKEN,
          Fields.DRY_RUN);

  private static final Filters<InstanceType> FILTERS =
      new Filters<InstanceType>("DescribeInstanceTypes")
          .by("instance-type", InstanceType::name)
          .by("bare-metal", type -> Boolean.toString(type.bareMetal()))
          .byEach("hypervisor", type -> InstanceTypeAnswer.hypervisor(type).stream())
          .by("current-generation", t -> Boolean.toString(t.hardware().currentGeneration()))
          .by("vcpu-info.default-vcpus", t -> Integer.toString(t.hardware().vcpus()))
          .by("vcpu-info.default-cores", t -> Integer.toString(t.hardware().cores()))
          .by(
              "vcpu-info.default-threads-per-core",
              t -> Integer.toString(t.hardware().threadsPerCore()))
          .by("memory-info.size-in-mib", t -> Integer.toString(t.hardware().memoryMib()))
          .byEach(
              "processor-info.supported-architecture", t -> t.hardware().architectures().stream())
          .by("network-info.network-performance", t -> t.hardware().networkPerformance())
          .by("network-info.ena-support", t -> t.hardware().ena())
          .by("network-info.efa-supported", t -> Boolean.toString(t.hardware().efaInterfaces() > 0))
          .by(
              "network-info.efa-info.maximum-efa-interfaces",
              t -> Integer.toString(t.hardware().efaInterfaces()))
          .by(
              "network-info.maximum-network-interfaces",
              type -> Integer.toString(type.maximumInterfaces()))
          .by("network-info.maximum-network-cards", t -> Integer.toString(t.cards().size()))
          .by(
              "network-info.ipv4-addresses-per-interface",
              type -> Integer.toString(type.ipv4PerInterface()))
          .by(
              "network-info.ipv6-addresses-per-interface",
              type -> Integer.toString(type.ipv6PerInterface()))
          .by("network-info.ipv6-supported", type -> Boolean.toString(type.ipv6PerInterface() > 0));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    PageRequest page = PageRequest.read(call.parameters(), PageRequest.hundred("InstanceType"));
    Predicate<InstanceType> filter = FILTERS.read(call.parameters());
    List<InstanceType> rest =
        named(call).stream()
            .filter(filter)
            .filter(type -> page.cursor().map(c -> c.compareTo(type.name()) < 0).orElse(true))
            .toList();
    int most = Math.min(rest.size(), page.most().orElse(Integer.MAX_VALUE));
    return Answer.builder()
        .items("instanceTypeSet", rest.subList(0, most), InstanceTypeAnswer::of)
        .text(
            "nextToken",
            most < rest.size()
                ? Optional.of(page.tokenAfter(rest.get(most - 1).name()))
                : Optional.empty())
        .build();
  }

  private static List<InstanceType> named(Call call) {
    List<String> names = call.parameters().texts("InstanceType");
    if (names.isEmpty()) {
      return call.region().types().all();
    }
    if (names.size() > NAMES_MAX) {
      throw Refusal.of(
          "InvalidParameterValue",
          "The maximum number of instance types on a single call is " + NAMES_MAX);
    }
    List<InstanceType> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String name : names.stream().distinct().toList()) {
      call.region().types().find(name).ifPresentOrElse(found::add, () -> missing.add(name));
    }
    if (!missing.isEmpty()) {
      throw Refusal.of(
          "InvalidInstanceType",
          "The following supplied instance types do not exist: ["
              + String.join(", ", missing)
              + "]");
    }
    return found;
  }
}
