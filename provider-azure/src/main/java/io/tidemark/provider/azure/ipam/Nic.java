package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.InterfaceSection;
import io.tidemark.resource.AzureStatus;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An attached interface as the cache holds it: what plans and the published status need, no more.
 *
 * @param name not unique: the interfaces of all instances of a set have the same
 * @param mac with colons; empty while Azure has not given one
 * @param state provisioning state in lower case
 * @param own whether it is the machine's primary interface
 * @param securityGroup id of its network security group; empty without one
 * @param pool its subnet; {@link #NO_POOL} when Azure tells none
 * @param primary its primary address; empty when no configuration is flagged as primary
 * @param singles secondary addresses that pods can use
 * @param prefixes /28 blocks, ascending
 * @param pinned addresses that are never released (Z27)
 * @param fixed configurations that are no pod address: the primary one, those of IPv6, those that
 *     Azure has not completed
 * @param incomplete those of them that the next write completes, because the last one failed: a
 *     place for each that is asked for
 * @param publicAddress bound to its primary configuration
 */
record Nic(
    InterfaceId id,
    String name,
    String mac,
    String state,
    boolean own,
    String securityGroup,
    PoolId pool,
    Optional<IpAddress> primary,
    AddressSet singles,
    List<Cidr> prefixes,
    AddressSet pinned,
    int fixed,
    int incomplete,
    Optional<IpAddress> publicAddress)
    implements CachedInterface<Nic> {
  /** The pool of an interface whose subnet is not known. */
  static final PoolId NO_POOL = new PoolId("no subnet");

  Nic {
    prefixes = List.copyOf(prefixes);
  }

  /** Whether its addresses can be used: agents route by its MAC address (Z41). */
  boolean isReady() {
    return !mac.isEmpty() && !state.equals("creating") && !pool.equals(NO_POOL);
  }

  /** Every address that pods can use, blocks expanded; not the primary one. */
  AddressSet podAddresses() {
    AddressSet all = singles;
    for (Cidr block : prefixes) {
      all = all.plus(AddressSet.ofRange(block));
    }
    return all;
  }

  /** All its configurations; each takes a place (Z22). */
  int configurations() {
    return fixed + singles.size() + prefixes.size();
  }

  @Override
  public Optional<IpAddress> primaryAddress() {
    return primary;
  }

  @Override
  public int slotsTaken() {
    return Math.max(0, configurations() - 1);
  }

  @Override
  public Nic holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    return with(otherSingles, otherPrefixes, publicAddress);
  }

  Nic withPublicAddress(IpAddress bound) {
    return with(singles, prefixes, Optional.of(bound));
  }

  private Nic with(
      AddressSet otherSingles, List<Cidr> otherPrefixes, Optional<IpAddress> otherPublicAddress) {
    return new Nic(
        id,
        name,
        mac,
        state,
        own,
        securityGroup,
        pool,
        primary,
        otherSingles,
        otherPrefixes,
        pinned,
        fixed,
        incomplete,
        otherPublicAddress);
  }

  /** The machine's primary interface; the only one where Azure does not tell. */
  static Optional<Nic> ownOf(List<Nic> nics) {
    return nics.size() == 1 ? Optional.of(nics.get(0)) : nics.stream().filter(Nic::own).findFirst();
  }

  /**
   * The interface as an agent reads it in the status (4.7, Z42, Z44).
   *
   * @param subnet empty when it could not be read
   * @param parity whether only the fields of the reference are written
   */
  AzureStatus.Interface shown(boolean primaryServes, Optional<AzureSubnet> subnet, boolean parity) {
    String poolId = pool.equals(NO_POOL) ? "" : pool.text();
    Optional<Cidr> cidr = subnet.flatMap(this::block);
    List<AzureStatus.Address> addresses =
        usable(primaryServes)
            .sorted()
            .map(ip -> new AzureStatus.Address(ip, poolId, AzureStatus.SUCCEEDED))
            .toList();
    return new AzureStatus.Interface(
        id.text(),
        name,
        mac,
        parity ? "" : state,
        parity ? Optional.empty() : primary,
        addresses,
        securityGroup,
        cidr.map(each -> each.address(1)),
        cidr,
        parity ? "" : poolId);
  }

  /** None while agents could not route to them (Z41). */
  private Stream<IpAddress> usable(boolean primaryServes) {
    return isReady() ? InterfaceSection.addresses(this, primaryServes).stream() : Stream.empty();
  }

  /** The block of the subnet that its addresses are in. */
  private Optional<Cidr> block(AzureSubnet subnet) {
    Optional<IpAddress> inside = primary.or(singles::first);
    return subnet.ipv4().stream()
        .filter(block -> inside.map(block::contains).orElse(true))
        .findFirst()
        .or(() -> subnet.ipv4().stream().findFirst());
  }
}
