package io.tidemark.simulation.scenario;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.simulation.scenario.NodeGroup.Churn;
import io.tidemark.simulation.scenario.NodeGroup.Marks;
import io.tidemark.simulation.scenario.NodeGroup.PodWave;
import io.tidemark.simulation.scenario.NodeGroup.Span;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import io.tidemark.simulation.scenario.Scenario.StoreShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Gives a document its meaning and checks what one value alone cannot show. */
final class ScenarioReader {
  private static final Duration LONGEST = Duration.ofDays(7);

  private ScenarioReader() {}

  static ScenarioYaml.Reading read(String where, Tree tree) {
    List<ResourceProblem> problems = new ArrayList<>();
    Section root = new Section(where, "", tree, problems);
    Scenario scenario = scenario(root);
    root.end();
    ScenarioChecks.check(root, scenario, LONGEST);
    return problems.isEmpty()
        ? new ScenarioYaml.Reading(Optional.of(scenario), List.of())
        : new ScenarioYaml.Reading(Optional.empty(), problems);
  }

  private static Scenario scenario(Section root) {
    return new Scenario(
        root.text("name").orElse("scenario"),
        root.number("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE),
        root.duration("duration", Duration.ofMinutes(15)),
        root.duration("settle", Scenario.SETTLE),
        root.section("operator", ScenarioReader::operator),
        root.sections("subnets", ScenarioReader::subnet),
        root.sections("instance-types", ScenarioReader::instanceType),
        root.sections("node-groups", ScenarioReader::nodeGroup),
        root.section("cloud", ScenarioReader::cloud),
        root.section("api-server", ScenarioReader::store),
        root.sections("faults", ScenarioReader::fault));
  }

  private static OperatorShape operator(Section section) {
    OperatorShape usual = OperatorShape.DEFAULT;
    return new OperatorShape(
        section.flag("release-excess-ips", usual.releaseExcess()),
        section.duration("excess-ip-release-delay", usual.releaseDelay()),
        section.flag("enable-prefix-delegation", usual.prefixDelegation()),
        section.duration("background-sync-interval", usual.backgroundInterval()));
  }

  private static SubnetShape subnet(Section section) {
    List<Cidr> reserved = new ArrayList<>();
    for (String text : section.texts("reserved")) {
      Cidr.tryParse(text)
          .ifPresentOrElse(
              reserved::add,
              () -> section.problem("reserved", "holds '" + text + "'", "Write CIDRs."));
    }
    return new SubnetShape(
        section.requiredText("id"),
        section.text("vpc").orElse("vpc-1"),
        section.text("zone").orElse("zone-a"),
        section.cidr("cidr"),
        reserved);
  }

  private static InstanceShape instanceType(Section section) {
    return new InstanceShape(
        section.requiredText("name"),
        section.integer("interfaces", 3, 1, 100),
        section.integer("addresses-per-interface", 10, 2, 1_000),
        section.flag("prefixes", true));
  }

  private static NodeGroup nodeGroup(Section section) {
    return new NodeGroup(
        section.requiredText("name"),
        section.integer("count", 1, 0, 1_000_000),
        section.requiredText("instance-type"),
        section.texts("subnets"),
        section.integer("first-interface-index", 0, 0, 100),
        new Marks(
            section.integer("pre-allocate", 0, 0, 1_000_000),
            section.integer("min-allocate", 0, 0, 1_000_000),
            section.integer("max-allocate", 0, 0, 1_000_000),
            section.integer("max-above-watermark", 0, 0, 1_000_000)),
        section.section("join", ScenarioReader::span),
        section.section("agent", ScenarioReader::agent),
        section.sections("pods", ScenarioReader::wave),
        section.has("churn")
            ? Optional.of(section.section("churn", ScenarioReader::churn))
            : Optional.empty());
  }

  private static Span span(Section section) {
    return new Span(section.duration("at", Duration.ZERO), section.duration("over", Duration.ZERO));
  }

  private static PodWave wave(Section section) {
    return new PodWave(span(section), section.integer("count", 1, -100_000, 100_000));
  }

  private static Churn churn(Section section) {
    Churn churn =
        new Churn(
            section.duration("every", Duration.ofMinutes(1)),
            section.duration("lifetime", Duration.ofMinutes(5)));
    if (churn.every().isZero()) {
      section.problem("every", "is 0", "Write a mean time above 0.");
    }
    return churn;
  }

  private static AgentShape agent(Section section) {
    AgentShape usual = AgentShape.DEFAULT;
    return new AgentShape(
        section.flag("multi-pool", usual.multiPool()),
        section.duration("update-rate", usual.updateRate()),
        section.duration("cooldown", usual.cooldown()));
  }

  private static CloudShape cloud(Section section) {
    CloudShape usual = CloudShape.DEFAULT;
    return new CloudShape(
        section.map("latency", (each, key) -> each.duration(key, Duration.ZERO)),
        section.decimal("latency-spread", usual.spread(), 0, 1),
        section.decimal("buckets", usual.buckets(), 0, 1_000),
        section.duration("staleness", usual.staleness()));
  }

  private static StoreShape store(Section section) {
    StoreShape usual = StoreShape.DEFAULT;
    return new StoreShape(
        section.duration("latency", usual.latency()),
        section.duration("watch-lag", usual.watchLag()),
        section.decimal("conflicts", usual.conflicts(), 0, 1));
  }

  private static Fault fault(Section section) {
    String text = section.requiredText("kind");
    Optional<Fault.Kind> kind = Fault.Kind.ofText(text);
    if (kind.isEmpty() && !text.equals("?")) {
      String all =
          Arrays.stream(Fault.Kind.values())
              .map(Fault.Kind::text)
              .collect(Collectors.joining(", "));
      section.problem("kind", "is '" + text + "'", "Write one of " + all + ".");
    }
    Fault.Kind of = kind.orElse(Fault.Kind.LOST_ANSWER);
    for (Fault.Detail detail : Fault.Detail.values()) {
      if (section.has(detail.key()) && !of.details().contains(detail)) {
        section.problem(detail.key(), "means nothing for " + of.text(), "Remove it.");
      }
    }
    return new Fault(
        of,
        section.duration("at", Duration.ZERO),
        section.duration(Fault.Detail.LASTING.key(), Duration.ZERO),
        section.decimal(
            Fault.Detail.SHARE.key(), of.details().contains(Fault.Detail.SHARE) ? 0.1 : 0, 0, 1),
        section.text(Fault.Detail.OPERATION.key()).orElse(""),
        section.integer(
            Fault.Detail.NODES.key(),
            of.details().contains(Fault.Detail.NODES) ? 1 : 0,
            0,
            100_000),
        section.step(Fault.Detail.STEP.key(), Duration.ZERO));
  }
}
