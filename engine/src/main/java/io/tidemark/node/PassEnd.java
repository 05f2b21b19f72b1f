package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Failure;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** How the mutating part of a pass ended; {@link Node} draws the consequences. */
sealed interface PassEnd {
  /**
   * Something was added, or a static address associated.
   *
   * @param addresses singles, and blocks expanded
   */
  record Added(AddressSet addresses) implements PassEnd {
    public Added {
      Objects.requireNonNull(addresses, "addresses");
    }
  }

  /**
   * Something was given back.
   *
   * @param addresses singles, and blocks expanded
   * @param cidrs the same as CIDRs
   */
  record GivenBack(AddressSet addresses, Set<Cidr> cidrs, Optional<Failure> rest)
      implements PassEnd {
    public GivenBack {
      Objects.requireNonNull(addresses, "addresses");
      cidrs = Set.copyOf(cidrs);
      Objects.requireNonNull(rest, "rest");
    }
  }

  /** Nothing was sent: by the time the token came, the plan had changed. */
  record Replan() implements PassEnd {}

  /** Nothing changed and the cloud has no room where we asked; the provider knows that now. */
  record NoRoom(String detail) implements PassEnd {}

  /** Nothing changed and the instance is stopped. */
  record NotRunning() implements PassEnd {}

  /**
   * It did not work.
   *
   * @param readBack the cloud must be read before the next decision
   */
  record Failed(Failure failure, boolean readBack) implements PassEnd {}
}
