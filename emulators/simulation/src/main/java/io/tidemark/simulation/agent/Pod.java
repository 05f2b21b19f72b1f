package io.tidemark.simulation.agent;

import io.tidemark.ip.IpAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A pod that wants one address. Used by the simulation's thread alone. */
public final class Pod {
  private final long number;
  private final String fullName;
  private @Nullable IpAddress address;
  private boolean gone;

  /** A pod that was just placed on a node. */
  public Pod(long number) {
    this.number = number;
    this.fullName = "default/" + this;
  }

  /** Namespace and name. */
  public String fullName() {
    return fullName;
  }

  /** The address it holds; empty while it waits. */
  public Optional<IpAddress> address() {
    return Optional.ofNullable(address);
  }

  /** Whether it has left. */
  public boolean isGone() {
    return gone;
  }

  void holds(@Nullable IpAddress other) {
    address = other;
  }

  void leave() {
    gone = true;
  }

  @Override
  public String toString() {
    return "pod-" + number;
  }
}
