package io.tidemark.provider.kit;

import io.tidemark.provider.kit.Change.Added;
import io.tidemark.provider.kit.Change.AssignLost;
import io.tidemark.provider.kit.Change.AttachLost;
import io.tidemark.provider.kit.Change.Attached;
import java.util.List;

/**
 * One own change, remembered until reads are certain to show it (node-manager 13 D-4).
 *
 * @param generation the counter's value when its response arrived or was given up
 * @param nanos when that was
 * @param certain the cloud confirmed it; false when the response was lost
 */
record OwnWrite<I extends CachedInterface<I>>(
    long generation, long nanos, boolean certain, Change<I> change) {

  /** This write after a read that shows its exact effect. */
  OwnWrite<I> confirmedBy(List<I> read) {
    Change<I> made = change;
    for (I each : read) {
      if (change instanceof AssignLost<I> lost && each.id().equals(lost.on())) {
        made = new Added<>(each.id(), each.singles(), each.prefixes());
      } else if (change instanceof AttachLost<I> lost && each.id().equals(lost.id())) {
        made = new Attached<>(each);
      }
    }
    return new OwnWrite<>(generation, nanos, true, made);
  }
}
