package io.tidemark.spi;

import java.util.Objects;

/**
 * Why a node is blocked, with the offending value.
 *
 * @param detail information in addition to the reason's remedy
 */
public record Blocked(BlockedReason reason, String detail) {
  public Blocked {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(detail, "detail");
  }
}
