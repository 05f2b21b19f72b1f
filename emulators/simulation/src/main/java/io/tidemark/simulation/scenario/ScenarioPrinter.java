package io.tidemark.simulation.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints a scenario as the file that gives it back, for looking at a random one. */
final class ScenarioPrinter {
  private final StringBuilder out = new StringBuilder();

  private ScenarioPrinter() {}

  static String print(Scenario scenario) {
    ScenarioPrinter printer = new ScenarioPrinter();
    printer.scenario(scenario);
    return printer.out.toString();
  }

  private void scenario(Scenario scenario) {
    line("name: " + quoted(scenario.name()));
    line("seed: " + scenario.seed());
    line("duration: " + ScenarioTexts.text(scenario.duration()));
    line("settle: " + ScenarioTexts.text(scenario.settle()));
    line("operator:");
    line("  release-excess-ips: " + scenario.operator().releaseExcess());
    line("  excess-ip-release-delay: " + ScenarioTexts.text(scenario.operator().releaseDelay()));
    line("  enable-prefix-delegation: " + scenario.operator().prefixDelegation());
    line(
        "  background-sync-interval: "
            + ScenarioTexts.text(scenario.operator().backgroundInterval()));
    line("subnets:");
    scenario.subnets().forEach(this::subnet);
    line("instance-types:");
    for (Scenario.InstanceShape each : scenario.instanceTypes()) {
      line(
          String.format(
              Locale.ROOT,
              "  - {name: %s, interfaces: %d, addresses-per-interface: %d, prefixes: %s}",
              quoted(each.name()),
              each.interfaces(),
              each.addressesPerInterface(),
              each.prefixes()));
    }
    line("node-groups:");
    scenario.nodeGroups().forEach(this::group);
    cloud(scenario.cloud());
    line("api-server:");
    line("  latency: " + ScenarioTexts.text(scenario.store().latency()));
    line("  watch-lag: " + ScenarioTexts.text(scenario.store().watchLag()));
    line("  conflicts: " + ScenarioTexts.number(scenario.store().conflicts()));
    line(scenario.faults().isEmpty() ? "faults: []" : "faults:");
    scenario.faults().forEach(this::fault);
  }

  private void subnet(Scenario.SubnetShape subnet) {
    line("  - id: " + quoted(subnet.id()));
    line("    vpc: " + quoted(subnet.vpcId()));
    line("    zone: " + quoted(subnet.zone()));
    line("    cidr: " + subnet.cidr());
    line("    reserved: " + subnet.reserved());
  }

  private void group(NodeGroup group) {
    line("  - name: " + quoted(group.name()));
    line("    count: " + group.count());
    line("    instance-type: " + quoted(group.instanceType()));
    line("    subnets: " + list(group.subnetIds()));
    line("    first-interface-index: " + group.firstInterfaceIndex());
    line("    pre-allocate: " + group.marks().preAllocate());
    line("    min-allocate: " + group.marks().minAllocate());
    line("    max-allocate: " + group.marks().maxAllocate());
    line("    max-above-watermark: " + group.marks().maxAboveWatermark());
    line("    join: {" + span(group.join()) + "}");
    line(
        String.format(
            Locale.ROOT,
            "    agent: {multi-pool: %s, update-rate: %s, cooldown: %s}",
            group.agent().multiPool(),
            ScenarioTexts.text(group.agent().updateRate()),
            ScenarioTexts.text(group.agent().cooldown())));
    line(group.waves().isEmpty() ? "    pods: []" : "    pods:");
    for (NodeGroup.PodWave wave : group.waves()) {
      line("      - {" + span(wave.when()) + ", count: " + wave.pods() + "}");
    }
    group
        .churn()
        .ifPresent(
            churn ->
                line(
                    String.format(
                        Locale.ROOT,
                        "    churn: {every: %s, lifetime: %s}",
                        ScenarioTexts.text(churn.every()),
                        ScenarioTexts.text(churn.lifetime()))));
  }

  private void cloud(CloudShape cloud) {
    line("cloud:");
    line(cloud.latencies().isEmpty() ? "  latency: {}" : "  latency:");
    cloud
        .latencies()
        .forEach((key, each) -> line("    " + quoted(key) + ": " + ScenarioTexts.text(each)));
    line("  latency-spread: " + ScenarioTexts.number(cloud.spread()));
    line("  buckets: " + ScenarioTexts.number(cloud.buckets()));
    line("  staleness: " + ScenarioTexts.text(cloud.staleness()));
  }

  private void fault(Fault fault) {
    StringBuilder text = new StringBuilder("  - {kind: ").append(fault.kind().text());
    text.append(", at: ").append(ScenarioTexts.text(fault.at()));
    for (Fault.Detail detail : Fault.Detail.values()) {
      boolean unsaid = detail == Fault.Detail.OPERATION && fault.operation().isEmpty();
      if (fault.kind().details().contains(detail) && !unsaid) {
        text.append(", ").append(detail.key()).append(": ").append(value(fault, detail));
      }
    }
    line(text.append('}').toString());
  }

  private static String value(Fault fault, Fault.Detail detail) {
    return switch (detail) {
      case LASTING -> ScenarioTexts.text(fault.lasting());
      case SHARE -> ScenarioTexts.number(fault.share());
      case OPERATION -> quoted(fault.operation());
      case NODES -> Integer.toString(fault.nodes());
      case STEP -> ScenarioTexts.text(fault.step());
    };
  }

  private static String span(NodeGroup.Span span) {
    Duration over = span.over();
    return "at: " + ScenarioTexts.text(span.at()) + ", over: " + ScenarioTexts.text(over);
  }

  private static String list(List<String> texts) {
    return texts.stream().map(ScenarioPrinter::quoted).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private void line(String text) {
    out.append(text).append('\n');
  }
}
