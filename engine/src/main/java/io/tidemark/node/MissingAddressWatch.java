package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the addresses that pods use in the pool until a later read confirms that the cloud does not
 * hold them, and reports those that are gone: in the log, as an open matter of the node, and as a
 * gauge. Confined to the node's lane.
 */
final class MissingAddressWatch {
  private static final Logger LOG = LoggerFactory.getLogger(MissingAddressWatch.class);
  private static final int NAMED_MAX = 10;

  private final String node;
  private final NodeEnvironment environment;
  private final long horizonNanos;
  private AddressSet inherited;
  private MissingAddresses state = MissingAddresses.NONE;
  private Optional<Blocked> matter = Optional.empty();
  private boolean asked;
  private long askedNanos;

  /**
   * Of one node.
   *
   * @param inherited used addresses of another instance that had the node's name before: they went
   *     with that instance
   */
  MissingAddressWatch(String node, NodeEnvironment environment, AddressSet inherited) {
    this.node = node;
    this.environment = environment;
    this.horizonNanos = environment.ports().provider().readHorizon().toNanos();
    this.inherited = inherited;
  }

  /**
   * Looks at a new picture of the instance.
   *
   * @param now the reads that have begun so far, and the time
   * @param last the last read that ended well
   * @return whether addresses may leave the pool that could not before
   */
  boolean observe(NodeSnapshot picture, MissingAddresses.Read now, MissingAddresses.Read last) {
    AddressSet used = picture.facts().used();
    inherited = inherited.intersect(used);
    MissingAddresses before = state;
    state = before.observe(missing(picture, used), now, last, horizonNanos);
    if (state.gone().equals(before.gone())) {
      return false;
    }
    environment.ports().metrics().usedAddressesGone(node, state.gone().size());
    matter = matterOf(state.gone());
    boolean more = !before.gone().containsAll(state.gone());
    if (more) {
      LOG.warn(
          "Addresses that pods hold are gone from the cloud. node={} {}",
          node,
          matter.map(Blocked::detail).orElse(""));
    }
    return more;
  }

  /** The instance is not known, so that no read of it can decide; what is gone stays gone. */
  void instanceUnknown() {
    state = state.withoutMissed();
  }

  private AddressSet missing(NodeSnapshot picture, AddressSet used) {
    AddressSet.Builder missing = AddressSet.builder();
    for (IpAddress address : used) {
      if (!inherited.contains(address) && !NodePublication.attached(picture.inventory(), address)) {
        missing.add(address);
      }
    }
    return missing.build();
  }

  private Optional<Blocked> matterOf(AddressSet gone) {
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
    for (MissingAddresses.Read first : state.missed().values()) {
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
    for (MissingAddresses.Read first : state.missed().values()) {
      next = Earliest.of(next, OptionalLong.of(first.nanos() + horizonNanos), now);
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

  /** What a person must look after: the addresses that are gone, with the pods that hold them. */
  Optional<Blocked> matter() {
    return matter;
  }
}
