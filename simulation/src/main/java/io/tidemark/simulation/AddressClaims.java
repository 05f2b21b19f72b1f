package io.tidemark.simulation;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.simulation.cloud.CloudInterface;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/** Which interface holds which IPv4 address; two must never hold the same (I1). */
final class AddressClaims {
  private final Violations violations;
  private final Map<Integer, String> holders = new HashMap<>();

  AddressClaims(Violations violations) {
    this.violations = violations;
  }

  void clear() {
    holders.clear();
  }

  /** The interface holds its addresses; a violation for each that another one holds. */
  void claim(CloudInterface each) {
    forEachAddress(
        each,
        bits -> {
          String other = holders.putIfAbsent(bits, each.id());
          if (other != null) {
            violations.add(
                "I1", "", new Ipv4Address(bits) + " is on " + other + " and " + each.id());
          }
        });
  }

  /** The interface, just as it was claimed, holds nothing any more. */
  void release(CloudInterface each) {
    forEachAddress(each, bits -> holders.remove(bits, each.id()));
  }

  private static void forEachAddress(CloudInterface each, IntConsumer action) {
    if (each.primary() instanceof Ipv4Address primary) {
      action.accept(primary.bits());
    }
    each.singles().forEachIpv4(action);
    for (Cidr block : each.blocks()) {
      if (block.network() instanceof Ipv4Address network) {
        for (int i = 0; i < block.sizeSaturated(); i++) {
          action.accept(network.bits() + i);
        }
      }
    }
  }
}
