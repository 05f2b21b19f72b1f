package io.tidemark.datastore.legacy;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An interface.
 *
 * @param ipv4Addresses its secondary addresses, by their text
 */
public record Eni(
    String id,
    boolean isPrimary,
    boolean isTrunk,
    int deviceNumber,
    SortedMap<String, AddressInfo> ipv4Addresses) {
  static Eni of(EniView view, Map<IpAddress, IpamKey> holders) {
    SortedMap<String, AddressInfo> addresses = new TreeMap<>();
    for (CidrView each : view.cidrs()) {
      if (each.kind() == CidrKind.SECONDARY && each.cidr().family() == IpFamily.IPV4) {
        IpAddress ip = each.cidr().first();
        IpamKey key = holders.getOrDefault(ip, new IpamKey("", "", ""));
        addresses.put(ip.toString(), new AddressInfo(ip.toString(), key));
      }
    }
    StoreEniSpec spec = view.spec();
    return new Eni(spec.id(), spec.primary(), spec.trunk(), spec.deviceNumber(), addresses);
  }

  /** How many of its addresses sandboxes have. */
  public int assignedIpv4Addresses() {
    return (int) ipv4Addresses.values().stream().filter(AddressInfo::assigned).count();
  }
}
