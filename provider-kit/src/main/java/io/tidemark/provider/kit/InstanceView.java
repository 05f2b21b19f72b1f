package io.tidemark.provider.kit;

import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Optional;

/**
 * The known interfaces of one instance. Immutable; the same object until something changes.
 *
 * @param generation of the last own write, or of the read that changed it
 * @param interfaces ids ascending
 * @param doubtful the response to an assignment or attachment was lost and no read shows its result
 *     yet: nothing may be added until then
 */
public record InstanceView<I extends CachedInterface<I>>(
    long generation, List<I> interfaces, boolean doubtful) {
  public InstanceView {
    interfaces = List.copyOf(interfaces);
  }

  /** The interface with an id; empty when it is not known. */
  public Optional<I> find(InterfaceId id) {
    for (I each : interfaces) {
      if (each.id().equals(id)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
