package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.model.Ec2SubnetAddresses;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.BucketSize;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.emulator.kit.scenario.Names;
import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.emulator.kit.scenario.Texts;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads how the emulated EC2 behaves. Pure but for the problems that it notes. */
final class Ec2OptionsReader {
  private static final String RANGE = "a time up to a day such as 50ms, 2s or 20ms..80ms";

  private Ec2OptionsReader() {}

  static Ec2ModelOptions read(Section root, Ec2InstanceTypes types) {
    return new Ec2ModelOptions(
        root.value("seed", 1L, "a whole number", Texts::number),
        types,
        root.section("quotas", Ec2OptionsReader::quotas),
        root.number("zones", 3, 1, 26),
        root.value(
            "addresses",
            Ec2SubnetAddresses.Choice.LOWEST,
            "lowest or scattered",
            Names.in(Ec2SubnetAddresses.Choice.values())),
        root.flag("throttle", true),
        root.section("buckets", Ec2OptionsReader::buckets),
        root.share("strangers", 0),
        root.section("latency", Ec2OptionsReader::latencies),
        root.section("delays", Ec2OptionsReader::delays));
  }

  private static Map<Quota, Integer> quotas(Section section) {
    Map<Quota, Integer> quotas = new EnumMap<>(Quota.class);
    for (Quota each : Quota.values()) {
      quotas.put(each, section.number(Names.of(each), each.usual(), 1, 1_000_000));
    }
    return quotas;
  }

  private static Map<String, BucketSize> buckets(Section section) {
    Map<String, BucketSize> sizes = new TreeMap<>();
    section
        .keys()
        .forEach(
            action -> {
              require(section, action, ActionNames.ofEc2(action));
              sizes.put(action, section.section(action, Ec2OptionsReader::bucket));
            });
    return sizes;
  }

  private static BucketSize bucket(Section section) {
    for (String key : new String[] {"size", "refill"}) {
      if (!section.has(key)) {
        section.problem(key, "is missing", "Add it.");
      }
    }
    return new BucketSize(
        section.number("size", 1, 1, 1_000_000),
        section.value(
            "refill",
            1.0,
            "tokens per second, above 0",
            text -> Texts.decimal(text).filter(n -> n > 0 && n <= 1_000_000)));
  }

  private static Map<String, DelayRange> latencies(Section section) {
    Map<String, DelayRange> latencies = new TreeMap<>();
    for (String action : section.keys()) {
      require(section, action, ActionNames.any(action));
      latencies.put(action, range(section, action));
    }
    return latencies;
  }

  private static Map<Delay, DelayRange> delays(Section section) {
    Map<Delay, DelayRange> delays = new EnumMap<>(Delay.class);
    for (Delay each : Delay.values()) {
      delays.put(each, range(section, Names.of(each)));
    }
    return delays;
  }

  private static void require(Section section, String action, Optional<String> known) {
    if (known.isEmpty()) {
      section.problem(action, "is unknown", "Write " + ActionNames.EXPECTED + ".");
    }
  }

  private static DelayRange range(Section section, String key) {
    return section.value(key, DelayRange.NONE, RANGE, Texts::range);
  }
}
