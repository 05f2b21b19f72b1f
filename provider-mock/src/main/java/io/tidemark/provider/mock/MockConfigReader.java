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
import io.tidemark.provider.mock.cloud.InstanceType;
import io.tidemark.provider.mock.cloud.PublicAddress;
import io.tidemark.provider.mock.cloud.SecurityGroup;
import io.tidemark.provider.mock.cloud.Subnet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the settings and collects everything that is wrong with them. Used once. */
final class MockConfigReader {
  private static final String TAG = "tag.";
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final double SCALE_MIN = 0.001;
  private static final double SCALE_MAX = 1000;

  private final ConfigSource source;
  private final ConfigProblems problems = new ConfigProblems();
  private final ConfigReader reader;

  /** One item of a list: {@code head[;key=value]...}. */
  record Item(String text, String head, Map<String, String> options) {

    static Item parse(String text) {
      String[] parts = text.split(";", -1);
      Map<String, String> options = new TreeMap<>();
      for (int i = 1; i < parts.length; i++) {
        int equals = parts[i].indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException("'" + parts[i] + "' is not KEY=VALUE");
        }
        options.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
      }
      return new Item(text, parts[0], options);
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

    /** The head as {@code KEY=VALUE}. */
    String[] pair(String expected) {
      int equals = head.lastIndexOf('=');
      if (equals < 1 || equals == head.length() - 1) {
        throw new IllegalArgumentException("expected " + expected);
      }
      return new String[] {head.substring(0, equals), head.substring(equals + 1)};
    }

    Item allowing(String... keys) {
      for (String key : options.keySet()) {
        if (!key.startsWith(TAG) && !List.of(keys).contains(key)) {
          throw new IllegalArgumentException("unknown part '" + key + "'");
        }
      }
      return this;
    }
  }

  private MockConfigReader(ConfigSource source) {
    this.source = source;
    this.reader = new ConfigReader(source, problems);
  }

  /**
   * The settings.
   *
   * @throws IpamException naming every wrong one
   */
  static MockConfig read(ConfigSource source) {
    return new MockConfigReader(source).read();
  }

  private MockConfig read() {
    MockConfig config =
        new MockConfig(
            items(MockKey.SUBNETS, MockConfigReader::subnet),
            items(MockKey.INSTANCE_TYPES, MockConfigReader::instanceType),
            items(MockKey.SECURITY_GROUPS, MockConfigReader::securityGroup),
            items(MockKey.PUBLIC_ADDRESSES, MockConfigReader::publicAddress),
            aliasRanges(),
            latencies(),
            buckets(),
            MockKey.STALENESS.read(reader),
            Long.parseLong(MockKey.SEED.read(reader)),
            items(MockKey.FAULTS, item -> FaultText.parse(item.text())),
            SharedKey.OVERLAY_EXPIRY.read(reader));
    refuseOverlaps(config.subnets());
    problems.throwIfAny();
    return config;
  }

  private double buckets() {
    return switch (MockKey.BUCKETS.read(reader)) {
      case "", "off" -> 0;
      case "documented" -> 1;
      default -> reader.decimal(MockKey.BUCKETS.key(), 0, SCALE_MIN, SCALE_MAX);
    };
  }

  private <T> List<T> items(Option<String> option, Function<Item, T> how) {
    List<T> all = new ArrayList<>();
    for (String text : texts(option)) {
      attempt(option.key(), text, each -> how.apply(Item.parse(each))).ifPresent(all::add);
    }
    return all;
  }

  private List<String> texts(Option<String> option) {
    List<String> texts = new ArrayList<>();
    StringTokenizer parts = new StringTokenizer(option.read(reader), ", \t\r\n");
    while (parts.hasMoreTokens()) {
      texts.add(parts.nextToken());
    }
    return texts;
  }

  private <T> Optional<T> attempt(String key, String text, Function<String, T> how) {
    try {
      return Optional.of(how.apply(text));
    } catch (IllegalArgumentException wrong) {
      refuse(CoreError.CONFIG_INVALID_VALUE, key, text, "is not accepted", wrong.getMessage());
      return Optional.empty();
    }
  }

