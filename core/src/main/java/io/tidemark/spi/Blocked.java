package io.tidemark.spi;

import java.util.Objects;

/**
 * Why a node cannot go on, with the offending value.
 *
 * @param detail what a person needs to know beyond the reason's own remedy
 */
public record Blocked(BlockedReason reason, String detail) {
  public Blocked {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(detail, "detail");
  }
}
