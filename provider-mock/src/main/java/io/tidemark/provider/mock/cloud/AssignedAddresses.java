package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Objects;

/** The addresses that an assignment added to an interface. */
public record AssignedAddresses(AddressSet singles, List<Cidr> prefixes) {
  public AssignedAddresses {
    Objects.requireNonNull(singles, "singles");
    prefixes = List.copyOf(prefixes);
  }
}