  private void refuse(
      CoreError code, String key, String text, String problem, @Nullable String remedy) {
    problems.add(
        new ConfigProblem(
            code,
            key,
            text,
            source.origin(key),
            problem,
            "See docs/config.md: " + (remedy == null ? "no such form" : remedy) + "."));
  }

  private void refuseOverlaps(List<Subnet> subnets) {
    for (int i = 0; i < subnets.size(); i++) {
      for (int j = 0; j < i; j++) {
        Subnet one = subnets.get(j);
        Subnet other = subnets.get(i);
        boolean sameAddresses =
            one.vpcId().equals(other.vpcId()) && one.cidr().overlaps(other.cidr());
        if (one.id().equals(other.id()) || sameAddresses) {
          refuse(
              CoreError.CONFIG_CONTRADICTION,
              MockKey.SUBNETS.key(),
              other.id(),
              "has the id or addresses of " + one.id(),
              "ids and addresses of a VPC are used once");
        }
      }
    }
  }

  private Map<String, List<Cidr>> aliasRanges() {
    Map<String, List<Cidr>> ranges = new TreeMap<>();
    List<Cidr> all = new ArrayList<>();
    for (String[] pair : items(MockKey.ALIAS_RANGES, MockConfigReader::aliasRange)) {
      Cidr range = Cidr.parse(pair[1]);
      if (all.stream().anyMatch(range::overlaps)) {
        refuse(
            CoreError.CONFIG_CONTRADICTION,
            MockKey.ALIAS_RANGES.key(),
            pair[1],
            "shares addresses with another range",
            "a range belongs to one instance");
      }
      all.add(range);
      ranges.computeIfAbsent(pair[0], id -> new ArrayList<>()).add(range);
    }
    return ranges;
  }

  private static String[] aliasRange(Item item) {
    String[] pair = item.allowing().pair("INSTANCE=CIDR");
    Object unusedRange = Cidr.parse(pair[1]);
    return pair;
  }

  private Map<CloudOperation, Duration> latencies() {
    Map<CloudOperation, Duration> latencies = new EnumMap<>(CloudOperation.class);
    List<String> texts = texts(MockKey.LATENCY);
    for (String text : texts) {
      boolean forAll = text.indexOf('=') < 0 || text.startsWith("default=");
      attempt(MockKey.LATENCY.key(), text, each -> latency(each.substring(each.indexOf('=') + 1)))
          .ifPresent(
              latency -> {
                if (forAll) {
                  for (CloudOperation operation : CloudOperation.values()) {
                    latencies.putIfAbsent(operation, latency);
                  }
                } else {
                  attempt(
                          MockKey.LATENCY.key(),
                          text,
                          each -> FaultText.operation(each.substring(0, each.indexOf('='))))
                      .ifPresent(operation -> latencies.put(operation, latency));
                }
              });
    }
    return latencies;
  }

  private static Subnet subnet(Item item) {
    String[] pair = item.allowing("zone", "vpc").pair("ID=CIDR");
    return new Subnet(
        pair[0],
        item.option("vpc", MadeNetworks.VPC),
        item.option("zone", MadeNetworks.ZONE),
        Cidr.parse(pair[1]),
        item.tags());
  }

  private static InstanceType instanceType(Item item) {
    String[] pair = item.allowing("prefixes").pair("NAME=INTERFACESxADDRESSES");
    String[] numbers = pair[1].split("x", -1);
    if (numbers.length != 2) {
      throw new IllegalArgumentException("expected INTERFACESxADDRESSES, such as 3x10");
    }
    return new InstanceType(
        pair[0],
        number(numbers[0]),
        number(numbers[1]),
        Boolean.parseBoolean(item.option("prefixes", "true")));
  }

  private static SecurityGroup securityGroup(Item item) {
    return new SecurityGroup(
        item.allowing("vpc").head(), item.option("vpc", MadeNetworks.VPC), item.tags());
  }

  private static PublicAddress publicAddress(Item item) {
    IpAddress address = IpAddress.parse(item.allowing().head());
    return new PublicAddress("eipalloc-" + address, address, item.tags(), Optional.empty());
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a number", e);
    }
  }

  private static Duration latency(String text) {
    return DurationText.parse(text)
        .filter(latency -> !latency.isNegative() && latency.compareTo(LONGEST) <= 0)
        .orElseThrow(() -> new IllegalArgumentException("expected a duration such as 200ms"));
  }
}
