package io.tidemark.agent.legacy;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The addresses and networks that are never handed out, and who reserved each: those that somebody
 * named, which stay, and those of the routes, which follow the routes. Where both have the same
 * network, who named it counts. Immutable.
 *
 * @param named by whom each network was named
 * @param routes by which route each network was reserved
 */
public record IpBlacklist(SortedMap<Cidr, String> named, SortedMap<Cidr, String> routes) {
  static final IpBlacklist EMPTY = new IpBlacklist(new TreeMap<>(), new TreeMap<>());

  public IpBlacklist {
    named = Collections.unmodifiableSortedMap(new TreeMap<>(named));
    routes = Collections.unmodifiableSortedMap(new TreeMap<>(routes));
  }

  /** Whether the address is reserved, alone or in a network. */
  public boolean contains(IpAddress ip) {
    IpAddress address = ip.unmapped();
    return all().stream().anyMatch(each -> each.ipNet().contains(address));
  }

  /** Every network once, ascending. */
  public List<IpNetWithOwner> all() {
    SortedMap<Cidr, String> owners = new TreeMap<>(routes);
    owners.putAll(named);
    List<IpNetWithOwner> all = new ArrayList<>();
    owners.forEach((ipNet, owner) -> all.add(new IpNetWithOwner(ipNet, owner)));
    return all;
  }

  /** Who reserved exactly this network; empty when nobody did. */
  Optional<String> owner(Cidr ipNet) {
    return Optional.ofNullable(named.getOrDefault(ipNet, routes.get(ipNet)));
  }

  IpBlacklist with(Cidr ipNet, String owner) {
    SortedMap<Cidr, String> more = new TreeMap<>(named);
    more.put(ipNet, owner);
    return new IpBlacklist(more, routes);
  }

  IpBlacklist withRoutes(SortedMap<Cidr, String> present) {
    return new IpBlacklist(named, present);
  }
}
