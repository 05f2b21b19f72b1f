package io.tidemark.agent;

import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The allocations, in the form of the reference's status (allocators 2.8).
 *
 * @param ipv4 owner by address, ascending in each pool; the address of another pool than the
 *     default is written {@code pool/address}
 * @param ipv6 the same for IPv6
 * @param status one line for each family, joined; {@code Not running} without any
 */
public record IpamDump(Map<String, String> ipv4, Map<String, String> ipv6, String status) {
  static IpamDump of(List<PoolSnapshot> pools, PoolName defaultPool) {
    List<String> status = new ArrayList<>();
    Map<String, String> ipv4 = owners(pools, IpFamily.IPV4, defaultPool, status);
    Map<String, String> ipv6 = owners(pools, IpFamily.IPV6, defaultPool, status);
    return new IpamDump(ipv4, ipv6, status.isEmpty() ? "Not running" : String.join(", ", status));
  }

  private static Map<String, String> owners(
      List<PoolSnapshot> pools, IpFamily family, PoolName defaultPool, List<String> status) {
    Map<String, String> owners = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    for (PoolSnapshot each : pools) {
      if (each.family() == family) {
        boolean isDefault = each.pool().equals(defaultPool);
        String prefix = isDefault ? "" : each.pool() + "/";
        each.held().forEach(held -> owners.put(prefix + held.ip(), held.owner()));
        lines.add(isDefault ? each.status() : each.pool() + " " + each.status());
      }
    }
    if (!lines.isEmpty()) {
      status.add(family + ": " + String.join("; ", lines));
    }
    return owners;
  }
}
