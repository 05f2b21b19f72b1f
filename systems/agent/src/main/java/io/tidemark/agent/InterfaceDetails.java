package io.tidemark.agent;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;

/**
 * The network interface that an address belongs to, as the traffic of its pod needs it.
 *
 * @param id the cloud's name of it
 * @param mac of the interface; empty when not known
 * @param number of the interface on its instance, as a text
 * @param subnet of the interface; empty when not known
 * @param gateway of the subnet, of the address's family; empty when not known
 * @param cidrs that are reached through the interface without translation
 */
public record InterfaceDetails(
    String id,
    String mac,
    String number,
    Optional<Cidr> subnet,
    Optional<IpAddress> gateway,
    List<Cidr> cidrs) {}
