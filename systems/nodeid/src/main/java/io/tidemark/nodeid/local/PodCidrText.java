package io.tidemark.nodeid.local;

import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.SubnetPlan;

/** Reads the pod CIDR of a Node object, which another program wrote. Stateless. */
final class PodCidrText {
  private PodCidrText() {}

  /**
   * The CIDR.
   *
   * @param node whose it is, for messages
   * @throws IpamException {@link NodeIdError#EXTERNAL_RESULT_REFUSED} when it is none, or has no
   *     address for a pod
   */
  static Cidr parse(String node, String text) {
    try {
      Cidr cidr = Cidr.parseLenient(text);
      if (SubnetPlan.hasRoom(cidr)) {
        return cidr;
      }
      throw refused(node, text, "it has no address for a pod");
    } catch (IpFormatException e) {
      throw refused(node, text, e.reason());
    }
  }

  /** Compared as CIDRs, since a text may be written in several ways. */
  static boolean isSame(String one, String other) {
    try {
      return Cidr.parseLenient(one).equals(Cidr.parseLenient(other));
    } catch (IpFormatException e) {
      return one.equals(other);
    }
  }

  private static IpamException refused(String node, String text, String why) {
    return new IpamException(
        NodeIdError.EXTERNAL_RESULT_REFUSED,
        "pod CIDR '" + text + "' of node " + node + " is refused: " + why);
  }
}
