package io.tidemark.demand;

import java.time.Duration;

/** The ways in which a node's pool grows by one request. */
public enum GrowthKind {
  /** Addresses on an interface that has room. */
  ADDRESSES(Duration.ofSeconds(1)),
  /** Blocks on an interface that has room. */
  BLOCKS(Duration.ofSeconds(1)),
  /** Another interface, with its first addresses or blocks. */
  INTERFACE(Duration.ofSeconds(10));

  private final Duration usual;

  GrowthKind(Duration usual) {
    this.usual = usual;
  }

  /** The duration that is assumed until one is measured. */
  public Duration usual() {
    return usual;
  }
}
