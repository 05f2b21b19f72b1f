package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.Collection;
import java.util.List;

/** Azure's rules for the blocks of a subnet (Virtual network FAQ). Pure. */
public final class SubnetRules {
  private static final int IPV4_LONGEST = 29;
  private static final int IPV6_ONLY = 64;

  private SubnetRules() {}

  /**
   * Refuses blocks that Azure would not accept.
   *
   * @param others the other subnets of the network
   */
  public static void requireValid(ArmId id, List<Cidr> prefixes, Collection<ArmSubnet> others) {
    for (int i = 0; i < prefixes.size(); i++) {
      Cidr each = prefixes.get(i);
      boolean fits =
          each.family() == IpFamily.IPV4
              ? each.prefixLength() <= IPV4_LONGEST
              : each.prefixLength() == IPV6_ONLY;
      Refusal.when(
          !fits,
          "NetcfgInvalidSubnet",
          "Subnet %s has the block %s; a block is a /29 or larger, or an IPv6 /64.",
          id,
          each);
      for (Cidr before : prefixes.subList(0, i)) {
        requireApart(id, each, before);
      }
      others.forEach(other -> other.prefixes().forEach(block -> requireApart(id, each, block)));
    }
  }

  private static void requireApart(ArmId id, Cidr block, Cidr other) {
    Refusal.when(
        block.overlaps(other),
        "NetcfgSubnetRangesOverlap",
        "Subnet %s has the block %s, which overlaps with %s.",
        id,
        block,
        other);
  }
}
