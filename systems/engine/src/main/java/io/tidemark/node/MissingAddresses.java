package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the addresses that pods use in the pool until a later read confirms that the cloud does not
 * hold them, and reports those that are gone: in the log, as a warning in the report of the node,
 * and as a gauge. Confined to the node's lane.
 */
final class MissingAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(MissingAddresses.class);
  private static final int NAMED_MAX = 10;

  private final String node;
  private final NodeEnvironment environment;
  private final long horizonNanos;
  private AddressSet inherited;
  private Missing state = Missing.NONE;
  private Optional<Blocked> warning = Optional.empty();
  private boolean asked;
  private long askedNanos;

  /**
   * Of one node.
   *
   * @param inherited used addresses of another instance that had the node's name before: they went
   *     with that instance
   */
  MissingAddresses(String node, NodeEnvironment environment, AddressSet inherited) {
    this.node = node;
    this.environment = environment;
    this.horizonNanos = environment.ports().provider().readHorizon().toNanos();
    this.inherited = inherited;
  }

  /**
   * Looks at a new picture of the instance.
   *
   * @param used addresses that pods hold
   * @param now the reads that have begun so far, and the time
   * @param last the last read that ended well
   * @return whether addresses may leave the pool that could not before
   */
  boolean observe(Inventory.Known picture, AddressSet used, Missing.Read now, Missing.Read last) {
    inherited = inherited.intersect(used);
    Missing before = state;
    state = before.observe(missing(picture, used), now, last, horizonNanos);
    if (state.gone().equals(before.gone())) {
      return false;
    }
    environment.meters().usedAddressesGone(node, state.gone().size());
    warning = warningOf(state.gone());
    boolean more = !before.gone().containsAll(state.gone());
    if (more) {
      LOG.warn(
          "Addresses that pods hold are gone from the cloud. node={} {}",
          node,
          warning.map(Blocked::detail).orElse(""));
    }
    return more;
  }

  /** The instance is not known, so that no read of it can decide; what is gone stays gone. */
  void instanceUnknown() {
    state = state.withoutMissed();
  }

  private AddressSet missing(Inventory.Known picture, AddressSet used) {
    AddressSet.Builder missing = AddressSet.builder();
    for (IpAddress address : used) {
      if (!inherited.contains(address) && !picture.contains(address)) {
        missing.add(address);
      }
    }
    return missing.build();
  }

  private Optional<Blocked> warningOf(AddressSet gone) {
    if (gone.isEmpty()) {
      return Optional.empty();
    }
    Map<IpAddress, UsedAddress> owners =
        environment
            .ports()
            .store()
            .latest(node)
            .<Map<IpAddress, UsedAddress>>map(NodeResource::usedEntries)
            .orElse(Map.of());
    StringJoiner named = new StringJoiner(", ");
    for (IpAddress address : gone.first(Math.min(NAMED_MAX, gone.size()))) {
      UsedAddress entry = owners.get(address);
      named.add(
          entry == null || entry.owner().isEmpty()
              ? address.toString()
              : entry.owner() + " (" + address + ")");
    }
    int rest = gone.size() - NAMED_MAX;
    return Optional.of(
        new Blocked(
            BlockedReason.USED_ADDRESS_GONE,
            gone.size()
                + (gone.size() == 1
                    ? " address that a pod holds is"
                    : " addresses that pods hold are")
                + " on no interface of the instance: "
                + named
                + (rest > 0 ? " and " + rest + " more" : "")));
  }

  /**
   * Whether the instance is to be read now, to decide about an address that was missed the horizon
   * ago; true once for each such moment. A read that fails is repeated by its reader.
   */
  boolean wantsRead() {
    long now = environment.now();
    boolean due = false;
    for (Missing.Read first : state.missed().values()) {
      long at = first.nanos() + horizonNanos;
      due |= at - now <= 0 && (!asked || askedNanos - at < 0);
    }
    if (due) {
      asked = true;
      askedNanos = now;
    }
    return due;
  }

  /** When the next deciding read may begin; only instants to come. */
  OptionalLong nextWakeUp() {
    long now = environment.now();
    OptionalLong next = OptionalLong.empty();
    for (Missing.Read first : state.missed().values()) {
      next = NodeEnvironment.earlier(next, OptionalLong.of(first.nanos() + horizonNanos), now);
    }
    return next;
  }

  /** Whether a later read has still to decide about an address. */
  boolean isWaiting() {
    return !state.missed().isEmpty();
  }

  /** Used addresses that the cloud does not show, and that are not confirmed as gone. */
  AddressSet missed() {
    return AddressSet.copyOf(state.missed().keySet());
  }

  /** Used addresses that need not stay in the pool. */
  AddressSet mayLeave() {
    return inherited.isEmpty() ? state.gone() : state.gone().plus(inherited);
  }

  /** Used addresses that went with another instance, until the agent has rewritten the object. */
  AddressSet departed() {
    return inherited;
  }

  /**
   * The addresses that are gone, with the pods that hold them: a problem that needs human action.
   */
  Optional<Blocked> warning() {
    return warning;
  }

  /**
   * Used addresses that the cloud does not show. A single read proves nothing, because it may be
   * older than the address: an address counts as gone only when a later read, which began at least
   * the cloud's horizon after the address was first missed, does not show it either
   * (reliability.md, eventual consistency). Immutable and pure.
   *
   * @param missed the addresses that are not confirmed yet, with the moment they were first missed;
   *     unmodifiable
   * @param gone the addresses whose absence is confirmed
   */
  record Missing(SortedMap<IpAddress, Read> missed, AddressSet gone) {
    static final Missing NONE = new Missing(new TreeMap<>(), AddressSet.of());

    Missing {
      missed = Collections.unmodifiableSortedMap(new TreeMap<>(missed));
    }

    /**
     * A read of the instance, or a moment between two reads.
     *
     * @param number reads of the instance that had begun, this one included
     * @param nanos monotonic time at which it began, or of the moment
     */
    record Read(int number, long nanos) {
      /** No read has ended yet. */
      static final Read NONE = new Read(0, 0);

      /** Whether this read began after {@code moment}, by {@code horizonNanos} at least. */
      private boolean decides(Read moment, long horizonNanos) {
        return number > moment.number() && nanos - moment.nanos() >= horizonNanos;
      }
    }

    /** The same without what is not confirmed; it begins anew when it is missed again. */
    Missing withoutMissed() {
      return missed.isEmpty() ? this : new Missing(new TreeMap<>(), gone);
    }

    /**
     * The knowledge after a look at the instance.
     *
     * @param missing used addresses that the cloud does not show now
     * @param now the moment of this look
     * @param last the last read of the instance that ended well
     */
    Missing observe(AddressSet missing, Read now, Read last, long horizonNanos) {
      if (missing.isEmpty()) {
        return NONE;
      }
      SortedMap<IpAddress, Read> stillMissed = new TreeMap<>();
      AddressSet.Builder nowGone = AddressSet.builder();
      for (IpAddress address : missing) {
        Read first = missed.getOrDefault(address, now);
        if (gone.contains(address) || last.decides(first, horizonNanos)) {
          nowGone.add(address);
        } else {
          stillMissed.put(address, first);
        }
      }
      Missing next = new Missing(stillMissed, nowGone.build());
      return next.equals(this) ? this : next;
    }
  }
}
