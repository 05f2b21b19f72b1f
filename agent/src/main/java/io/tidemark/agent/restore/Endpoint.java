package io.tidemark.agent.restore;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.IpAddress;
import java.util.Optional;

/**
 * A pod, or another holder of addresses, that was there before the agent was started.
 *
 * @param name the owner of its addresses
 * @param ipv4 its IPv4 address, if it has one
 * @param ipv6 its IPv6 address, if it has one
 */
public record Endpoint(String name, Optional<Address> ipv4, Optional<Address> ipv6) {
  /**
   * An address and where it was from.
   *
   * @param pool {@link PoolName#NOT_GIVEN} when that was not noted: the default pool
   */
  public record Address(IpAddress ip, PoolName pool) {}
}
