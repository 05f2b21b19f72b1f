package io.tidemark.agent.crd;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

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
  private final SortedMap<IpAddress, HandshakeState> wire;
  private final InterfaceCatalog interfaces;
  private final SortedSet<String> unusable;

  /** Looks at a version, and at the interfaces of this machine. */
  AgentNodeView(
      CrdMode mode,
      IpFamily family,
      NodeResource node,
      InterfaceCatalog interfaces,
      LocalInterfaces here) {
    this.mode = mode;
    this.family = family;
    this.pool = node.pool();
    this.addresses = ofFamily(pool.addresses(), family);
    this.reserved = ofFamily(pool.reserved(), family);
    this.wire = ofFamily(node.releaseIps(), family);
    this.interfaces = interfaces;
    this.unusable = mode.isCloud() ? unusable(here) : new TreeSet<>();
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
      Optional<InterfaceDetails> details = interfaces.find(id, family);
      if (details.isEmpty() || !here.present(id, details.get().mac())) {
        ids.add(id);
      }
    }
    return ids;
  }

  CrdMode mode() {
    return mode;
  }

  IpFamily family() {
    return family;
  }

  /** The pool's addresses of the family. */
  AddressSet addresses() {
    return addresses;
  }

  /** Of addresses that the object keeps for one owner, that owner. */
  SortedMap<IpAddress, String> reserved() {
    return reserved;
  }

  /** The family's entries of the release handshake. */
  SortedMap<IpAddress, HandshakeState> wire() {
    return wire;
  }

  /** Interfaces in the pool that are not in the status, or not here. */
  SortedSet<String> unusableInterfaces() {
    return unusable;
  }

  /** The pool's addresses of an interface. */
  AddressSet addressesOf(String id) {
    return ofFamily(pool.byResource().getOrDefault(id, AddressSet.of()), family);
  }

  /** The interface of an address; empty text when it has none. */
  String resource(IpAddress ip) {
    return pool.resource(ip).orElse("");
  }

  /** The interface of an address as its traffic needs it. */
  Optional<InterfaceDetails> details(IpAddress ip) {
    return mode.isCloud()
        ? pool.resource(ip).flatMap(id -> interfaces.find(id, family))
        : Optional.empty();
  }

  /** What the handshake is to know. */
  AgentReleaseHandshake.Sight sight(Predicate<IpAddress> kept, boolean restored) {
    return new AgentReleaseHandshake.Sight(
        addresses, pool.isEmpty(), wire, this::isListed, kept, restored);
  }

  private boolean isListed(IpAddress ip) {
    Map<String, AddressSet> listed = interfaces.addresses();
    return !mode.isCloud() || listed.values().stream().anyMatch(each -> each.contains(ip));
  }
}
