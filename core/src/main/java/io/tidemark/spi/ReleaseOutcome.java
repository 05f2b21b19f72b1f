package io.tidemark.spi;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Failure;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Every expected ending of an attempt to give addresses back. */
public sealed interface ReleaseOutcome {
  /**
   * At least a part is gone, and the inventory shows it.
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

  /** The answer was lost. Resync the instance; what is still attached was not released. */
  record Unknown(Failure failure) implements ReleaseOutcome {}
}
