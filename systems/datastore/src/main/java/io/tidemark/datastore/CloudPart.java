package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import java.util.Optional;

/**
 * A part that the cloud has attached: an interface, or a secondary address or prefix of one.
 *
 * @param cidr empty for the interface itself
 */
public record CloudPart(String eniId, Optional<Cidr> cidr) {

  /** The interface itself. */
  public static CloudPart eni(String eniId) {
    return new CloudPart(eniId, Optional.empty());
  }

  /** An address or prefix of an interface. */
  public static CloudPart of(String eniId, Cidr cidr) {
    return new CloudPart(eniId, Optional.of(cidr));
  }

  @Override
  public String toString() {
    return cidr.map(each -> each + " of " + eniId).orElse(eniId);
  }
}
