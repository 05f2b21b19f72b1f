package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** How interfaces come and go and what addresses they hold. */
public final class Interfaces {
  /** The texts of a launch name the address, those of other actions do not. */
  private static final String OUTSIDE = "does not fall within the subnet's address range";

  private final Region region;

  Interfaces(Region region) {
    this.region = region;
  }

  /**
   * The parts of a new interface.
   *
   * @param spared what the request names, for this interface or another one; what EC2 chooses is
   *     never of it
   */
  public record Plan(
      String account,
      String type,
      NetworkInterface.Settings settings,
      AddressRequest addresses,
      CidrSet spared,
      Ipv6Request ipv6,
      Tags tags) {}

  /** The addresses that an assignment added. */
  public record Assigned(List<Ipv4Address> addresses, List<Cidr> prefixes) {
    public Assigned {
      addresses = List.copyOf(addresses);
      prefixes = List.copyOf(prefixes);
    }
  }

  /**
   * Creates a detached interface.
   *
   * @throws Refusal if the quota is reached or the subnet lacks the addresses
   */
  public NetworkInterface create(Subnet subnet, Plan plan) {
    if (region.interfaces().countOf(plan.account()) >= region.quotas().interfaces()) {
      throw Refusal.of(
          "NetworkInterfaceLimitExceeded",
          "The maximum number of network interfaces has been reached.");
    }
    if (plan.type().equals(NetworkInterface.EFA_ONLY)) {
      NetworkInterface made =
          made(region.newId(ResourceType.NETWORK_INTERFACE), subnet, plan, InterfaceAddresses.NONE);
      region.interfaces().put(made);
      return made;
    }
    requirePlaces(1 + plan.addresses().places(), region.quotas().detachedAddresses());
    String id = region.newId(ResourceType.NETWORK_INTERFACE);
    SubnetAddresses books = region.addresses(subnet.id());
    Ipv4Address primary =
        plan.addresses().primary().isPresent()
            ? take(books, plan.addresses().primary().get(), id)
            : books.take(id, plan.spared()).orElseThrow(Interfaces::noAddresses);
    Assigned assigned = take(books, plan.addresses(), plan.spared(), id);
    NetworkInterface made =
        made(
            id,
            subnet,
            plan,
            InterfaceAddresses.of(primary).plus(assigned.addresses(), assigned.prefixes()));
    region.interfaces().put(made);
    region.publishAvailable(subnet.id());
    if (plan.ipv6().places() > 0) {
      region.ipv6().assign(made, plan.ipv6(), plan.spared());
    }
    return region.interfaces().find(id).orElse(made);
  }

  private NetworkInterface made(String id, Subnet subnet, Plan plan, InterfaceAddresses addresses) {
    return new NetworkInterface(
        id,
        plan.account(),
        plan.type(),
        region.newMacAddress(),
        Placement.in(subnet),
        plan.settings(),
        addresses,
        Optional.empty(),
        new TreeSet<>(),
        plan.tags());
  }

  /**
   * Checks that an interface can have IP addresses.
   *
   * @throws Refusal when it is EFA-only
   */
  static void requireAddresses(NetworkInterface target) {
    if (target.type().equals(NetworkInterface.EFA_ONLY)) {
      throw Refusal.of(
          "UnsupportedOperation",
          "The EFA-only network interface '" + target.id() + "' does not support IP addresses");
    }
  }

  /** Ends an interface, attached or not, and gives its addresses back. */
  void delete(NetworkInterface ended) {
    SubnetAddresses books = region.addresses(ended.placement().subnetId());
    ended.addresses().ipv4().forEach(books::give);
    ended.addresses().prefixes().forEach(books::givePrefix);
    region.ipv6().giveAll(ended);
    region.elasticRules().release(ended.id(), lost -> true);
    region.permissions().presentBy(Region.PERMITTED_INTERFACE, ended.id()).toList().stream()
        .map(InterfacePermission::id)
        .forEach(region.permissions()::remove);
    region.interfaces().remove(ended.id());
    region.publishAvailable(ended.placement().subnetId());
  }

  /** Lets those accounts see and attach the interface that have a permission now. */
  public void publishPermitted(String interfaceId) {
    TreeSet<String> accounts = new TreeSet<>();
    region
        .permissions()
        .presentBy(Region.PERMITTED_INTERFACE, interfaceId)
        .forEach(permission -> accounts.add(permission.account()));
    region
        .interfaces()
        .find(interfaceId)
        .ifPresent(shared -> region.interfaces().put(shared.withPermitted(accounts)));
  }

  /**
   * Ends an interface at its owner's request.
   *
   * @throws Refusal when it is attached
   */
  public void deleteDetached(NetworkInterface ended) {
    if (ended.attachment().isPresent()) {
      throw Refusal.of(
          "InvalidParameterValue", "Network interface '" + ended.id() + "' is currently in use.");
    }
    delete(ended);
  }

