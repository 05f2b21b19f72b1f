package io.tidemark.agent.eni;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.Eni;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The blocks of addresses that interfaces hold (allocators 6). */
final class EniBlocks {
  private EniBlocks() {}

  /**
   * The blocks of an interface: its delegated prefixes, and each usable address that is in none of
   * them by itself; in the order of the object.
   */
  static List<Cidr> of(Eni eni) {
    Set<Cidr> blocks = new LinkedHashSet<>();
    blocks.addAll(eni.prefixes());
    blocks.addAll(eni.ipv6Prefixes());
    CidrSet prefixes = CidrSet.copyOf(blocks);
    for (IpAddress each : eni.addresses()) {
      if (!prefixes.contains(each)) {
        blocks.add(Cidr.single(each));
      }
    }
    return new ArrayList<>(blocks);
  }

  /** The interfaces for pods: all but those that the spec excludes by index or tags. */
  static Stream<Eni> forPods(EniStatus status, EniSpec spec) {
    return status.enis().values().stream().filter(each -> !isExcluded(each, spec));
  }

  private static boolean isExcluded(Eni eni, EniSpec spec) {
    Map<String, String> tags = spec.excludeInterfaceTags();
    return eni.number() < spec.firstInterfaceIndex().orElse(0)
        || (!tags.isEmpty() && eni.tags().entrySet().containsAll(tags.entrySet()));
  }
}
