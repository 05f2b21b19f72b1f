package io.tidemark.simulation.scenario;

import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Conditions between the parts of a scenario. */
final class ScenarioChecks {
  private ScenarioChecks() {}

  static void check(Section root, Scenario scenario, Duration longest) {
    within(root, "duration", scenario.duration(), longest);
    within(root, "settle", scenario.settle(), longest);
    filled(root, "subnets", scenario.subnets());
    filled(root, "instance-types", scenario.instanceTypes());
    filled(root, "node-groups", scenario.nodeGroups());
    unique(root, "subnets", scenario.subnets(), SubnetShape::id);
    unique(root, "instance-types", scenario.instanceTypes(), InstanceShape::name);
    unique(root, "node-groups", scenario.nodeGroups(), NodeGroup::name);
    apart(root, scenario.subnets());
    for (int i = 0; i < scenario.nodeGroups().size(); i++) {
      group(root, scenario, "node-groups[" + i + "]", scenario.nodeGroups().get(i));
    }
    for (int i = 0; i < scenario.faults().size(); i++) {
      if (scenario.faults().get(i).end().compareTo(scenario.duration()) > 0) {
        root.problem(
            "faults[" + i + "]",
            "ends after the scenario's duration " + ScenarioTexts.text(scenario.duration()),
            "Let it end earlier, or lengthen the duration.");
      }
    }
  }

  private static void within(Section root, String key, Duration value, Duration longest) {
    if (value.isZero() || value.compareTo(longest) > 0) {
      root.problem(
          key,
          "is " + ScenarioTexts.text(value),
          "Write more than 0s and at most " + ScenarioTexts.text(longest) + ".");
    }
  }

  private static void filled(Section root, String key, List<?> values) {
    if (values.isEmpty()) {
      root.problem(key, "has no entry", "Write at least one.");
    }
  }

  private static <T> void unique(
      Section root, String key, List<T> values, Function<T, String> name) {
    Set<String> seen = new HashSet<>();
    for (T each : values) {
      String text = name.apply(each);
      if (!seen.add(text) && !text.equals("?")) {
        root.problem(key, "has '" + text + "' twice", "Give each its own name.");
      }
    }
  }

  private static void apart(Section root, List<SubnetShape> subnets) {
    for (int i = 0; i < subnets.size(); i++) {
      for (int j = 0; j < i; j++) {
        SubnetShape a = subnets.get(j);
        SubnetShape b = subnets.get(i);
        if (a.vpcId().equals(b.vpcId()) && a.cidr().overlaps(b.cidr())) {
          root.problem(
              "subnets[" + i + "].cidr",
              b.cidr() + " overlaps " + a.cidr() + " of " + a.id(),
              "Give each subnet of a VPC its own range.");
        }
      }
    }
  }

  private static void group(Section root, Scenario scenario, String path, NodeGroup group) {
    Optional<InstanceShape> type = scenario.instanceType(group.instanceType());
    if (type.isEmpty() && !group.instanceType().equals("?")) {
      root.problem(
          path + ".instance-type",
          "names '" + group.instanceType() + "', which is none of the instance-types",
          "Name one of them, or add it.");
    }
    if (type.isPresent() && group.firstInterfaceIndex() > type.get().interfaces()) {
      root.problem(
          path + ".first-interface-index",
          "is " + group.firstInterfaceIndex() + ", above the type's " + type.get().interfaces(),
          "Lower it.");
    }
    if (group.subnetIds().isEmpty()) {
      root.problem(path + ".subnets", "has no entry", "Name at least one subnet.");
    }
    for (String id : group.subnetIds()) {
      if (scenario.subnet(id).isEmpty()) {
        root.problem(
            path + ".subnets", "names '" + id + "', which is none of the subnets", "Name one.");
      }
    }
  }
}
