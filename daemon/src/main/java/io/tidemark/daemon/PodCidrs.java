package io.tidemark.daemon;

import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv6Address;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The blocks of a node's object that the agent hands out: the first of each family. */
final class PodCidrs {
  private static final Logger LOG = LoggerFactory.getLogger(PodCidrs.class);

  private PodCidrs() {}

  /**
   * The blocks, IPv4 first.
   *
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES} when there is none of a family that
   *     is served, or one is no CIDR
   */
  static List<Cidr> of(NodeResource node, Set<IpFamily> families) {
    List<Cidr> all = new ArrayList<>();
    for (String text : node.podCidrs()) {
      Cidr block =
          Cidr.tryParse(text)
              .filter(it -> !(it.network() instanceof Ipv6Address v6 && v6.isIpv4Mapped()))
              .orElseThrow(
                  () ->
                      without(
                          "spec.ipam.podCIDRs of node "
                              + node.name()
                              + " has '"
                              + text
                              + "', which is no CIDR"));
      all.add(block);
    }
    List<Cidr> used = new ArrayList<>();
    for (IpFamily family : List.of(IpFamily.IPV4, IpFamily.IPV6)) {
      List<Cidr> own = all.stream().filter(each -> each.family() == family).toList();
      if (families.contains(family) && !own.isEmpty()) {
        used.add(own.get(0));
        if (own.size() > 1) {
          LOG.warn(
              "Only the first block of a family is used. unused={}", own.subList(1, own.size()));
        }
      }
    }
    if (used.isEmpty()) {
      throw without("spec.ipam.podCIDRs of node " + node.name() + " is " + node.podCidrs());
    }
    return used;
  }

  /** The object of a node that was looked for. */
  static NodeResource required(Optional<NodeResource> node, String name, String place) {
    return node.orElseThrow(() -> without(place + " has no node " + name));
  }

  private static IpamException without(String detail) {
    return new IpamException(DaemonError.NODE_WITHOUT_ADDRESSES, detail);
  }
}
