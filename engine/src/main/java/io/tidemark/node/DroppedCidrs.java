package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What a multi-pool agent dropped (node-manager 4.9 NM-C5).
 *
 * @param due what it dropped long enough ago
 * @param spare which of those that the provider can release go, so that the floor stays
 */
record DroppedCidrs(Set<Cidr> due, UnaryOperator<Set<Cidr>> spare) {
  static final DroppedCidrs NONE = new DroppedCidrs(Set.of(), UnaryOperator.identity());

  /** The release of what goes; what the provider cannot release takes no part of the choice. */
  List<ReleaseAction> release(NodeOperations operations) {
    if (due.isEmpty()) {
      return List.of();
    }
    List<ReleaseAction> actions = operations.prepareCidrRelease(due);
    Set<Cidr> releasable = new TreeSet<>();
    for (ReleaseAction each : actions) {
      releasable.addAll(each.blocks());
      each.addresses().forEach(ip -> releasable.add(Cidr.single(ip)));
    }
    Set<Cidr> going = spare.apply(releasable);
    List<ReleaseAction> left = new ArrayList<>();
    for (ReleaseAction each : actions) {
      AddressSet.Builder addresses = AddressSet.builder();
      for (IpAddress ip : each.addresses()) {
        if (going.contains(Cidr.single(ip))) {
          addresses.add(ip);
        }
      }
      ReleaseAction fewer =
          each.only(addresses.build(), each.blocks().stream().filter(going::contains).toList());
      if (!fewer.isEmpty()) {
        left.add(fewer);
      }
    }
    return left;
  }
}
