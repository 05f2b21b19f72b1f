package io.tidemark.nodeid.config;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.config.SharedKey.Profile;
import io.tidemark.error.CoreError;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdRange;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdRanges.Part;
import io.tidemark.nodeid.NodeIdRanges.RangeOverlap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The settings of node ids, without problems, and notes of what to check, a sentence each. */
public record NodeIdConfig(NodeIdRanges ranges, Assignment assignment, List<String> notes) {
  private static final Map<NodeIdRange, Option<String>> CIDR_KEYS =
      Map.of(
          NodeIdRange.PODS, NodeIdKey.PODS,
          NodeIdRange.LINKS, NodeIdKey.LINKS,
          NodeIdRange.INTERCONNECT, NodeIdKey.INTERCONNECT,
          NodeIdRange.OVERLAY, NodeIdKey.OVERLAY,
          NodeIdRange.SERVICES, NodeIdKey.SERVICES);

  /** The options that {@link NodeIdKey#WHOLE} replaces. */
  private static final List<Option<?>> REPLACED =
      List.of(
          NodeIdKey.PODS,
          NodeIdKey.POD_PREFIX,
          NodeIdKey.LINKS,
          NodeIdKey.LINK_PREFIX,
          NodeIdKey.OVERLAY);

  /**
   * How nodes get their ids: the namespace of the claims in a cluster, how long a node must be gone
   * before its id goes to another, and whether its pod subnet is written as its pod CIDR.
   */
  public record Assignment(String namespace, Duration cooldown, boolean writesPodCidr) {
    private static Assignment read(ConfigReader reader) {
      return new Assignment(
          NodeIdKey.NAMESPACE.read(reader),
          NodeIdKey.COOLDOWN.read(reader),
          NodeIdKey.ALLOCATE.read(reader));
    }
  }

  /** Reads the settings; empty when {@code problems} has something wrong. Ranges may overlap. */
  public static Optional<NodeIdConfig> read(ConfigSource source, ConfigProblems problems) {
    return new Reading(new ConfigReader(source, problems), false).config();
  }

  /** As {@link #read}, to assign ids; overlapping ranges are wrong then. */
  public static Optional<NodeIdConfig> readToRun(ConfigReader reader) {
    return new Reading(reader, true).config();
  }

  private static final class Reading {
    private final ConfigReader reader;
    private final boolean apart;
    private final int before;
    private final List<String> notes = new ArrayList<>();

    /** {@code apart} says whether ranges must not overlap. */
    Reading(ConfigReader reader, boolean apart) {
      this.reader = reader;
      this.apart = apart;
      this.before = reader.problems().found().size();
    }

    Optional<NodeIdConfig> config() {
      Assignment assignment = Assignment.read(reader);
      int withRanges = reader.problems().found().size();
      Optional<NodeIdRanges> ranges = isGiven(NodeIdKey.WHOLE) ? split() : ranges();
      if (reader.problems().found().size() == withRanges) {
        ranges.ifPresent(this::check);
      }
      if (apart) {
        ranges.map(NodeIdRanges::overlaps).ifPresent(found -> found.forEach(this::overlap));
      }
      return ranges
          .filter(sound -> reader.problems().found().size() == before)
          .map(sound -> new NodeIdConfig(sound, assignment, notes));
    }

    private Optional<NodeIdRanges> ranges() {
      Optional<Cidr> pods = cidr(NodeIdKey.PODS);
      int podPrefix = NodeIdKey.POD_PREFIX.read(reader);
      Optional<Cidr> links = cidr(NodeIdKey.LINKS);
      int linkPrefix = NodeIdKey.LINK_PREFIX.read(reader);
      Optional<Cidr> interconnect = interconnect();
      Optional<Cidr> overlay = cidr(NodeIdKey.OVERLAY);
      Optional<Cidr> services = cidr(NodeIdKey.SERVICES);
      List<IpAddress> excluded = excluded();
      Profile profile = NodeIdKey.PROFILE.read(reader);
      boolean dhcp = NodeIdKey.DHCP.read(reader);
      if (pods.isEmpty() || links.isEmpty() || overlay.isEmpty() || services.isEmpty()) {
        return Optional.empty();
      }
      if (interconnect.isEmpty() && !dhcp) {
        notes.add(
            NodeIdKey.INTERCONNECT.key()
                + " is not set: no address of a main interface follows from the id");
      }
      return Optional.of(
          new NodeIdRanges(
              pods.get(),
              podPrefix,
              links.get(),
              linkPrefix,
              interconnect,
              overlay.get(),
              services.get(),
              excluded,
              profile));
    }

