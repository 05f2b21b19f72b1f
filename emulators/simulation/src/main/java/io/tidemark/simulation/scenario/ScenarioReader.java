package io.tidemark.simulation.scenario;

import io.tidemark.emulator.kit.scenario.Names;
import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.ip.Cidr;
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
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Gives a document its meaning and checks what one value alone cannot show. */
final class ScenarioReader {
  private static final Duration LONGEST = Duration.ofDays(7);

  /** In place of a block that is wrong. */
  private static final Cidr HARMLESS = Cidr.parse("192.0.2.0/24");

  private ScenarioReader() {}

  static Scenario read(Section root) {
    Scenario scenario = scenario(root);
    ScenarioChecks.check(root, scenario, LONGEST);
    return scenario;
  }

  private static Scenario scenario(Section root) {
    return new Scenario(
        root.text("name").orElse("scenario"),
        seed(root),
        duration(root, "duration", Duration.ofMinutes(15)),
        duration(root, "settle", Scenario.SETTLE),
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
        duration(section, "excess-ip-release-delay", usual.releaseDelay()),
        section.flag("enable-prefix-delegation", usual.prefixDelegation()),
        duration(section, "background-sync-interval", usual.backgroundInterval()));
  }

  private static SubnetShape subnet(Section section) {
    return new SubnetShape(
        required(section, "id"),
        section.text("vpc").orElse("vpc-1"),
        section.text("zone").orElse("zone-a"),
        section.neededValue("cidr", "a CIDR such as 10.0.0.0/20", Cidr::tryParse).orElse(HARMLESS),
        section.values("reserved", "a CIDR", Cidr::tryParse));
  }

  private static InstanceShape instanceType(Section section) {
    return new InstanceShape(
        required(section, "name"),
        section.number("interfaces", 3, 1, 100),
        section.number("addresses-per-interface", 10, 2, 1_000),
        section.flag("prefixes", true));
  }

  private static NodeGroup nodeGroup(Section section) {
    return new NodeGroup(
        required(section, "name"),
        section.number("count", 1, 0, 1_000_000),
        required(section, "instance-type"),
        section.values("subnets", "a value", Optional::of),
        section.number("first-interface-index", 0, 0, 100),
        new Marks(
            section.number("pre-allocate", 0, 0, 1_000_000),
            section.number("min-allocate", 0, 0, 1_000_000),
            section.number("max-allocate", 0, 0, 1_000_000),
            section.number("max-above-watermark", 0, 0, 1_000_000)),
        section.section("join", ScenarioReader::span),
        section.section("agent", ScenarioReader::agent),
        section.sections("pods", ScenarioReader::wave),
        section.has("churn")
            ? Optional.of(section.section("churn", ScenarioReader::churn))
            : Optional.empty());
  }

  private static Span span(Section section) {
    return new Span(
        duration(section, "at", Duration.ZERO), duration(section, "over", Duration.ZERO));
  }

  private static PodWave wave(Section section) {
    return new PodWave(span(section), section.number("count", 1, -100_000, 100_000));
  }

  private static Churn churn(Section section) {
    Churn churn =
        new Churn(
            duration(section, "every", Duration.ofMinutes(1)),
            duration(section, "lifetime", Duration.ofMinutes(5)));
    if (churn.every().isZero()) {
      section.problem("every", "is 0", "Write a mean time above 0.");
    }
    return churn;
  }

  private static AgentShape agent(Section section) {
    AgentShape usual = AgentShape.DEFAULT;
    return new AgentShape(
        section.flag("multi-pool", usual.multiPool()),
        duration(section, "update-rate", usual.updateRate()),
        duration(section, "cooldown", usual.cooldown()));
  }

  private static CloudShape cloud(Section section) {
    CloudShape usual = CloudShape.DEFAULT;
    return new CloudShape(
        section.section("latency", ScenarioReader::latency),
        decimal(section, "latency-spread", usual.spread(), 0, 1),
        decimal(section, "buckets", usual.buckets(), 0, 1_000),
        duration(section, "staleness", usual.staleness()));
  }

  private static StoreShape store(Section section) {
    StoreShape usual = StoreShape.DEFAULT;
    return new StoreShape(
        duration(section, "latency", usual.latency()),
        duration(section, "watch-lag", usual.watchLag()),
        decimal(section, "conflicts", usual.conflicts(), 0, 1));
  }

  private static Fault fault(Section section) {
    String text = required(section, "kind");
    Optional<Fault.Kind> kind = Names.in(Fault.Kind.values()).apply(text);
    if (kind.isEmpty() && !text.equals("?")) {
      section.problem(
          "kind", "is '" + text + "'", "Write one of " + Names.all(Fault.Kind.values()) + ".");
    }
    Fault.Kind of = kind.orElse(Fault.Kind.LOST_ANSWER);
    for (Fault.Detail detail : Fault.Detail.values()) {
      if (section.has(detail.key()) && !of.details().contains(detail)) {
        section.problem(detail.key(), "means nothing for " + of.text(), "Remove it.");
      }
    }
    return new Fault(
        of,
        duration(section, "at", Duration.ZERO),
        duration(section, Fault.Detail.LASTING.key(), Duration.ZERO),
        decimal(
            section,
            Fault.Detail.SHARE.key(),
            of.details().contains(Fault.Detail.SHARE) ? 0.1 : 0,
            0,
            1),
        section.text(Fault.Detail.OPERATION.key()).orElse(""),
        section.number(
            Fault.Detail.NODES.key(),
            of.details().contains(Fault.Detail.NODES) ? 1 : 0,
            0,
            100_000),
        section.value(
            Fault.Detail.STEP.key(),
            Duration.ZERO,
            "a duration such as -1h or 250ms",
            ScenarioTexts::duration));
  }

  private static SortedMap<String, Duration> latency(Section section) {
    SortedMap<String, Duration> latency = new TreeMap<>();
    section.keys().forEach(key -> latency.put(key, duration(section, key, Duration.ZERO)));
    return latency;
  }

  /** The text, which must be there. */
  private static String required(Section section, String key) {
    return section.needed(key).orElse("?");
  }

  /** A length of time, not negative. */
  private static Duration duration(Section section, String key, Duration otherwise) {
    return section.value(
        key,
        otherwise,
        "a duration such as 90s, 5m or 1h30m",
        text -> ScenarioTexts.duration(text).filter(each -> !each.isNegative()));
  }

  private static double decimal(
      Section section, String key, double otherwise, double least, double most) {
    return section.value(
        key,
        otherwise,
        "a number from " + ScenarioTexts.number(least) + " to " + ScenarioTexts.number(most),
        text -> ScenarioTexts.decimal(text).filter(n -> n >= least && n <= most));
  }

  private static long seed(Section root) {
    return root.value(
        "seed",
        1L,
        "a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE,
        ScenarioTexts::whole);
  }
}
