package io.tidemark.provider.mock.cloud;

import java.util.Objects;

/**
 * The capacity of an instance type.
 *
 * @param name such as {@code m5.large}
 * @param interfaces network interfaces, the primary one included
 * @param addressesPerInterface IPv4 places of each interface, the primary address included; a block
 *     takes one place
 * @param prefixes whether blocks can be given to its interfaces
 */
public record InstanceType(
    String name, int interfaces, int addressesPerInterface, boolean prefixes) {
  public InstanceType {
    Objects.requireNonNull(name, "name");
    if (interfaces < 1 || addressesPerInterface < 1) {
      throw new IllegalArgumentException(
          name
              + " is "
              + interfaces
              + "x"
              + addressesPerInterface
              + "; expected at least one interface with one address");
    }
  }

  /** Places of an interface beside its primary address. */
  public int slots() {
    return addressesPerInterface - 1;
  }
}
