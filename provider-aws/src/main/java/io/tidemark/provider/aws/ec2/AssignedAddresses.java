package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import java.util.List;

/** The addresses that an assignment added. */
public record AssignedAddresses(AddressSet singles, List<Cidr> prefixes) {
  public AssignedAddresses {
    prefixes = List.copyOf(prefixes);
  }
}
