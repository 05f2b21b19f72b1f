package io.tidemark.provider.kit;

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
public record InstanceView<I extends CachedInterface<I>>(
    long generation, List<I> interfaces, boolean doubtful) {
  public InstanceView {
    interfaces = List.copyOf(interfaces);
  }

  /** The interface of an id; empty when it is not known. */
  public Optional<I> find(InterfaceId id) {
    for (I each : interfaces) {
      if (each.id().equals(id)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
