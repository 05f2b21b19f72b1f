package io.tidemark.provider.mock;

import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Optional;

/**
 * The interfaces of one instance as we know them. Immutable; the same object until something
 * changed.
 *
 * @param generation of the last own write, or of the read that changed it
 * @param interfaces ids ascending
 * @param doubtful the answer to an assignment or attachment was lost and the cloud has not yet
 *     shown what became of it: nothing may be added until then
 */
record InstanceView(long generation, List<Eni> interfaces, boolean doubtful) {
  InstanceView {
    interfaces = List.copyOf(interfaces);
  }

  Optional<Eni> find(InterfaceId id) {
    for (Eni each : interfaces) {
      if (each.id().equals(id)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** The interface at a device index. */
  Optional<Eni> at(int index) {
    for (Eni each : interfaces) {
      if (each.index() == index) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
