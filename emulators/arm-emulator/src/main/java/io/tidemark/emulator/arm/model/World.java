package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmPublicPrefix;
import io.tidemark.emulator.arm.network.ArmSubnet;
import io.tidemark.emulator.arm.network.Assigned;
import io.tidemark.emulator.arm.network.Configuration;
import io.tidemark.emulator.arm.network.SubnetAddresses;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** All resources, and how configurations get their addresses. Not thread-safe. */
final class World {
  private final ModelOptions options;
  private final SplittableRandom random;

  /** Locations of the virtual networks by their ids. */
  final TreeMap<ArmId, String> networks = new TreeMap<>();

  final TreeMap<ArmId, ArmSubnet> subnets = new TreeMap<>();
  final TreeMap<ArmId, ScaleSet> sets = new TreeMap<>();
  final TreeMap<ArmId, ArmMachine> machines = new TreeMap<>();
  final TreeMap<ArmId, ArmNic> nics = new TreeMap<>();
  final PublicAddresses publics = new PublicAddresses(this::newEtag);
  private Optional<Duration> listsBehind = Optional.empty();

  World(ModelOptions options, SplittableRandom random) {
    this.options = options;
    this.random = random;
  }

  /** As {@link ArmModel#listsBehind}. */
  void setListsBehind(Optional<Duration> behind) {
    listsBehind = behind;
  }

  /** The interface as the lists of a set show it; empty when they do not show it. */
  Optional<ArmNic.State> listed(ArmNic nic, Instant now) {
    return nic.shownAt(now.minus(listsBehind.orElse(Duration.ZERO)));
  }

  /** Whether there is this resource, of those that requests write. */
  boolean has(ArmId id) {
    return nics.containsKey(id) || machines.containsKey(id) || publics.addresses().containsKey(id);
  }

  boolean hasGroup(ArmId id) {
    return hasWithin(id.group());
  }

  boolean hasSubscription(ArmId id) {
    return hasWithin("/subscriptions/" + id.subscription());
  }

  private boolean hasWithin(String scope) {
    return Stream.of(networks, sets, machines, nics, publics.prefixes(), publics.addresses())
        .anyMatch(all -> all.keySet().stream().anyMatch(each -> each.isWithin(scope)));
  }

  /** An etag of the network provider. */
  String newEtag() {
    return "W/\"" + newUuid() + "\"";
  }

  /** An id as Azure gives to operations and machines. */
  String newUuid() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  /** A MAC address of Microsoft's range. */
  String newMac() {
    int host = random.nextInt(1 << 24);
    return String.format(
        Locale.ROOT, "00-0D-3A-%02X-%02X-%02X", host >> 16 & 255, host >> 8 & 255, host & 255);
  }

  SplittableRandom newRandom() {
    return random.split();
  }

  /** Changes an interface; lists show it after their lag. */
  void change(ArmNic nic, UnaryOperator<ArmNic.State> how, Instant now) {
    set(nic, how.apply(nic.state()), now);
  }

  void set(ArmNic nic, ArmNic.State state, Instant now) {
    DelayRange lag = options.listLag();
    Duration later = listsBehind.isPresent() ? Duration.ZERO : lag.draw(random);
    nic.set(state, now.plus(later), now.minus(lag.most()));
  }

  ArmSubnet subnet(Configuration wish) {
    ArmId id = wish.subnet().orElseThrow();
    ArmSubnet found = subnets.get(id);
    if (found == null) {
      throw Refusal.invalid(
          "InvalidResourceReference", "Resource %s was not found; it is referenced.", id);
    }
    return found;
  }

  /**
   * Gives an interface these configurations: those that it has keep their addresses as long as
   * subnet, size and family stay the same, new ones get some, and addresses of the others are free.
   * All or nothing.
   *
   * @param state of the new ones
   */
  List<Assigned> assign(
      ArmNic nic,
      List<Assigned> present,
      List<Configuration> wishes,
      int primary,
      String state,
      Instant now) {
    Map<String, Assigned> before = new HashMap<>();
    present.forEach(each -> before.put(each.name().toLowerCase(Locale.ROOT), each));
    List<Assigned> result = new ArrayList<>();
    List<Assigned> made = new ArrayList<>();
    try {
      for (int i = 0; i < wishes.size(); i++) {
        Configuration wish = wishes.get(i);
        String key = wish.name().toLowerCase(Locale.ROOT);
        Assigned old = before.get(key);
        if (old != null && old.suits(wish)) {
          before.remove(key);
          result.add(old.withWish(wish.normal(), i == primary));
        } else {
          Assigned fresh =
              new Assigned(wish.normal(), i == primary, draw(subnet(wish), wish, now), state);
          made.add(fresh);
          result.add(fresh);
        }
      }
    } catch (Refusal refusal) {
      for (Assigned each : made) {
        each.range().ifPresent(range -> subnet(each.wish()).addresses().putBack(range));
      }
      throw refusal;
    }
    before.values().forEach(each -> free(nic, each, now));
    made.forEach(each -> subnet(each.wish()).add(configurationId(nic, each)));
    return result;
  }

