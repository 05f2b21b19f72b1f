package io.tidemark.node;

import static java.util.stream.Collectors.joining;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which objects cannot be read now, those of unknown nodes too, so that each is reported once.
 * Thread-safe.
 */
final class RefusedObjects {
  private final ObjectEvents events;
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  RefusedObjects(ObjectEvents events) {
    this.events = events;
  }

  /** The object cannot be read. */
  Blocked refused(String name, List<ResourceProblem> problems) {
    String detail =
        problems.stream()
            .map(each -> (each.where() + " " + each.path()).strip() + ": " + each.problem())
            .collect(joining("; "));
    Blocked why = new Blocked(BlockedReason.INVALID_RESOURCE, detail);
    if (names.add(name)) {
      events.report(name, why.reason(), why.detail());
    }
    return why;
  }

  /** The object can be read, or is gone. */
  void readable(String name) {
    if (names.remove(name)) {
      events.cleared(name, BlockedReason.INVALID_RESOURCE);
    }
  }
}
