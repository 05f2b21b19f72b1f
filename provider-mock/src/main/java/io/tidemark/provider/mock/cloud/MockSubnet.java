package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Map;

/**
 * A subnet of a network in one zone.
 *
 * @param networkId addresses are unique inside a network
 * @param networkCidrs blocks of the network for the status, the primary one first; may be empty
 */
public record MockSubnet(
    String id,
    String networkId,
    List<Cidr> networkCidrs,
    String zone,
    Cidr cidr,
    Map<String, String> tags) {
  public MockSubnet {
    if (cidr.family() != IpFamily.IPV4 || cidr.prefixLength() < 8 || cidr.prefixLength() > 28) {
      throw new IllegalArgumentException(id + ": " + cidr + " is not IPv4, /8 to /28");
    }
  }

  /** A subnet of {@code vpc-a} in {@code zone-a}. */
  public static MockSubnet of(String id, String cidr) {
    Cidr parsed = Cidr.parse(cidr);
    return new MockSubnet(id, "vpc-a", List.of(parsed), "zone-a", parsed, Map.of());
  }

  /** Refuses one of the same id with other addresses, and another one that shares addresses. */
  public void requireNoContradiction(MockSubnet other) {
    boolean same = other.id.equals(id);
    boolean overlaps = other.networkId.equals(networkId) && other.cidr.overlaps(cidr);
    if (same ? !other.cidr.equals(cidr) : overlaps) {
      throw new IllegalArgumentException(other + " contradicts subnet " + this);
    }
  }

  @Override
  public String toString() {
    return id + " " + cidr;
  }
}
