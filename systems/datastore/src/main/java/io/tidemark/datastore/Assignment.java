package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;

/**
 * An address that a sandbox has, and where it is.
 *
 * @param cidr the block of the interface that the address belongs to
 */
public record Assignment(
    IpAddress address, String eniId, int deviceNumber, int routeTableId, Cidr cidr) {}
