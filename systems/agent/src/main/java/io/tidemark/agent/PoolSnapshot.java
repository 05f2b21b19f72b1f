package io.tidemark.agent;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;

/**
 * One family of one pool at an instant.
 *
 * @param origin where its addresses come from, such as {@code 10.0.0.0/24}
 * @param held every address that is not free, ascending
 * @param exclusions who reserved which block; blocks may lie outside the pool
 */
public record PoolSnapshot(
    IpFamily family,
    PoolName pool,
    String origin,
    AddressCounts counts,
    List<HeldAddress> held,
    SortedMap<Cidr, String> exclusions) {
  /** Stands for the owner of an address that cools. */
  public static final String COOLING_OWNER = "cooling";

  /** Why an address is not free. */
  public enum Held {
    /** Allocated. */
    IN_USE,
    /** Released a short while ago. */
    COOLING,
    /** Reserved, and never allocated. */
    EXCLUDED
  }

  /**
   * An address that is not free.
   *
   * @param owner who allocated or reserved it, or {@link #COOLING_OWNER}
   * @param lease the id of its lease, if one runs
   */
  public record HeldAddress(IpAddress ip, Held state, String owner, Optional<UUID> lease) {}

  /** One line for people, such as {@code 3/254 allocated from 10.0.0.0/24}. */
  public String status() {
    return counts.used() + "/" + counts.capacity() + " allocated from " + origin;
  }
}
