package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.ip.Cidr;
import java.util.List;

/**
 * An interface that is attached to the instance.
 *
 * @param card the network card that it is on
 * @param mac as the system shows it, such as {@code 02:00:00:00:00:01}
 * @param managed whether it is ours to use and to remove; otherwise it only takes a place
 * @param preparing it is ours and becomes managed once the host is set up for it
 * @param cidrs secondary addresses and prefixes, without the primary address
 */
public record CloudEni(
    StoreEniSpec spec,
    int card,
    String mac,
    boolean managed,
    boolean preparing,
    List<CloudCidr> cidrs) {
  /** One that the host is set up for, or that is not ours. */
  public CloudEni(StoreEniSpec spec, int card, String mac, boolean managed, List<CloudCidr> cidrs) {
    this(spec, card, mac, managed, false, cidrs);
  }

  /** The same one before the host is set up for it. */
  public CloudEni asPreparing() {
    return new CloudEni(spec, card, mac, false, true, cidrs);
  }

  /** A secondary address or prefix of an interface. */
  public record CloudCidr(Cidr cidr, CidrKind kind) {}
}
