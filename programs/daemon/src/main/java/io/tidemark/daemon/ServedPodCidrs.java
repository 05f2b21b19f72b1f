package io.tidemark.daemon;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv6Address;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The blocks of a node's object that the agent hands out: the first block of each family. */
sealed interface ServedPodCidrs {
  /**
   * Some.
   *
   * @param used IPv4 first, one of each family at most
   * @param unused further blocks of the families that are served
   */
  record Found(List<Cidr> used, List<Cidr> unused) implements ServedPodCidrs {
    public Found {
      used = List.copyOf(used);
      unused = List.copyOf(unused);
    }
  }

  /**
   * None.
   *
   * @param why for people
   */
  record Missing(String why) implements ServedPodCidrs {}

  /** Those of the families that are served. */
  static ServedPodCidrs of(NodeResource node, Set<IpFamily> families) {
    List<Cidr> all = new ArrayList<>();
    for (String text : node.podCidrs()) {
      Optional<Cidr> block =
          Cidr.tryParse(text)
              .filter(it -> !(it.network() instanceof Ipv6Address v6 && v6.isIpv4Mapped()));
      if (block.isEmpty()) {
        return new Missing(
            "spec.ipam.podCIDRs of node "
                + node.name()
                + " has '"
                + text
                + "', which is not a CIDR");
      }
      all.add(block.get());
    }
    List<Cidr> used = new ArrayList<>();
    List<Cidr> unused = new ArrayList<>();
    for (IpFamily family : List.of(IpFamily.IPV4, IpFamily.IPV6)) {
      List<Cidr> own = all.stream().filter(each -> each.family() == family).toList();
      if (families.contains(family) && !own.isEmpty()) {
        used.add(own.get(0));
        unused.addAll(own.subList(1, own.size()));
      }
    }
    return used.isEmpty()
        ? new Missing("spec.ipam.podCIDRs of node " + node.name() + " is " + node.podCidrs())
        : new Found(used, unused);
  }
}