  void free(ArmNic nic, Assigned each, Instant now) {
    ArmSubnet subnet = subnet(each.wish());
    subnet.remove(configurationId(nic, each));
    each.range().ifPresent(range -> subnet.addresses().release(range, now));
  }

  private static String configurationId(ArmNic nic, Assigned each) {
    return nic.id().child("ipConfigurations", each.name()).text();
  }

  private static Optional<Cidr> draw(ArmSubnet subnet, Configuration wish, Instant now) {
    if (wish.isIpv6()) {
      Refusal.when(
          !subnet.hasIpv6(), "SubnetHasNoIpv6Prefix", "Subnet %s has no IPv6 prefix.", subnet.id());
      return Optional.empty();
    }
    Optional<String> wanted = wish.staticAddress();
    if (wanted.isPresent()) {
      return Optional.of(Cidr.single(taken(subnet, wanted.get())));
    }
    if (wish.isBlock()) {
      return Optional.of(
          subnet
              .addresses()
              .takeBlock(now)
              .orElseThrow(
                  () ->
                      Refusal.invalid(
                          "InsufficientCidrBlocks",
                          "Subnet %s has no free /28 block.",
                          subnet.id())));
    }
    return Optional.of(
        subnet
            .addresses()
            .take(now)
            .map(Cidr::single)
            .orElseThrow(
                () ->
                    Refusal.invalid(
                        "SubnetIsFull",
                        "Subnet %s does not have enough free addresses.",
                        subnet.id())));
  }

  /** Takes an address that a client names, or refuses it ("Common deployment errors"). */
  private static IpAddress taken(ArmSubnet subnet, String text) {
    IpAddress address =
        IpAddress.tryParse(text)
            .orElseThrow(
                () -> Refusal.invalid("InvalidRequestFormat", "'%s' is not an IP address.", text));
    SubnetAddresses addresses = subnet.addresses();
    Optional<Cidr> prefix = addresses.prefixOf(address);
    Refusal.when(
        prefix.isEmpty(),
        "PrivateIPAddressNotInSubnet",
        "Private static IP address %s does not belong to the range of subnet %s.",
        address,
        subnet.id());
    if (addresses.isReserved(address)) {
      throw Refusal.invalid(
          "PrivateIPAddressInReservedRange",
          "Private static IP address %s falls within the reserved range of subnet prefix %s.",
          address,
          prefix.get());
    }
    Refusal.when(
        !addresses.take(address),
        "PrivateIPAddressIsAllocated",
        "Private static IP address %s is already allocated to another resource.",
        address);
    return address;
  }

  /** Removes an interface that goes with its machine, and frees its addresses. */
  void remove(ArmNic nic, Instant now) {
    publics.removed(nic.id());
    delete(nic, now);
  }

  /** Removes an interface and frees its addresses; public IP addresses that it used stay. */
  void delete(ArmNic nic, Instant now) {
    nic.state().configurations().forEach(each -> free(nic, each, now));
    publics.link(nic.id(), List.of());
    nics.remove(nic.id());
  }

  /** Configurations of a machine's interfaces but this one. */
  int otherConfigurations(ArmId machine, ArmId but) {
    return Stream.ofNullable(machines.get(machine))
        .flatMap(each -> each.nics.stream())
        .filter(each -> !each.equals(but))
        .flatMap(each -> Stream.ofNullable(nics.get(each)))
        .mapToInt(each -> each.state().configurations().size())
        .sum();
  }

  /** The whole state, for people. */
  Document state() {
    return Document.of("subnets", subnets.values().stream().map(ArmSubnet::summary).toList())
        .with("machines", machines.values().stream().map(ArmMachine::summary).toList())
        .with("interfaces", nics.values().stream().map(ArmNic::summary).toList())
        .with(
            "publicPrefixes",
            publics.prefixes().values().stream().map(ArmPublicPrefix::summary).toList());
  }
}
