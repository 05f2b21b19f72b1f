package io.tidemark.agent;

import io.tidemark.ip.IpAddress;
import java.util.UUID;

/**
 * A time limit on an allocated address: unless it is stopped in time, the address is released. It
 * names one allocation; a later one of the same address is not touched by it.
 *
 * @param id drawn at random when it started
 * @param ip the address
 * @param pool the pool that the address came from
 */
public record Lease(UUID id, IpAddress ip, PoolName pool) {
  /** How an attempt to start a lease ended. */
  public sealed interface Start {
    record Started(Lease lease) implements Start {}

    record Refused(Denial denial) implements Start {}
  }
}
