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
 * @param cidr IPv4, /8 to /28
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

  /** Whether a cloud cannot have both: one id with different addresses, or shared addresses. */
  public boolean contradicts(MockSubnet other) {
    return other.id.equals(id)
        ? !other.cidr.equals(cidr)
        : other.networkId.equals(networkId) && other.cidr.overlaps(cidr);
  }

  @Override
  public String toString() {
    return id + " " + cidr;
  }

  /** A subnet with its free addresses, and its aligned /28 runs that are wholly free. */
  public record Room(MockSubnet subnet, int freeAddresses, int freeBlocks) {}
}
