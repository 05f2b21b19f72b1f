package io.tidemark.provider.mock;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.DurationText;
import io.tidemark.config.Option;
import io.tidemark.config.SharedKey;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.FaultScript;
import io.tidemark.provider.mock.cloud.InstanceLimits;
import io.tidemark.provider.mock.cloud.MockSubnet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Settings of the embedded cloud; docs/config.md has their forms.
 *
 * @param subnets go before what manifests show
 * @param instanceTypes by name, beside the built-in table
 * @param publicAddresses their tags by address
 * @param aliasRanges by instance
 * @param latencies how much later than it comes each answer is passed on
 * @param bucketScale share of the request buckets, 0 for none
 * @param stalenessMax how far reads may lie behind
 * @param seed of ids, lags and random faults
 * @param overlayExpiry {@link SharedKey#OVERLAY_EXPIRY}
 */
record MockConfig(
    List<MockSubnet> subnets,
    Map<String, InstanceLimits> instanceTypes,
    Map<IpAddress, Map<String, String>> publicAddresses,
    Map<String, List<Cidr>> aliasRanges,
    Map<CloudOperation, Duration> latencies,
    double bucketScale,
    Duration stalenessMax,
    long seed,
    List<FaultScript.Rule> faults,
    Duration overlayExpiry) {
  private static final Duration LATENCY_MAX = Duration.ofHours(1);

  MockConfig {
    subnets = List.copyOf(subnets);
    instanceTypes = Map.copyOf(instanceTypes);
    publicAddresses = Map.copyOf(publicAddresses);
    aliasRanges = Map.copyOf(aliasRanges);
    latencies = Map.copyOf(latencies);
    faults = List.copyOf(faults);
  }

  /**
   * Reads the settings.
   *
   * @throws IpamException naming everything that is wrong with them
   */
  static MockConfig read(ConfigSource source) {
    ConfigProblems problems = new ConfigProblems();
    Lists lists = new Lists(source, problems);
    ConfigReader reader = new ConfigReader(source, problems);
    List<MockSubnet> subnets = new ArrayList<>();
    Map<String, InstanceLimits> types = new TreeMap<>();
    Map<IpAddress, Map<String, String>> addresses = new TreeMap<>();
    Map<String, List<Cidr>> ranges = new TreeMap<>();
    Map<CloudOperation, Duration> latencies = new EnumMap<>(CloudOperation.class);
    List<FaultScript.Rule> faults = new ArrayList<>();
    lists.items(MockKey.SUBNETS, Set.of("zone", "vpc"), each -> subnets.add(subnet(each, subnets)));
    lists.items(
        MockKey.INSTANCE_TYPES,
        Set.of("prefixes"),
        each -> {
          String[] pair = pair(each.head(), "NAME=INTERFACESxADDRESSES");
          types.put(pair[0], limits(pair[1], each.option("prefixes", "true")));
        });
    lists.items(
        MockKey.PUBLIC_ADDRESSES,
        Set.of(),
        each -> addresses.put(IpAddress.parse(each.head()), each.tags()));
    lists.items(MockKey.ALIAS_RANGES, Set.of(), each -> aliasRange(each, ranges));
    lists.texts(MockKey.LATENCY, each -> latency(each, latencies));
    lists.texts(MockKey.FAULTS, each -> faults.add(FaultScript.Rule.parse(each)));
    MockConfig config =
        new MockConfig(
            subnets,
            types,
            addresses,
            ranges,
            latencies,
            bucketScale(reader),
            MockKey.STALENESS.read(reader),
            Long.parseLong(MockKey.SEED.read(reader)),
            faults,
            SharedKey.OVERLAY_EXPIRY.read(reader));
    problems.throwIfAny();
    return config;
  }

  /** Lists in the settings, whose items are separated by commas or spaces. */
  private record Lists(ConfigSource source, ConfigProblems problems) {
    void items(Option<String> option, Set<String> known, Consumer<Item> use) {
      texts(option, each -> use.accept(Item.parse(each, known)));
    }

    /** Hands each text of a list on; an exception is a problem with it. */
    void texts(Option<String> option, Consumer<String> use) {
      Stream.of(option.read(new ConfigReader(source, problems)).split("[,\\s]+"))
          .filter(each -> !each.isEmpty())
          .forEach(
              each -> {
                try {
                  use.accept(each);
                } catch (IllegalArgumentException wrong) {
                  problems.add(
                      new ConfigProblem(
                          CoreError.CONFIG_INVALID_VALUE,
                          option.key(),
                          each,
                          source.origin(option.key()),
                          "is not accepted",
                          "See docs/config.md: " + wrong.getMessage() + "."));
                }
              });
    }
  }

  /** One item of a list: {@code HEAD;KEY=VALUE;...}. */
  private record Item(String head, Map<String, String> options) {
    private static final String TAG = "tag.";

    static Item parse(String text, Set<String> known) {
      String[] parts = text.split(";", -1);
      Map<String, String> options = new TreeMap<>();
      for (int i = 1; i < parts.length; i++) {
        String[] pair = pair(parts[i], "KEY=VALUE");
        if (!pair[0].startsWith(TAG) && !known.contains(pair[0])) {
          throw new IllegalArgumentException("unknown part '" + pair[0] + "'");
        }
        options.put(pair[0], pair[1]);
      }
      return new Item(parts[0], options);
    }

    String option(String key, String otherwise) {
      return options.getOrDefault(key, otherwise);
    }

    Map<String, String> tags() {
      Map<String, String> tags = new TreeMap<>();
      options.forEach(
          (key, value) -> {
            if (key.startsWith(TAG)) {
              tags.put(key.substring(TAG.length()), value);
            }
          });
      return tags;
    }
  }

  private static String[] pair(String text, String expected) {
    int equals = text.lastIndexOf('=');
    if (equals < 1 || equals == text.length() - 1) {
      throw new IllegalArgumentException("'" + text + "': expected " + expected);
    }
    return new String[] {text.substring(0, equals), text.substring(equals + 1)};
  }

  private static MockSubnet subnet(Item item, List<MockSubnet> before) {
    String[] pair = pair(item.head(), "ID=CIDR");
    Cidr cidr = Cidr.parse(pair[1]);
    Cidr network = Cidr.containing(cidr.network(), Math.min(16, cidr.prefixLength()));
    MockSubnet subnet =
        new MockSubnet(
            pair[0],
            item.option("vpc", ShownInstance.NETWORK),
            List.of(network),
            item.option("zone", ShownInstance.ZONE),
            cidr,
            item.tags());
    for (MockSubnet each : before) {
      if (each.id().equals(subnet.id()) || !each.isApartFrom(subnet)) {
        throw new IllegalArgumentException("it has the id or addresses of " + each.id());
      }
    }
    return subnet;
  }

  private static InstanceLimits limits(String text, String prefixes) {
    String[] numbers = text.split("x", -1);
    if (numbers.length != 2) {
      throw new IllegalArgumentException("expected INTERFACESxADDRESSES, such as 3x10");
    }
    return new InstanceLimits(
        Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Boolean.parseBoolean(prefixes));
  }

  private static void aliasRange(Item item, Map<String, List<Cidr>> before) {
    String[] pair = pair(item.head(), "INSTANCE=CIDR");
    Cidr range = Cidr.parse(pair[1]);
    if (before.values().stream().flatMap(List::stream).anyMatch(range::overlaps)) {
      throw new IllegalArgumentException("it shares addresses with another range");
    }
    before.computeIfAbsent(pair[0], id -> new ArrayList<>()).add(range);
  }

  private static void latency(String text, Map<CloudOperation, Duration> latencies) {
    int equals = text.indexOf('=');
    Duration latency =
        DurationText.parse(text.substring(equals + 1))
            .filter(read -> !read.isNegative() && read.compareTo(LATENCY_MAX) <= 0)
            .orElseThrow(() -> new IllegalArgumentException("expected a duration such as 200ms"));
    if (equals < 0 || text.startsWith("default=")) {
      for (CloudOperation operation : CloudOperation.values()) {
        latencies.putIfAbsent(operation, latency);
      }
    } else {
      latencies.put(FaultScript.Rule.operation(text.substring(0, equals)), latency);
    }
  }

  private static double bucketScale(ConfigReader reader) {
    return switch (MockKey.BUCKETS.read(reader)) {
      case "", "off" -> 0;
      case "documented" -> 1;
      default -> reader.decimal(MockKey.BUCKETS.key(), 0, 0.001, 1000);
    };
  }
}
