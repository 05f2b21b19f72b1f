package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.Map;
import java.util.Objects;

/**
 * A subnet of a VPC in one zone.
 *
 * @param cidr IPv4, /16 to /28 in EC2; /8 to /28 here
 */
public record Subnet(String id, String vpcId, String zone, Cidr cidr, Map<String, String> tags) {
  public Subnet {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(vpcId, "vpcId");
    Objects.requireNonNull(zone, "zone");
    tags = Map.copyOf(tags);
    if (cidr.family() != IpFamily.IPV4 || cidr.prefixLength() < 8 || cidr.prefixLength() > 28) {
      throw new IllegalArgumentException(
          "subnet " + id + " has CIDR " + cidr + "; expected IPv4, /8 to /28");
    }
  }
}
