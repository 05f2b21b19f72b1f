package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.CoolingQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that were released not long ago: those that the node has, in the order of their
 * release, and those that have left it and may come back.
 *
 * <p>Mutable and not thread-safe, as the pool that owns it is.
 */
final class CoolingAddresses {
  private final CooldownRule rule;
  private final CoolingQueue<AddressSlot> here = new CoolingQueue<>();

  /** When those that have left were released. */
  private final Map<IpAddress, Long> gone = new HashMap<>();

  CoolingAddresses(CooldownRule rule) {
    this.rule = rule;
  }

  void add(AddressSlot slot) {
    here.add(slot, slot.releasedNanos);
  }

  void remove(AddressSlot slot) {
    here.remove(slot);
  }

  /** Takes out one whose cooldown is over; null when there is none. */
  @Nullable AddressSlot pollEnded(long now) {
    return here.isEmpty() || rule.cools(now - here.headNanos()) ? null : here.poll();
  }

  /** Takes out the suitable one that has cooled longest, if it may be assigned early, or null. */
  @Nullable AddressSlot pollEarly(Predicate<AddressSlot> suitable, long now) {
    return here.poll(slot -> suitable.test(slot) && rule.isAboveFloor(now - slot.releasedNanos));
  }

  /** One that cools has left the node. */
  void leave(AddressSlot slot) {
    here.remove(slot);
    gone.put(slot.address, slot.releasedNanos);
  }

  /** One that is not here was released then; of two releases the later one counts. */
  void noteGone(IpAddress address, long releasedNanos) {
    gone.merge(address, releasedNanos, (before, other) -> other - before > 0 ? other : before);
  }

  /** Forgets those that have left of which the cooldown is over. */
  void forgetEnded(long now) {
    gone.values().removeIf(released -> !rule.cools(now - released));
  }

  /** Whether one of those that have left is of a block. */
  boolean hasLeft(Cidr cidr) {
    return gone.keySet().stream().anyMatch(cidr::contains);
  }

  /** Hands over those that have left of a block that is back, and forgets them. */
  void comeBack(Cidr cidr, ObjLongConsumer<IpAddress> visitor) {
    for (IpAddress address : gone.keySet().stream().filter(cidr::contains).sorted().toList()) {
      Long released = gone.remove(address);
      if (released != null) {
        visitor.accept(address, released);
      }
    }
  }

  /** Hands over all, and when each was released. */
  void forEach(ObjLongConsumer<IpAddress> visitor) {
    here.forEach((slot, nanos) -> visitor.accept(slot.address, nanos));
    gone.forEach(visitor::accept);
  }
}
