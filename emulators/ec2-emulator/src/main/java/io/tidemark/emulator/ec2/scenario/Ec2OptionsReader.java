package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delays;
import io.tidemark.emulator.ec2.model.Ec2SubnetAddresses;
import io.tidemark.emulator.ec2.model.Quotas;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.BucketSize;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.emulator.kit.scenario.Texts;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads how the emulated EC2 behaves. Pure but for the problems that it notes. */
final class Ec2OptionsReader {
  private static final String RANGE = "a time up to a day such as 50ms, 2s or 20ms..80ms";
  private static final Map<String, Ec2SubnetAddresses.Choice> CHOICES =
      Map.of(
          "lowest",
          Ec2SubnetAddresses.Choice.LOWEST,
          "scattered",
          Ec2SubnetAddresses.Choice.SCATTERED);

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
            text -> Optional.ofNullable(CHOICES.get(text))),
        root.flag("throttle", true),
        root.section("buckets", Ec2OptionsReader::buckets),
        root.share("strangers", 0),
        delays(root));
  }

  private static Quotas quotas(Section section) {
    Quotas usual = Quotas.DEFAULT;
    return new Quotas(
        quota(section, "interfaces", usual.interfaces()),
        quota(section, "groups-per-interface", usual.groupsPerInterface()),
        quota(section, "vpcs", usual.vpcs()),
        quota(section, "subnets-per-vpc", usual.subnetsPerVpc()),
        quota(section, "groups", usual.groups()),
        quota(section, "route-tables-per-vpc", usual.routeTablesPerVpc()),
        quota(section, "blocks-per-vpc", usual.blocksPerVpc()),
        quota(section, "elastic-addresses", usual.elasticAddresses()),
        quota(section, "tags", usual.tags()),
        quota(section, "unpaged-interfaces", usual.unpagedInterfaces()),
        quota(section, "detached-addresses", usual.detachedAddresses()));
  }

  private static int quota(Section section, String key, int usual) {
    return section.number(key, usual, 1, 1_000_000);
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

  private static Delays delays(Section root) {
    Map<String, DelayRange> latencies = new TreeMap<>();
    root.section(
        "latency",
        section -> {
          for (String action : section.keys()) {
            require(section, action, ActionNames.any(action));
            latencies.put(action, range(section, action));
          }
          return section;
        });
    DelayRange all = Optional.ofNullable(latencies.remove("*")).orElse(DelayRange.NONE);
    return root.section(
        "delays",
        section ->
            new Delays(
                all,
                latencies,
                range(section, "visibility"),
                range(section, "read-lag"),
                range(section, "start"),
                range(section, "stop"),
                range(section, "terminate"),
                range(section, "attach"),
                range(section, "detach")));
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
