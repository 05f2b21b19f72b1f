package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** How interfaces come and go and what addresses of both families they hold. */
public final class Interfaces {
  private final Region region;
  private final Ec2ElasticAddresses elastic;

  public Interfaces(Region region) {
    this.region = region;
    this.elastic = new Ec2ElasticAddresses(region);
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
      Ec2NetworkInterface.Settings settings,
      AddressRequest addresses,
      CidrSet spared,
      AddressRequest ipv6,
      Ec2Tags tags) {}

  /**
   * Creates a detached interface.
   *
   * @throws Ec2Refusal if the quota is reached or the subnet lacks the addresses
   */
  public Ec2NetworkInterface create(Ec2Subnet subnet, Plan plan) {
    Ec2Refusal.when(
        region.interfaces().countOf(plan.account()) >= region.quota(Quota.INTERFACES),
        "NetworkInterfaceLimitExceeded",
        "The maximum number of network interfaces has been reached.");
    boolean withAddresses = !plan.type().equals(Ec2NetworkInterface.EFA_ONLY);
    if (withAddresses) {
      requirePlaces(
          1 + plan.addresses().places(), region.quota(Quota.DETACHED_ADDRESSES), IpFamily.IPV4);
    }
    String id = region.newId(ResourceType.NETWORK_INTERFACE);
    InterfaceAddresses addresses =
        withAddresses ? firstAddresses(subnet, plan, id) : InterfaceAddresses.NONE;
    Ec2NetworkInterface made =
        new Ec2NetworkInterface(
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
    region.interfaces().put(made);
    region.publishAvailable(subnet.id());
    if (withAddresses && plan.ipv6().places() > 0) {
      requireRoom(made, IpFamily.IPV6, plan.ipv6());
      add(made, IpFamily.IPV6, plan.ipv6(), plan.spared());
    }
    return region.interfaces().find(id).orElse(made);
  }

  private InterfaceAddresses firstAddresses(Ec2Subnet subnet, Plan plan, String id) {
    Ec2SubnetAddresses books = region.addresses(subnet.id());
    Optional<Ipv4Address> primary = plan.addresses().primary();
    primary.ifPresent(address -> take(books, address, id));
    return InterfaceAddresses.of(
            primary.isPresent()
                ? primary.get()
                : books.take(id, plan.spared()).orElseThrow(Interfaces::noAddresses))
        .plus(IpFamily.IPV4, take(books, plan.addresses(), plan.spared(), id));
  }

  /** Ends an interface, attached or not, and gives its addresses back. */
  void delete(Ec2NetworkInterface ended) {
    InterfaceAddresses held = ended.addresses();
    give(ended, IpFamily.IPV4, held.ipv4().toList(), held.prefixes());
    give(ended, IpFamily.IPV6, held.ipv6(), held.ipv6Prefixes());
    elastic.release(ended.id(), lost -> true);
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
   * @throws Ec2Refusal when it is attached
   */
  public void deleteDetached(Ec2NetworkInterface ended) {
    Ec2Refusal.when(
        ended.attachment().isPresent(),
        "InvalidParameterValue",
        "Network interface '%s' is currently in use.",
        ended.id());
    delete(ended);
  }

  /**
   * Adds secondary addresses or prefixes.
   *
   * @param reassign whether addresses may be taken from other interfaces of the account
   * @throws Ec2Refusal when the type's limit, the subnet or an address refuses, or the interface is
   *     EFA-only
   */
  public InterfaceAddresses.Assigned assign(
      Ec2NetworkInterface target, IpFamily family, AddressRequest wanted, boolean reassign) {
    requireRoom(target, family, wanted);
    if (reassign) {
      wanted.addresses().forEach(address -> release((Ipv4Address) address, target));
    }
    return add(target, family, wanted, wanted.named());
  }

  private InterfaceAddresses.Assigned add(
      Ec2NetworkInterface target, IpFamily family, AddressRequest wanted, CidrSet spared) {
    String subnet = target.placement().subnetId();
    AddressBooks books =
        region
            .books(subnet, family)
            .orElseThrow(
                () ->
                    Ec2Refusal.of(
                        "InvalidParameterValue",
                        "The subnet '%s' does not have an IPv6 CIDR block",
                        subnet));
    InterfaceAddresses.Assigned assigned = take(books, wanted, spared, target.id());
    Ec2NetworkInterface now = region.interfaces().find(target.id()).orElse(target);
    region.interfaces().put(now.withAddresses(now.addresses().plus(family, assigned)));
    region.publishAvailable(subnet);
    return assigned;
  }

  private void requireRoom(Ec2NetworkInterface target, IpFamily family, AddressRequest wanted) {
    Ec2Refusal.when(
        target.type().equals(Ec2NetworkInterface.EFA_ONLY),
        "UnsupportedOperation",
        "The EFA-only network interface '%s' does not support IP addresses",
        target.id());
    Optional<Ec2Instance> instance =
        target.attachment().flatMap(a -> region.instances().find(a.instanceId()));
    if (wanted.wantsPrefixes()) {
      instance.ifPresent(Interfaces::requirePrefixes);
    }
    int limit =
        instance
            .map(Ec2Instance::type)
            .map(t -> family == IpFamily.IPV4 ? t.ipv4PerInterface() : t.ipv6PerInterface())
            .orElse(region.quota(Quota.DETACHED_ADDRESSES));
    requirePlaces(target.addresses().places(family) + wanted.places(), limit, family);
  }

  /**
   * Gives secondary addresses and prefixes back, all or none.
   *
   * @throws Ec2Refusal when one is not on the interface, or is its primary address
   */
  public void unassign(
      Ec2NetworkInterface from, IpFamily family, InterfaceAddresses.Assigned lost) {
    Optional<Ipv4Address> primary = from.addresses().first().filter(lost.addresses()::contains);
    Ec2Refusal.when(
        primary.isPresent(),
        "InvalidParameterValue",
        "The primary address %s cannot be unassigned from interface %s",
        primary.map(Object::toString).orElse(""),
        from.id());
    Ec2Refusal.when(
        !from.addresses().holds(family, lost),
        "InvalidParameterValue",
        "Some of the specified addresses are not assigned to interface %s",
        from.id());
    elastic.release(from.id(), lost.addresses()::contains);
    give(from, family, lost.addresses(), lost.prefixes());
    region.interfaces().put(from.withAddresses(from.addresses().minus(family, lost)));
    region.publishAvailable(from.placement().subnetId());
  }

  private void give(
      Ec2NetworkInterface from,
      IpFamily family,
      List<? extends IpAddress> addresses,
      List<Cidr> prefixes) {
    region
        .books(from.placement().subnetId(), family)
        .ifPresent(
            books -> {
              addresses.stream().distinct().forEach(books::give);
              prefixes.stream().distinct().forEach(books::givePrefix);
            });
  }

  /**
   * Checks that an instance of this type can carry prefixes.
   *
   * @throws Ec2Refusal when it is not built on Nitro
   */
  static void requirePrefixes(Ec2Instance instance) {
    Ec2Refusal.when(
        !instance.type().isNitroBased(),
        "UnsupportedOperation",
        "The instance type %s does not support prefixes; only types built on the Nitro System do",
        instance.type().name());
  }

  private static void requirePlaces(int places, int limit, IpFamily family) {
    Ec2Refusal.when(
        places > limit,
        "PrivateIpAddressLimitExceeded",
        "Number of %s addresses will exceed limit.",
        family == IpFamily.IPV4 ? "private" : "IPv6");
  }

  private static InterfaceAddresses.Assigned take(
      AddressBooks books, AddressRequest wanted, CidrSet spared, String id) {
    List<IpAddress> addresses = new ArrayList<>(wanted.addresses());
    List<Cidr> prefixes = new ArrayList<>(wanted.prefixes());
    wanted.addresses().forEach(address -> take(books, address, id));
    for (int i = 0; i < wanted.count(); i++) {
      addresses.add(books.take(id, spared).orElseThrow(Interfaces::noAddresses));
    }
    for (Cidr prefix : wanted.prefixes()) {
      requireInside(books, prefix.first());
      if (!books.takePrefix(prefix, id)) {
        throw noBlocks();
      }
    }
    for (int i = 0; i < wanted.prefixCount(); i++) {
      prefixes.add(books.takePrefix(id, spared).orElseThrow(Interfaces::noBlocks));
    }
    return new InterfaceAddresses.Assigned(addresses, prefixes);
  }

  private static void take(AddressBooks books, IpAddress address, String id) {
    requireInside(books, address);
    Ec2Refusal.when(
        books.state(address) == Ec2SubnetAddresses.State.RESERVED,
        "InvalidParameterValue",
        "Address %s is in subnet's reserved address range",
        address);
    Ec2Refusal.when(
        !books.take(address, id),
        "InvalidIPAddress.InUse",
        address instanceof Ipv4Address
            ? "The specified address is already in use."
            : "Address %s is in use.",
        address);
  }

  private static void requireInside(AddressBooks books, IpAddress address) {
    Ec2Refusal.when(
        books.state(address) == Ec2SubnetAddresses.State.OUTSIDE,
        "InvalidParameterValue",
        address instanceof Ipv4Address
            ? "Address does not fall within the subnet's address range"
            : "Address %s does not fall within the subnet's address range",
        address);
  }

  /** Removes an address from the interface that has it as a secondary one. */
  private void release(Ipv4Address address, Ec2NetworkInterface target) {
    region
        .addresses(target.placement().subnetId())
        .holder(address)
        .flatMap(region.interfaces()::find)
        .filter(other -> other.ownerId().equals(target.ownerId()))
        .filter(other -> other.addresses().secondary().contains(address))
        .ifPresent(
            other -> {
              elastic.move(address, other.id(), target.id());
              unassign(
                  other,
                  IpFamily.IPV4,
                  new InterfaceAddresses.Assigned(List.of(address), List.of()));
            });
  }

  private static Ec2Refusal noAddresses() {
    return Ec2Refusal.of(
        "InsufficientFreeAddressesInSubnet",
        "The specified subnet does not have enough free addresses to satisfy the request.");
  }

  private static Ec2Refusal noBlocks() {
    return Ec2Refusal.of(
        "InsufficientCidrBlocks",
        "The specified subnet does not have enough free cidr blocks to satisfy the request.");
  }
}
