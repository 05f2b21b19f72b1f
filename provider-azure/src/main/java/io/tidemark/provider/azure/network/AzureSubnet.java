package io.tidemark.provider.azure.network;

import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A subnet (provider-azure 1.2).
 *
 * @param ipv4 its blocks of IPv4
 * @param configurations how many configurations are in it; empty when Azure leaves the list out
 */
public record AzureSubnet(ResourceId id, List<Cidr> ipv4, OptionalInt configurations) {
  /** Addresses of each block that Azure keeps. */
  public static final int RESERVED = 5;

  public AzureSubnet {
    ipv4 = List.copyOf(ipv4);
  }

  /** Addresses that can be given, not less than 0. */
  public long size() {
    return ipv4.stream().mapToLong(each -> Math.max(0, each.sizeSaturated() - RESERVED)).sum();
  }

  /** How much of it its configurations use; empty when Azure leaves them out. */
  public Optional<SubnetUsage> usage() {
    return configurations.stream().mapToObj(used -> new SubnetUsage(id, used, size())).findFirst();
  }
}
