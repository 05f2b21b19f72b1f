package io.tidemark.datastore.legacy;

import io.tidemark.datastore.DataStore.Assigned;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.ip.IpAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All interfaces at one instant.
 *
 * @param totalIps how many addresses they have
 * @param assignedIps how many of them sandboxes have
 * @param enis by their ids
 */
public record EniInfos(int totalIps, int assignedIps, SortedMap<String, Eni> enis) {
  static EniInfos of(PoolView view, List<Assigned> assigned) {
    Map<IpAddress, IpamKey> holders = new HashMap<>();
    assigned.forEach(each -> holders.put(each.assignment().address(), each.entry().key()));
    SortedMap<String, Eni> enis = new TreeMap<>();
    long total = 0;
    int inUse = 0;
    for (EniView each : view.enis()) {
      enis.put(each.spec().id(), Eni.of(each, holders));
      total += each.cidrs().stream().mapToLong(PoolView.CidrView::size).sum();
      inUse += each.inUse();
    }
    return new EniInfos((int) Math.min(total, Integer.MAX_VALUE), inUse, enis);
  }

  /** The address that a sandbox has; empty when it has none. */
  public Optional<AddressInfo> findAddressForSandbox(IpamKey key) {
    return enis.values().stream()
        .flatMap(eni -> eni.ipv4Addresses().values().stream())
        .filter(each -> each.assigned() && each.ipamKey().equals(key))
        .findFirst();
  }
}
