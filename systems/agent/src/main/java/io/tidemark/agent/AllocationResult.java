package io.tidemark.agent;

import io.tidemark.ip.IpAddress;
import java.util.Optional;

/**
 * An address that was handed out.
 *
 * @param ip never an IPv4-mapped address
 * @param pool the pool that it came from, which a release must name
 * @param details its interface, where addresses belong to interfaces
 * @param reuseNanos how long ago it was released last; -1 when that is not known, as for an address
 *     that nobody had before
 * @param lease present when the address is released unless this lease is stopped in time
 */
public record AllocationResult(
    IpAddress ip,
    PoolName pool,
    Optional<InterfaceDetails> details,
    long reuseNanos,
    Optional<Lease> lease) {

  AllocationResult with(Lease started) {
    return new AllocationResult(ip, pool, details, reuseNanos, Optional.of(started));
  }
}
