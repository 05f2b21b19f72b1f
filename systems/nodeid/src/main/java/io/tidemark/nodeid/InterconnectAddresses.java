package io.tidemark.nodeid;

import io.tidemark.cluster.Messages;
import io.tidemark.config.SharedKey.Profile;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.ip.IpAddress;
import java.util.List;

/**
 * The addresses of one interface of every node out of one range: node {@code k} has the {@code
 * k}-th host that is not excluded. The network and the broadcast address are no hosts, in both
 * families. Immutable.
 *
 * <p>In the reference profile as Contiv: node {@code k} has the address at {@code k}, one more for
 * each excluded address that is not above it, wherever that lies. So an address may be the
 * broadcast address, or leave the range.
 */
public final class InterconnectAddresses {
  /** No id and its exclusions reach further; a wider range is as good as this one. */
  private static final int HOST_BITS_MAX = 34;

  private final Cidr range;
  private final List<IpAddress> excluded;
  private final boolean reference;

  /** Ascending offsets of the excluded hosts. */
  private final long[] skipped;

  private final long ids;

  /** {@code excluded} is ascending; what lies outside of the range excludes nothing. */
  public InterconnectAddresses(Cidr range, List<IpAddress> excluded, Profile profile) {
    this.range = range;
    this.excluded = List.copyOf(excluded);
    this.reference = profile == Profile.REFERENCE;
    int hostBits = Math.min(range.family().bits() - range.prefixLength(), HOST_BITS_MAX);
    long highest = Math.max((1L << hostBits) - 2, 0);
    IpAddress last = range.address(highest);
    this.skipped =
        this.excluded.stream()
            .filter(address -> range.contains(address) && address.compareTo(last) <= 0)
            .mapToLong(range::indexOf)
            .filter(offset -> offset > 0)
            .distinct()
            .toArray();
    long most = reference ? (1L << hostBits) - 1 : highest - skipped.length;
    this.ids = Math.min(most, NodeId.MAX);
  }

  /** How many nodes have an address: those with ids from 1 to this. */
  public long ids() {
    return ids;
  }

  public Cidr range() {
    return range;
  }

  /** Of a node; {@link NodeIdError#NODE_ID_OUT_OF_RANGE} when its id is above {@link #ids}. */
  public InterfaceAddress address(NodeId id) {
    if (id.number() > ids) {
      throw new IpamException(
          NodeIdError.NODE_ID_OUT_OF_RANGE,
          Messages.of(
              "node id %s has no address in %s, which has addresses for ids 1 to %s",
              id, range, ids));
    }
    IpAddress address = reference ? shifted(id) : range.address(offset(id));
    return new InterfaceAddress(address, range.prefixLength());
  }

  private long offset(NodeId id) {
    long offset = id.number();
    for (long each : skipped) {
      offset += each <= offset ? 1 : 0;
    }
    return offset;
  }

  private IpAddress shifted(NodeId id) {
    IpAddress address = range.address(id.number());
    for (IpAddress each : excluded) {
      if (each.compareTo(address) <= 0) {
        address = address.plus(1);
      }
    }
    return address;
  }
}