    private Optional<NodeIdRanges> split() {
      Optional<Cidr> whole = cidr(NodeIdKey.WHOLE);
      Optional<Cidr> interconnect = interconnect();
      Optional<Cidr> services = cidr(NodeIdKey.SERVICES);
      List<IpAddress> excluded = excluded();
      Profile profile = NodeIdKey.PROFILE.read(reader);
      boolean dhcp = NodeIdKey.DHCP.read(reader);
      for (Option<?> replaced : REPLACED) {
        if (reader.isGiven(replaced.key())) {
          notes.add(
              replaced.key() + " has no effect: " + NodeIdKey.WHOLE.key() + " takes its place");
        }
      }
      if (whole.isPresent() && !NodeIdRanges.isWholeEnough(whole.get())) {
        problem(
            NodeIdKey.WHOLE,
            "has less than 18 bits for its four parts",
            "Expected: a prefix length of " + (whole.get().family().bits() - 18) + " or shorter.");
        return Optional.empty();
      }
      if (whole.isEmpty() || services.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          NodeIdRanges.splitting(
              whole.get(),
              ofWhole -> interconnect.isPresent() || dhcp ? interconnect : ofWhole,
              services.get(),
              excluded,
              profile));
    }

    private void check(NodeIdRanges ranges) {
      for (NodeIdRanges.Problem each : ranges.problems()) {
        problem(key(each.range(), each.part()), each.problem(), each.remedy());
      }
      boolean shifts = ranges.profile() == Profile.REFERENCE && ranges.interconnect().isPresent();
      String outside =
          ranges.interconnect().map(it -> " is not in the interconnect " + it + " and").orElse("");
      String effect =
          shifts
              ? ", as in the reference, moves each address above it by one"
              : " excludes nothing";
      for (IpAddress address : ranges.excludedOutside()) {
        notes.add(NodeIdKey.EXCLUDED.key() + ": " + address + outside + effect);
      }
    }

    private void overlap(RangeOverlap found) {
      problem(
          NodeIdError.RANGES_OVERLAP,
          key(found.second(), Part.CIDR),
          "is not accepted: " + found,
          NodeIdError.RANGES_OVERLAP.remedy());
    }

    private Option<?> key(NodeIdRange range, Part part) {
      return switch (part) {
        case EXCLUDED -> NodeIdKey.EXCLUDED;
        case PREFIX -> range == NodeIdRange.PODS ? NodeIdKey.POD_PREFIX : NodeIdKey.LINK_PREFIX;
        case CIDR -> {
          Option<String> own = Objects.requireNonNull(CIDR_KEYS.get(range));
          yield isGiven(NodeIdKey.WHOLE) && REPLACED.contains(own) ? NodeIdKey.WHOLE : own;
        }
      };
    }

    private Optional<Cidr> interconnect() {
      return isGiven(NodeIdKey.INTERCONNECT) ? cidr(NodeIdKey.INTERCONNECT) : Optional.empty();
    }

    /** Whether it is set, and not to nothing. */
    private boolean isGiven(Option<String> key) {
      return !key.read(reader).isEmpty();
    }

    /** A range; host bits are cleared, as Contiv does. */
    private Optional<Cidr> cidr(Option<String> key) {
      String text = key.read(reader);
      try {
        InterfaceAddress read = InterfaceAddress.parse(text);
        Cidr cidr = read.network();
        if (!read.address().equals(cidr.network())) {
          notes.add(key.key() + ": " + read + " is read as " + cidr);
        }
        return Optional.of(cidr);
      } catch (IpFormatException e) {
        problem(key, "is not a CIDR: " + e.reason(), "Expected: a range such as 10.1.0.0/16.");
        return Optional.empty();
      }
    }

    private List<IpAddress> excluded() {
      List<IpAddress> addresses = new ArrayList<>();
      for (String text : NodeIdKey.EXCLUDED.read(reader)) {
        try {
          addresses.add(IpAddress.parse(text));
        } catch (IpFormatException e) {
          problem(NodeIdKey.EXCLUDED, "has " + e.getMessage(), "Expected: addresses.");
        }
      }
      return addresses;
    }

    private void problem(Option<?> key, String problem, String remedy) {
      problem(CoreError.CONFIG_INVALID_VALUE, key, problem, remedy);
    }

    private void problem(ErrorCode code, Option<?> key, String problem, String remedy) {
      String value = reader.source().value(key.key()).or(key::defaultText).orElse("");
      reader
          .problems()
          .add(
              new ConfigProblem(
                  code, key.key(), value, reader.source().origin(key.key()), problem, remedy));
    }
  }
}
