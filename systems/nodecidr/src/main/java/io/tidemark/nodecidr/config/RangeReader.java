package io.tidemark.nodecidr.config;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.Option;
import io.tidemark.error.CoreError;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads settings that are lists of CIDRs. Used once, by one thread. */
final class RangeReader {
  private final ConfigReader config;
  private final List<String> notes = new ArrayList<>();
  private final Map<Cidr, String> keys = new HashMap<>();

  RangeReader(ConfigReader config) {
    this.config = config;
  }

  ConfigReader config() {
    return config;
  }

  <T> T read(Option<T> option) {
    return option.read(config);
  }

  boolean isGiven(Option<?> option) {
    return config.isGiven(option.key());
  }

  int found() {
    return config.problems().found().size();
  }

  /** A reader of the same settings that keeps what it finds to itself. */
  RangeReader quietly() {
    return new RangeReader(new ConfigReader(config.source(), new ConfigProblems()));
  }

  List<String> notes() {
    return notes;
  }

  void note(String sentence) {
    notes.add(sentence);
  }

  String keyOf(Cidr range) {
    return keys.getOrDefault(range, "");
  }

  void problem(Option<?> option, String problem, String remedy) {
    problem(option.key(), problem, remedy);
  }

  void problem(String key, String problem, String remedy) {
    problem(CoreError.CONFIG_INVALID_VALUE, key, problem, remedy);
  }

  void problem(ErrorCode code, String key, String problem, String remedy) {
    config
        .problems()
        .add(
            new ConfigProblem(
                code,
                key,
                config.source().value(key).orElse(""),
                config.source().origin(key),
                problem,
                remedy));
  }

  void contradiction(Option<?> key, Option<?> other, String why) {
    config.problems().contradiction(config.source(), key.key(), other.key(), why);
  }

  /** The CIDRs of a setting that can be read; each of the others is a problem. */
  List<Cidr> cidrs(Option<List<String>> key) {
    List<Cidr> cidrs =
        key.read(config).stream().flatMap(item -> cidr(key.key(), item).stream()).toList();
    cidrs.forEach(cidr -> keys.putIfAbsent(cidr, key.key()));
    return cidrs;
  }

  List<Exclusion> exclusions(Option<List<String>> key) {
    return cidrs(key).stream().map(each -> new Exclusion(each, key.key())).toList();
  }

  /** The length of the blocks of these ranges; one that does not suit them is a problem. */
  int blockLength(Option<Integer> key, IpFamily family, List<Cidr> ranges) {
    int before = found();
    int length = key.read(config);
    if (found() > before) {
      return length;
    }
    int longest = ranges.stream().mapToInt(Cidr::prefixLength).max().orElse(0);
    ranges.stream()
        .filter(range -> length < range.prefixLength() || length > family.bits())
        .findFirst()
        .ifPresent(
            range ->
                problem(
                    key,
                    "is not a valid block length of " + range,
                    "Expected: a prefix length from " + longest + " to " + family.bits() + "."));
    return length;
  }

  /** Whether no two of these ranges overlap; two that do are a problem. */
  boolean areApart(Option<?> key, List<Cidr> ranges) {
    for (int i = 0; i < ranges.size(); i++) {
      for (Cidr before : ranges.subList(0, i)) {
        if (before.overlaps(ranges.get(i))) {
          problem(
              key,
              "has ranges that overlap: " + before + " and " + ranges.get(i),
              "Give ranges that share no address.");
          return false;
        }
      }
    }
    return true;
  }

  private Optional<Cidr> cidr(String key, String text) {
    Optional<Cidr> strict = Cidr.tryParse(text);
    if (strict.isPresent()) {
      return strict;
    }
    Optional<Cidr> masked = InterfaceAddress.tryParse(text).map(InterfaceAddress::network);
    if (masked.isPresent()) {
      note(key + ": " + text + " has host bits set, and means " + masked.get());
      return masked;
    }
    String reason = "";
    try {
      Cidr.parse(text);
    } catch (IpFormatException e) {
      reason = String.valueOf(e.getMessage());
    }
    problem(key, "is not accepted: " + reason, "Expected: a CIDR such as 10.244.0.0/16.");
    return Optional.empty();
  }
}
