package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Lists the regions that are enabled for every account, and the caller's; with AllRegions also
 * those that an account must opt in to ("AWS Regions", AWS Account Management).
 */
final class DescribeRegions implements Action {
  private static final String ALWAYS = "opt-in-not-required";
  private static final String NOT_YET = "not-opted-in";

  private static final List<String> ENABLED =
      List.of(
          "ap-northeast-1",
          "ap-northeast-2",
          "ap-northeast-3",
          "ap-south-1",
          "ap-southeast-1",
          "ap-southeast-2",
          "ca-central-1",
          "eu-central-1",
          "eu-north-1",
          "eu-west-1",
          "eu-west-2",
          "eu-west-3",
          "sa-east-1",
          "us-east-1",
          "us-east-2",
          "us-west-1",
          "us-west-2");

  private static final List<String> OPTIONAL =
      List.of(
          "af-south-1",
          "ap-east-1",
          "ap-east-2",
          "ap-south-2",
          "ap-southeast-3",
          "ap-southeast-4",
          "ap-southeast-5",
          "ap-southeast-7",
          "ca-west-1",
          "eu-central-2",
          "eu-south-1",
          "eu-south-2",
          "il-central-1",
          "me-central-1",
          "me-south-1",
          "mx-central-1");

  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.texts("RegionName"), Field.flag("AllRegions"), Fields.FILTERS, Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  /** A region with whether an account must opt in to it. */
  private record Listed(String name, String optIn) {
    String endpoint() {
      return "ec2." + name + (name.startsWith("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
    }
  }

  @Override
  public Answer answer(Call call) {
    Map<String, String> known = known(call.region().name());
    List<String> named = call.parameters().texts("RegionName");
    for (String name : named) {
      if (!known.containsKey(name)) {
        throw Refusal.of("InvalidParameterValue", "Invalid region: [" + name + "]");
      }
    }
    boolean all = call.parameters().isSet("AllRegions");
    Predicate<Listed> filter = filters().read(call.parameters());
    List<Listed> found =
        known.entrySet().stream()
            .map(each -> new Listed(each.getKey(), each.getValue()))
            .filter(each -> named.isEmpty() || named.contains(each.name()))
            .filter(each -> all || !named.isEmpty() || !each.optIn().equals(NOT_YET))
            .filter(filter)
            .toList();
    return Answer.builder().items("regionInfo", found, DescribeRegions::region).build();
  }

  /** Who asks in a region has it. */
  private static Map<String, String> known(String own) {
    Map<String, String> known = new TreeMap<>();
    ENABLED.forEach(name -> known.put(name, ALWAYS));
    OPTIONAL.forEach(name -> known.put(name, NOT_YET));
    known.put(own, OPTIONAL.contains(own) ? "opted-in" : ALWAYS);
    return known;
  }

  private static Filters<Listed> filters() {
    return new Filters<Listed>("DescribeRegions")
        .by("region-name", Listed::name)
        .by("opt-in-status", Listed::optIn)
        .by("endpoint", Listed::endpoint);
  }

  private static Answer region(Listed region) {
    return Answer.builder()
        .text("regionName", region.name())
        .text("regionEndpoint", region.endpoint())
        .text("optInStatus", region.optIn())
        .build();
  }
}
