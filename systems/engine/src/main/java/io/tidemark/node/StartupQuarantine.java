package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Inventory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Addresses that reads soon after the start show although the object's pool did not hold them then
 * or called them released, or although a read before did not show them; our own additions apart. A
 * predecessor may have given them back a moment ago, and the reads may be old, the later one older
 * than the one before; so the pool gets them only after a read that began the cloud's horizon after
 * the start (reliability.md, eventual consistency). Confined to the node's lane.
 */
final class StartupQuarantine {
  private final long dueNanos;
  private final long overNanos;
  private AddressSet proven;
  private AddressSet own = AddressSet.of();
  private boolean open;
  private boolean reading;

  /** {@code resource} is what the node begins with, now. */
  StartupQuarantine(NodeEnvironment environment, NodeResource resource) {
    AllocationImplementation provider = environment.ports().provider();
    long horizon = provider.readHorizon().toNanos();
    boolean published =
        !resource.pool().isEmpty() || !provider.describedInterfaces(resource).isEmpty();
    this.open = horizon > 0 && published;
    this.proven = open ? offered(provider, resource) : AddressSet.of();
    this.dueNanos = environment.now() + horizon;
    this.overNanos = dueNanos + environment.config().maintenance().passTimeout().toNanos();
  }

  /**
   * The addresses that agents of this object's kind may use: a multi-pool agent goes by the status.
   */
  private static AddressSet offered(AllocationImplementation provider, NodeResource resource) {
    if (ResourceFacts.of(resource).multiPool()) {
      AddressSet shown = AddressSet.of();
      for (AddressSet each : provider.describedInterfaces(resource).values()) {
        shown = shown.plus(each);
      }
      return shown;
    }
    List<IpAddress> released = new ArrayList<>();
    resource
        .releaseIps()
        .forEach(
            (address, state) -> {
              if (state == HandshakeState.RELEASED) {
                released.add(address);
              }
            });
    return resource.pool().addresses().minus(AddressSet.copyOf(released));
  }

  /** A picture of the instance: what is not in it is not believed again soon. */
  void pictured(Inventory.Known now) {
    if (open) {
      proven = proven.intersect(AttachedInterface.addressesOf(now.interfaces()));
    }
  }

  /**
   * We have added these.
   *
   * @return whether they might have been held back
   */
  boolean added(AddressSet addresses) {
    if (open) {
      proven = proven.plus(addresses);
      own = own.plus(addresses);
    }
    return open;
  }

  /** The addresses that we have added since the start, as long as that makes a difference. */
  AddressSet own() {
    return own;
  }

  /** The part of {@code now} that must not be offered yet. */
  AddressSet unproven(Inventory.Known now) {
    return open ? AttachedInterface.addressesOf(now.interfaces()).minus(proven) : AddressSet.of();
  }

  /**
   * When the read that decides may begin, and then when no older read can be under way any more.
   */
  OptionalLong nextWakeUp(long now) {
    if (!open || reading) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(now - dueNanos < 0 ? dueNanos : overNanos);
  }

  /** Whether the instance is to be read now because something is in doubt; true once. */
  boolean wantsRead(Inventory.Known picture, long now) {
    if (!open || reading || now - dueNanos < 0) {
      return false;
    }
    reading = !unproven(picture).isEmpty();
    if (!reading && now - overNanos >= 0) {
      close();
    }
    return reading;
  }

  /**
   * The inventory can be trusted.
   *
   * @return whether something may be offered now that could not before
   */
  boolean trusted() {
    boolean proved = reading;
    if (proved) {
      close();
    }
    return proved;
  }

  private void close() {
    open = false;
    reading = false;
    proven = AddressSet.of();
    own = AddressSet.of();
  }
}
