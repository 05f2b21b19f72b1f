package io.tidemark.datastore.plan;

import java.util.List;

/**
 * The parts that a network card got from the cloud and that pods cannot use yet. It counts, so that
 * nothing more is asked for in its place.
 *
 * @param enis interfaces that the host is not set up for yet; they are not in the store
 * @param addresses of these
 * @param prefixes of these
 * @param cooling addresses in the store that cool since the start, because it is not known whether
 *     a pod had them not long ago
 */
public record Pending(List<String> enis, long addresses, long prefixes, int cooling) {
  /** Pods can use all that the card got. */
  public static final Pending NONE = new Pending(List.of(), 0, 0, 0);
}
