package io.tidemark.daemon.cni;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.IpAddress;
import java.util.List;

/**
 * The addresses of one interface of a pod.
 *
 * @param owner {@code namespace/pod}, or {@code network/container}
 * @param addresses IPv4 first; one of each family at most
 * @param epochMillis since when, by the wall clock
 */
record Attachment(AttachmentKey key, String owner, List<Address> addresses, long epochMillis) {
  /** An address and the pool that it is given back to. */
  record Address(IpAddress ip, PoolName pool) {
    @Override
    public String toString() {
      return ip.toString();
    }
  }

  List<IpAddress> ips() {
    return addresses.stream().map(Address::ip).toList();
  }
}
