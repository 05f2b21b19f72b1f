package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.Objects;

/**
 * An address that a sandbox has, and where it is.
 *
 * @param cidr the block of the interface that the address belongs to
 */
public record Assignment(
    IpAddress address, String eniId, int deviceNumber, int routeTableId, Cidr cidr) {
  public Assignment {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(eniId, "eniId");
    Objects.requireNonNull(cidr, "cidr");
  }
}
