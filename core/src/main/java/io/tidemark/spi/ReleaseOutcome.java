package io.tidemark.spi;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Failure;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Every expected result of an attempt to release addresses. */
public sealed interface ReleaseOutcome {
  /**
   * At least a part is released, and the inventory shows it.
   *
   * @param rest why the remainder was not released
   */
  record Released(AddressSet addresses, List<Cidr> blocks, Optional<Failure> rest, long generation)
      implements ReleaseOutcome {
    public Released {
      Objects.requireNonNull(addresses, "addresses");
      blocks = List.copyOf(blocks);
      Objects.requireNonNull(rest, "rest");
    }
  }

  /** Nothing changed. */
  record NothingReleased(Failure failure) implements ReleaseOutcome {}

  /** The response was lost: resync. Addresses that are still attached were not released. */
  record Unknown(Failure failure) implements ReleaseOutcome {}
}
