package io.tidemark.provider.mock;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.config.SharedKey;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.FaultScript;
import io.tidemark.provider.mock.cloud.MockSubnet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Settings of the embedded cloud; docs/config.md has their forms.
 *
 * @param aliasRanges by instance
 * @param bucketScale share of the request buckets, 0 for none
 */
record MockConfig(
    List<MockSubnet> subnets,
    Map<String, List<Cidr>> aliasRanges,
    Duration latency,
    double bucketScale,
    List<FaultScript.Rule> faults,
    Duration overlayExpiry) {
  static final Options KEYS = new Options();

  private static final Option<List<String>> SUBNETS =
      KEYS.list(
          "mock-subnets", "subnets that exist, instead of those made from the IDs in manifests");
  private static final Option<List<String>> ALIAS_RANGES =
      KEYS.list("mock-alias-ranges", "ranges that instances of Nodes have from the start");
  private static final Option<Duration> LATENCY =
      KEYS.duration("mock-latency", "0s", "0", "1h", "latency of requests, up to 1h");
  private static final Option<String> BUCKETS =
      KEYS.raw(
          "mock-buckets", "request limits: off, documented, or a share of them (default: off)");
  private static final Option<List<String>> FAULTS =
      KEYS.list("mock-faults", "faults; the first matching rule decides");

  /** Reads the settings; an {@link IpamException} names everything that is wrong with them. */
  static MockConfig read(ConfigSource source) {
    ConfigProblems problems = new ConfigProblems();
    ConfigReader reader = new ConfigReader(source, problems);
    List<MockSubnet> subnets = new ArrayList<>();
    Map<String, List<Cidr>> ranges = new TreeMap<>();
    List<FaultScript.Rule> faults = new ArrayList<>();
    items(SUBNETS, reader, each -> subnets.add(subnet(each, subnets)));
    items(ALIAS_RANGES, reader, each -> aliasRange(each, ranges));
    items(FAULTS, reader, each -> faults.add(FaultScript.Rule.parse(each)));
    double bucketScale =
        switch (BUCKETS.read(reader)) {
          case "", "off" -> 0;
          case "documented" -> 1;
          default -> reader.decimal(BUCKETS.key(), 0, 0.001, 1000);
        };
    Duration latency = LATENCY.read(reader);
    Duration overlayExpiry = SharedKey.OVERLAY_EXPIRY.read(reader);
    problems.throwIfAny();
    return new MockConfig(subnets, ranges, latency, bucketScale, faults, overlayExpiry);
  }

  /** Hands each text of a list on; an exception is a problem with it. */
  private static void items(
      Option<List<String>> option, ConfigReader reader, Consumer<String> use) {
    for (String each : option.read(reader)) {
      try {
        use.accept(each);
      } catch (IllegalArgumentException wrong) {
        String origin = reader.source().origin(option.key());
        String remedy = "See docs/config.md: " + wrong.getMessage() + ".";
        CoreError code = CoreError.CONFIG_INVALID_VALUE;
        ConfigProblem problem =
            new ConfigProblem(code, option.key(), each, origin, "is not accepted", remedy);
        reader.problems().add(problem);
      }
    }
  }

  private static String[] pair(String text, String expected) {
    String[] pair = text.split("=", 2);
    if (pair.length < 2 || pair[0].isEmpty() || pair[1].isEmpty()) {
      throw new IllegalArgumentException("'" + text + "': expected " + expected);
    }
    return pair;
  }

  /** A subnet in the form {@code ID=CIDR;zone=ZONE;vpc=VPC;tag.NAME=TEXT}. */
  private static MockSubnet subnet(String text, List<MockSubnet> before) {
    String[] parts = text.split(";", -1);
    String[] head = pair(parts[0], "ID=CIDR");
    String zone = ShownInstance.ZONE;
    String network = ShownInstance.NETWORK;
    Map<String, String> tags = new TreeMap<>();
    for (String part : List.of(parts).subList(1, parts.length)) {
      String[] pair = pair(part, "KEY=VALUE");
      switch (pair[0]) {
        case "zone" -> zone = pair[1];
        case "vpc" -> network = pair[1];
        default -> {
          if (!pair[0].startsWith("tag.")) {
            throw new IllegalArgumentException("unknown part '" + pair[0] + "'");
          }
          tags.put(pair[0].substring("tag.".length()), pair[1]);
        }
      }
    }
    Cidr cidr = Cidr.parse(head[1]);
    Cidr whole = Cidr.containing(cidr.network(), Math.min(16, cidr.prefixLength()));
    MockSubnet subnet = new MockSubnet(head[0], network, List.of(whole), zone, cidr, tags);
    before.forEach(each -> each.requireNoContradiction(subnet));
    if (before.stream().anyMatch(each -> each.id().equals(subnet.id()))) {
      throw new IllegalArgumentException(subnet.id() + " is there twice");
    }
    return subnet;
  }

  private static void aliasRange(String text, Map<String, List<Cidr>> before) {
    String[] pair = pair(text, "INSTANCE=CIDR");
    Cidr range = Cidr.parse(pair[1]);
    if (before.values().stream().flatMap(List::stream).anyMatch(range::overlaps)) {
      throw new IllegalArgumentException("it shares addresses with another range");
    }
    before.computeIfAbsent(pair[0], id -> new ArrayList<>()).add(range);
  }
}
