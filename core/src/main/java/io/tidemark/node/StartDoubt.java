package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.resource.NodeResource;
import java.util.OptionalLong;

/**
 * Addresses that the cloud showed at the start and the object's pool lacks. A predecessor may have
 * given them back a moment ago, and the read may be old; so the pool gets them only after a read
 * that began the cloud's horizon later (reliability.md, eventual consistency). Confined to the
 * node's lane.
 */
final class StartDoubt {
  private final boolean possible;
  private final long horizonNanos;
  private AddressSet offered;
  private AddressSet unproven = AddressSet.of();
  private boolean begun;
  private boolean reading;
  private long dueNanos;

  /** {@code resource} is what the node begins with. */
  StartDoubt(NodeEnvironment environment, NodeResource resource) {
    this.horizonNanos = environment.ports().provider().readHorizon().toNanos();
    this.possible = resource.isPublished() && horizonNanos > 0;
    this.offered = possible ? resource.pool().addresses() : AddressSet.of();
  }

  /** The first inventory; later ones change nothing. */
  void begin(NodeSnapshot first, long now) {
    if (begun) {
      return;
    }
    begun = true;
    if (possible && !first.facts().multiPool()) {
      unproven = first.attached().minus(offered);
      dueNanos = now + horizonNanos;
    }
    offered = AddressSet.of();
  }

  /** What must not be offered yet. */
  AddressSet unproven() {
    return unproven;
  }

  /** When the read that decides may begin. */
  OptionalLong nextWakeUp() {
    return unproven.isEmpty() || reading ? OptionalLong.empty() : OptionalLong.of(dueNanos);
  }

  /** Whether that moment has come; true once, then the instance is to be read. */
  boolean isDue(long now) {
    if (unproven.isEmpty() || reading || now - dueNanos < 0) {
      return false;
    }
    reading = true;
    return true;
  }

  /**
   * The inventory can be trusted.
   *
   * @return whether something may be offered now that could not before
   */
  boolean trusted() {
    if (!reading) {
      return false;
    }
    reading = false;
    unproven = AddressSet.of();
    return true;
  }
}
