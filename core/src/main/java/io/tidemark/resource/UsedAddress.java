package io.tidemark.resource;

import java.util.Objects;

/**
 * One entry of {@code status.ipam.used}.
 *
 * @param owner who uses the address, such as {@code namespace/pod}; empty when not said
 * @param resource the interface it belongs to; empty when not said
 */
public record UsedAddress(String owner, String resource) {
  public UsedAddress {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(resource, "resource");
  }
}