  /**
   * Adds secondary addresses or prefixes.
   *
   * @param reassign whether addresses may be taken from other interfaces of the account
   * @throws Refusal when the type's limit, the subnet or an address refuses
   */
  public Assigned assign(NetworkInterface target, AddressRequest wanted, boolean reassign) {
    requireAddresses(target);
    Optional<Instance> instance =
        target.attachment().flatMap(a -> region.instances().find(a.instanceId()));
    int limit =
        instance.map(i -> i.type().ipv4PerInterface()).orElse(region.quotas().detachedAddresses());
    if (wanted.wantsPrefixes()) {
      instance.ifPresent(i -> requirePrefixes(i));
    }
    requirePlaces(target.addresses().ipv4Places() + wanted.places(), limit);
    SubnetAddresses books = region.addresses(target.placement().subnetId());
    if (reassign) {
      wanted.secondary().forEach(address -> release(books, address, target));
    }
    Assigned assigned = take(books, wanted, wanted.named(), target.id());
    NetworkInterface now = region.interfaces().find(target.id()).orElse(target);
    region
        .interfaces()
        .put(now.withAddresses(now.addresses().plus(assigned.addresses(), assigned.prefixes())));
    region.publishAvailable(target.placement().subnetId());
    return assigned;
  }

  /**
   * Gives secondary addresses and prefixes back, all or none.
   *
   * @throws Refusal when one is not on the interface, or is its primary address
   */
  public void unassign(NetworkInterface from, List<Ipv4Address> addresses, List<Cidr> prefixes) {
    Optional<Ipv4Address> primary = from.addresses().first().filter(addresses::contains);
    if (primary.isPresent()) {
      throw Refusal.of(
          "InvalidParameterValue",
          "The primary address "
              + primary.get()
              + " cannot be unassigned from interface "
              + from.id());
    }
    if (!from.addresses().secondary().containsAll(addresses)
        || !from.addresses().prefixes().containsAll(prefixes)) {
      throw Refusal.of(
          "InvalidParameterValue",
          "Some of the specified addresses are not assigned to interface " + from.id());
    }
    SubnetAddresses books = region.addresses(from.placement().subnetId());
    region.elasticRules().release(from.id(), addresses::contains);
    addresses.stream().distinct().forEach(books::give);
    prefixes.stream().distinct().forEach(books::givePrefix);
    region.interfaces().put(from.withAddresses(from.addresses().minus(addresses, prefixes)));
    region.publishAvailable(from.placement().subnetId());
  }

  /**
   * Checks that an instance of this type can carry prefixes.
   *
   * @throws Refusal when it is not built on Nitro
   */
  static void requirePrefixes(Instance instance) {
    if (!instance.type().isNitroBased()) {
      throw Refusal.of(
          "UnsupportedOperation",
          "The instance type "
              + instance.type().name()
              + " does not support prefixes; only types built on the Nitro System do");
    }
  }

  private static void requirePlaces(int places, int limit) {
    if (places > limit) {
      throw Refusal.of(
          "PrivateIpAddressLimitExceeded", "Number of private addresses will exceed limit.");
    }
  }

  private static Assigned take(
      SubnetAddresses books, AddressRequest wanted, CidrSet spared, String id) {
    List<Ipv4Address> addresses = new ArrayList<>();
    List<Cidr> prefixes = new ArrayList<>();
    wanted.secondary().forEach(address -> addresses.add(take(books, address, id)));
    for (int i = 0; i < wanted.count(); i++) {
      addresses.add(books.take(id, spared).orElseThrow(Interfaces::noAddresses));
    }
    for (Cidr prefix : wanted.prefixes()) {
      if (books.state(prefix.first()) == SubnetAddresses.State.OUTSIDE) {
        throw Refusal.of("InvalidParameterValue", "Address " + OUTSIDE);
      }
      if (!books.takePrefix(prefix, id)) {
        throw noBlocks();
      }
      prefixes.add(prefix);
    }
    for (int i = 0; i < wanted.prefixCount(); i++) {
      prefixes.add(books.takePrefix(id, spared).orElseThrow(Interfaces::noBlocks));
    }
    return new Assigned(addresses, prefixes);
  }

  private static Ipv4Address take(SubnetAddresses books, Ipv4Address address, String id) {
    switch (books.state(address)) {
      case OUTSIDE -> throw Refusal.of("InvalidParameterValue", "Address " + OUTSIDE);
      case RESERVED ->
          throw Refusal.of(
              "InvalidParameterValue",
              String.format(
                  Locale.ROOT, "Address %s is in subnet's reserved address range", address));
      case TAKEN ->
          throw Refusal.of("InvalidIPAddress.InUse", "The specified address is already in use.");
      case FREE -> {
        if (!books.take(address, id)) {
          throw new IllegalStateException(address + " is free and cannot be taken");
        }
      }
    }
    return address;
  }

  /** Removes an address from the interface that has it as a secondary one. */
  private void release(SubnetAddresses books, Ipv4Address address, NetworkInterface target) {
    Optional<NetworkInterface> holder = books.holder(address).flatMap(region.interfaces()::find);
    holder
        .filter(other -> other.ownerId().equals(target.ownerId()))
        .filter(other -> other.addresses().secondary().contains(address))
        .ifPresent(
            other -> {
              region.elasticRules().move(address, other.id(), target.id());
              unassign(other, List.of(address), List.of());
            });
  }

  static Refusal noAddresses() {
    return Refusal.of(
        "InsufficientFreeAddressesInSubnet",
        "The specified subnet does not have enough free addresses to satisfy the request.");
  }

  static Refusal noBlocks() {
    return Refusal.of(
        "InsufficientCidrBlocks",
        "The specified subnet does not have enough free cidr blocks to satisfy the request.");
  }
}
