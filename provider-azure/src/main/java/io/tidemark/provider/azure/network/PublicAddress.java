package io.tidemark.provider.azure.network;

import io.tidemark.ip.IpAddress;
import java.util.Optional;

/**
 * A public IP address, a resource of its own or a part of a Uniform instance's interface.
 *
 * @param address empty while Azure has not given it
 * @param state provisioning state in lower case
 */
public record PublicAddress(ResourceId id, Optional<IpAddress> address, String state) {}
