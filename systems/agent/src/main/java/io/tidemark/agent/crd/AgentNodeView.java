package io.tidemark.agent.crd;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One family of one version of the node's object as allocators need it, made outside every lock.
 * Immutable.
 *
 * <p>An IPv4-mapped address in the pool is left out: requests for it are taken as the IPv4 address.
 */
final class AgentNodeView {
  private static final Cidr MAPPED = Cidr.parse("::ffff:0:0/96");

  private final CrdMode mode;
  private final IpFamily family;
  private final PodIpPool pool;
  private final AddressSet addresses;
  private final SortedMap<IpAddress, String> reserved;

  /** The first address that is kept for an owner, by owner. */
  private final Map<String, IpAddress> firstReserved = new HashMap<>();

  private final SortedMap<IpAddress, HandshakeState> wire;
  private final InterfaceCatalog interfaces;

  /** Addresses by interface, if there is a handshake, which alone asks for them. */
  private final Map<String, AddressSet> listed;

  private final SortedSet<String> unusable;
  private final AddressSet doubtful;

  /** The ids of the pool's interfaces, and at the index of each address the number of its own. */
  private final List<String> ids;

  private final int[] interfaceAt;
  private final List<Optional<InterfaceDetails>> details = new ArrayList<>();

  /**
   * Looks at a version, and at the interfaces of this machine.
   *
   * @param doubtful addresses that this version is not to be believed about
   */
  AgentNodeView(
      CrdMode mode,
      IpFamily family,
      NodeResource node,
      InterfaceCatalog interfaces,
      AddressSet doubtful,
      LocalInterfaces here) {
    this.mode = mode;
    this.family = family;
    this.pool = node.pool();
    this.addresses = ofFamily(pool.addresses(), family);
    this.reserved = ofFamily(pool.reserved(), family);
    reserved.forEach(
        (ip, owner) -> {
          if (addresses.contains(ip)) {
            firstReserved.putIfAbsent(owner, ip);
          }
        });
    this.wire = ofFamily(node.releaseIps(), family);
    this.interfaces = interfaces;
    this.listed = wire.isEmpty() ? Map.of() : interfaces.addresses();
    this.unusable = unusable(here);
    this.doubtful = ofFamily(doubtful, family).intersect(addresses);
    this.ids = List.copyOf(pool.byResource().keySet());
    this.interfaceAt = new int[addresses.size()];
    for (int number = 0; number < ids.size(); number++) {
      details.add(mode.isCloud() ? interfaces.find(ids.get(number), family) : Optional.empty());
      index(number);
    }
  }

  private void index(int number) {
    AddressCursor cursor = new AddressCursor(addresses);
    for (IpAddress ip : addressesOf(ids.get(number))) {
      interfaceAt[cursor.indexOf(ip)] = number;
    }
  }

  private static AddressSet ofFamily(AddressSet all, IpFamily family) {
    if (family == IpFamily.IPV4) {
      return all.first(all.ipv4Size());
    }
    AddressSet ipv6 = all.last(all.size() - all.ipv4Size());
    return ipv6.containsAny(MAPPED) ? ipv6.minus(ipv6.within(MAPPED)) : ipv6;
  }

  private static <V> SortedMap<IpAddress, V> ofFamily(
      SortedMap<IpAddress, V> all, IpFamily family) {
    SortedMap<IpAddress, V> own = new TreeMap<>(all);
    own.keySet().removeIf(ip -> ip.family() != family);
    return own;
  }

  private SortedSet<String> unusable(LocalInterfaces here) {
    SortedSet<String> ids = new TreeSet<>();
    for (String id : pool.byResource().keySet()) {
      if (!isUsable(id, here)) {
        ids.add(id);
      }
    }
    return ids;
  }

  /** In mode {@code crd} the status does not list interfaces, and the pool may name none. */
  private boolean isUsable(String id, LocalInterfaces here) {
    return mode.isCloud()
        ? interfaces.find(id, family).filter(each -> here.present(id, each.mac())).isPresent()
        : id.isEmpty() || here.present(id, "");
  }

  CrdMode mode() {
    return mode;
  }

  IpFamily family() {
    return family;
  }

  AddressSet addresses() {
    return addresses;
  }

  /** Of addresses that the object keeps for one owner, that owner. */
  SortedMap<IpAddress, String> reserved() {
    return reserved;
  }

  @Nullable IpAddress reservedFor(String owner) {
    return firstReserved.get(owner);
  }

  SortedMap<IpAddress, HandshakeState> wire() {
    return wire;
  }

  /** Interfaces in the pool that are not in the status, or not here. */
  SortedSet<String> unusableInterfaces() {
    return unusable;
  }

  /** Addresses of the pool that are not handed out, because the object may mean them otherwise. */
  AddressSet doubtful() {
    return doubtful;
  }

  AddressSet addressesOf(String id) {
    return ofFamily(pool.byResource().getOrDefault(id, AddressSet.of()), family);
  }

  /** The interface of an address; empty text when it has none. */
  String resource(IpAddress ip) {
    int index = addresses.indexOf(ip);
    return index < 0 ? "" : resource(index);
  }

  String resource(int index) {
    return ids.get(interfaceAt[index]);
  }

  Optional<InterfaceDetails> details(int index) {
    return details.get(interfaceAt[index]);
  }

  AgentReleaseHandshake.Sight sight(Predicate<IpAddress> kept, boolean restored) {
    return new AgentReleaseHandshake.Sight(
        addresses, pool.isEmpty(), wire, this::isListed, kept, restored);
  }

  private boolean isListed(IpAddress ip) {
    return listed.values().stream().anyMatch(each -> each.contains(ip));
  }
}
