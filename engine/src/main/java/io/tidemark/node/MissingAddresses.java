package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Used addresses that the cloud does not show. A single read proves nothing, because it may be
 * older than the address: an address counts as gone only when a later read, which began at least
 * the cloud's horizon after the address was first missed, does not show it either (reliability.md,
 * eventual consistency). Immutable and pure.
 *
 * @param missed the addresses that are not confirmed yet, with the moment they were first missed;
 *     unmodifiable
 * @param gone the addresses whose absence is confirmed
 */
record MissingAddresses(SortedMap<IpAddress, Read> missed, AddressSet gone) {
  static final MissingAddresses NONE = new MissingAddresses(new TreeMap<>(), AddressSet.of());

  MissingAddresses {
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
  MissingAddresses withoutMissed() {
    return missed.isEmpty() ? this : new MissingAddresses(new TreeMap<>(), gone);
  }

  /**
   * What is known after a look at the instance.
   *
   * @param missing used addresses that the cloud does not show now
   * @param now the moment of this look
   * @param last the last read of the instance that ended well
   */
  MissingAddresses observe(AddressSet missing, Read now, Read last, long horizonNanos) {
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
    MissingAddresses next = new MissingAddresses(stillMissed, nowGone.build());
    return next.equals(this) ? this : next;
  }
}
