package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the addresses that pods use in the pool until a later read confirms that the cloud does not
 * hold them, and reports those that are gone: in the log, as a warning in the report of the node,
 * and as a gauge. A single read proves nothing, because it may be older than the address: the one
 * that confirms begins at least the cloud's horizon after the address was first missed
 * (reliability.md, eventual consistency). Confined to the node's lane.
 */
final class MissingAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(MissingAddresses.class);
  private static final int NAMED_MAX = 10;

  private final String node;
  private final NodeEnvironment environment;
  private final long horizonNanos;
  private AddressSet inherited;

  /** The addresses that are not confirmed yet, with the moment they were first missed. */
  private Map<IpAddress, Read> missed = Map.of();

  private AddressSet gone = AddressSet.of();
  private Optional<Blocked> warning = Optional.empty();
  private boolean asked;
  private long askedNanos;

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
  boolean observe(Inventory.Known picture, AddressSet used, Read now, Read last) {
    inherited = inherited.intersect(used);
    Map<IpAddress, Read> stillMissed = new TreeMap<>();
    AddressSet.Builder nowGone = AddressSet.builder();
    for (IpAddress address : used) {
      if (!inherited.contains(address) && !picture.contains(address)) {
        Read first = missed.getOrDefault(address, now);
        if (gone.contains(address) || last.decides(first, horizonNanos)) {
          nowGone.add(address);
        } else {
          stillMissed.put(address, first);
        }
      }
    }
    missed = stillMissed;
    AddressSet before = gone;
    gone = nowGone.build();
    if (gone.equals(before)) {
      return false;
    }
    environment.meters().usedAddressesGone(node, gone.size());
    warning = warningOf(gone);
    boolean more = !before.containsAll(gone);
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
    missed = Map.of();
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
    for (Read first : missed.values()) {
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
    for (Read first : missed.values()) {
      next = NodeEnvironment.earlier(next, OptionalLong.of(first.nanos() + horizonNanos), now);
    }
    return next;
  }

  /** Whether a later read has still to decide about an address. */
  boolean isWaiting() {
    return !missed.isEmpty();
  }

  /** Used addresses that the cloud does not show, and that are not confirmed as gone. */
  AddressSet missed() {
    return AddressSet.copyOf(missed.keySet());
  }

  /** Used addresses that need not stay in the pool. */
  AddressSet mayLeave() {
    return inherited.isEmpty() ? gone : gone.plus(inherited);
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
}
