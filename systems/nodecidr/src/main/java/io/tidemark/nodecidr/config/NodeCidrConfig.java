package io.tidemark.nodecidr.config;

import io.tidemark.cluster.Messages;
import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.SharedKey;
import io.tidemark.error.CoreError;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.config.NodeCidrKey.Mode;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The ranges of node CIDRs, as they are set.
 *
 * @param mode whose objects get the CIDRs
 * @param type who decides
 * @param cidrs the families and their ranges; empty when they are not sound
 * @param pauses what blocks wait for
 * @param strictStart whether a CIDR of a node that is not in order ends the start
 * @param notes settings to check, a sentence each without a full stop
 */
public record NodeCidrConfig(
    Mode mode,
    CidrAllocatorType type,
    Optional<ClusterCidrs> cidrs,
    Pauses pauses,
    boolean strictStart,
    List<String> notes) {
  /**
   * The pauses of blocks.
   *
   * @param cooldown how long a node must be absent before its blocks may go to another
   * @param takeOverHold how long a new leader gives out no block that a former one may have given;
   *     at least the cooldown
   */
  public record Pauses(Duration cooldown, Duration takeOverHold) {
    public Pauses {
      if (takeOverHold.compareTo(cooldown) < 0) {
        takeOverHold = cooldown;
      }
    }

    private static Pauses read(RangeReader reader, boolean reference) {
      Duration cooldown = reader.read(NodeCidrKey.COOLDOWN);
      boolean given = reader.isGiven(NodeCidrKey.COOLDOWN);
      return new Pauses(
          reference && !given ? Duration.ZERO : cooldown, reader.read(NodeCidrKey.TAKEOVER_HOLD));
    }
  }

  /** Reads the settings of all places; {@code others} are known keys that mean nothing here. */
  public static NodeCidrConfig read(
      List<ConfigLayer> layers, ConfigKeys others, ConfigProblems problems) {
    return read(new ConfigReader(keys(layers, others).resolve(layers, problems), problems));
  }

  /**
   * The keys of the mode that {@code ipam} names, and {@code others}, which mean nothing here;
   * those of the other mode are foreign.
   */
  public static ConfigKeys keys(List<ConfigLayer> layers, ConfigKeys others) {
    ConfigSource all = others.with(NodeCidrKey.all()).resolve(layers, new ConfigProblems());
    return NodeCidrKey.IPAM.read(new ConfigReader(all, new ConfigProblems())) == Mode.KUBERNETES
        ? others
            .with(NodeCidrKey.kubernetes())
            .withForeignMode("cluster-pool", NodeCidrKey.clusterPool())
        : others
            .with(NodeCidrKey.clusterPool())
            .withForeignMode("kubernetes", NodeCidrKey.kubernetes());
  }

  /** Reads settings whose keys are those of {@link #keys}. */
  public static NodeCidrConfig read(ConfigReader settings) {
    RangeReader reader = new RangeReader(settings);
    Mode mode = NodeCidrKey.IPAM.read(settings);
    boolean nodes = mode == Mode.KUBERNETES;
    CidrAllocatorType type = nodes ? type(reader) : CidrAllocatorType.RANGE_ALLOCATOR;
    boolean reference = reader.read(NodeCidrKey.PROFILE) == SharedKey.Profile.REFERENCE;
    Pauses pauses = Pauses.read(reader, reference);
    boolean given = reader.isGiven(NodeCidrKey.STRICT_START);
    boolean strict = reader.read(NodeCidrKey.STRICT_START) || (reference && !given);
    int before = reader.found();
    List<FamilyRanges> families = nodes ? families(reader, type) : PoolRanges.families(reader);
    List<Exclusion> exclusions =
        nodes ? KubernetesRanges.exclusions(reader) : reader.exclusions(NodeCidrKey.EXCLUDE);
    if (reference) {
      families.forEach(family -> limit(family, reader));
    }
    if (families.isEmpty() || reader.found() > before) {
      return new NodeCidrConfig(mode, type, Optional.empty(), pauses, strict, reader.notes());
    }
    ClusterCidrs cidrs =
        new ClusterCidrs(families, exclusions, nodes ? Target.NODE : Target.CILIUM_NODE);
    for (RangeUsage range : new CidrLedger(cidrs, Duration.ZERO).usage()) {
      check(range, cidrs, reader);
    }
    for (Exclusion each : exclusions) {
      if (cidrs.of(each.cidr().family()).filter(FamilyRanges::isOfCloud).isPresent()) {
        continue; // the cloud decides
      }
      if (families.stream().flatMap(it -> it.ranges().stream()).noneMatch(each.cidr()::overlaps)) {
        reader.note(each.reason() + ": " + each.cidr() + " is in no range, and has no effect");
      }
    }
    return new NodeCidrConfig(mode, type, Optional.of(cidrs), pauses, strict, reader.notes());
  }

  private static List<FamilyRanges> families(RangeReader reader, CidrAllocatorType type) {
    return switch (type) {
      case CLOUD_ALLOCATOR ->
          KubernetesRanges.ofCloud(reader, KubernetesRanges.services(reader.quietly()));
      case RANGE_ALLOCATOR -> KubernetesRanges.families(reader, type);
      case IPAM_FROM_CLUSTER, IPAM_FROM_CLOUD ->
          KubernetesRanges.first(reader, type, KubernetesRanges.families(reader, type));
    };
  }

  /** The type that is set; empty in a mode without types, and for one that is not known. */
  public static Optional<CidrAllocatorType> type(ConfigSource source) {
    ConfigReader reader = new ConfigReader(source, new ConfigProblems());
    return NodeCidrKey.IPAM.read(reader) == Mode.KUBERNETES
        ? CidrAllocatorType.of(NodeCidrKey.TYPE.read(reader))
        : Optional.empty();
  }

  /**
   * Adds what keeps a program from assigning CIDRs with these settings, which {@link #read} has
   * read: nobody has said that it shall.
   */
  public void requireRunnable(ConfigReader settings) {
    RangeReader reader = new RangeReader(settings);
    String allocate = NodeCidrKey.ALLOCATE.key();
    if (mode == Mode.KUBERNETES && !NodeCidrKey.ALLOCATE.read(settings)) {
      reader.problem(
          NodeCidrKey.IPAM,
          Messages.of(
              "needs %s: agents of this mode read the CIDRs that another program writes, by default"
                  + " the Kubernetes controller manager, and two programs that write give two nodes"
                  + " one CIDR",
              allocate),
          "Stop the other program and set " + allocate + "=true; otherwise nothing is to be run.");
    }
  }

  private static CidrAllocatorType type(RangeReader reader) {
    String text = reader.read(NodeCidrKey.TYPE);
    Optional<CidrAllocatorType> type = CidrAllocatorType.of(text);
    if (!text.isEmpty() && type.isEmpty()) {
      reader.problem(
          NodeCidrKey.TYPE,
          "is not an allocator type",
          CidrAllocatorType.nearest(text)
              .map(nearest -> "Did you mean " + nearest + "?")
              .orElse("Expected: " + String.join(", ", CidrAllocatorType.names()) + "."));
    }
    return type.orElse(CidrAllocatorType.RANGE_ALLOCATOR);
  }

  /** The reference has a bit for each block, and no more than 2^16 of IPv6. */
  private static void limit(FamilyRanges family, RangeReader reader) {
    for (Cidr range : family.ranges()) {
      int difference = family.blockLength() - range.prefixLength();
      if (family.family() == IpFamily.IPV6 && difference > 16) {
        reader.problem(
            CoreError.CONFIG_CONTRADICTION,
            NodeCidrKey.PROFILE.key(),
            Messages.of(
                "allows 16 bits between an IPv6 range and its blocks; %s by /%s has %s (New CIDR set"
                    + " failed; the node CIDR size is too big)",
                range, family.blockLength(), difference),
            "Use blocks of /" + (range.prefixLength() + 16) + " or wider, or another profile.");
      }
    }
  }

  private static void check(RangeUsage range, ClusterCidrs cidrs, RangeReader reader) {
    String key = reader.keyOf(range.range());
    if (range.free() == 0) {
      List<String> by =
          cidrs.exclusions().stream()
              .filter(each -> each.cidr().overlaps(range.range()))
              .map(each -> each.reason() + "=" + each.cidr())
              .toList();
      reader.problem(
          NodeCidrError.RANGE_COVERED,
          key,
          Messages.of(
              "has no block of /%s left for nodes in %s, because of %s",
              range.blockLength(), range.range(), String.join(", ", by)),
          NodeCidrError.RANGE_COVERED.remedy());
    } else if (range.blocks() == 1) {
      reader.note(
          Messages.of(
              "%s: %s is one block of /%s, so only one node gets a CIDR",
              key, range.range(), range.blockLength()));
    }
  }
}
