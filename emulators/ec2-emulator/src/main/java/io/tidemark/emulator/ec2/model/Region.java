package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.emulator.kit.time.Agenda;
import io.tidemark.emulator.kit.time.Ledger;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv4Address;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All resources of one region, of all accounts, and their events. Rules shared by several actions
 * are in {@code Ec2Networks}, {@code Interfaces}, {@code Instances} and {@code
 * Ec2ElasticAddresses}. Not thread-safe; every change is undone if the call is refused.
 */
public final class Region {
  /** Indexed properties, by the names of the filters that read them. */
  public static final String INSTANCE_ID = "attachment.instance-id";

  public static final String ATTACHMENT_ID = "attachment.attachment-id";
  static final String INTERFACE_ID = "network-interface-id";
  static final String PERMITTED_INTERFACE = "network-interface-permission.network-interface-id";

  private final String name;
  private final Ec2ModelOptions options;
  private final SplittableRandom random;
  private final List<Zone> zones;
  private final Ledger ledger = new Ledger();
  private final Agenda agenda = new Agenda(ledger);
  private final ClientTokens tokens = new ClientTokens();
  private final Ids ids;

  private final Table<Ec2Vpc> vpcs = new Table<>(ResourceType.VPC, ledger);
  private final Table<Ec2Subnet> subnets =
      new Table<Ec2Subnet>(ResourceType.SUBNET, ledger)
          .indexed("vpc-id", subnet -> List.of(subnet.vpcId()));
  private final Table<Ec2SecurityGroup> groups =
      new Table<Ec2SecurityGroup>(ResourceType.SECURITY_GROUP, ledger)
          .indexed("vpc-id", group -> List.of(group.vpcId()));
  private final Table<Ec2RouteTable> routeTables = new Table<>(ResourceType.ROUTE_TABLE, ledger);
  private final Table<Ec2NetworkInterface> interfaces =
      new Table<Ec2NetworkInterface>(ResourceType.NETWORK_INTERFACE, ledger)
          .indexed("subnet-id", each -> List.of(each.placement().subnetId()))
          .indexed("vpc-id", each -> List.of(each.placement().vpcId()))
          .indexed(
              INSTANCE_ID,
              each -> each.attachment().map(Ec2Attachment::instanceId).stream().toList())
          .indexed(
              ATTACHMENT_ID, each -> each.attachment().map(Ec2Attachment::id).stream().toList())
          .indexedByTags();
  private final Table<Ec2Instance> instances =
      new Table<Ec2Instance>(ResourceType.INSTANCE, ledger)
          .indexed("subnet-id", each -> List.of(each.placement().subnetId()))
          .indexed("vpc-id", each -> List.of(each.placement().vpcId()))
          .indexedByTags();
  private final Table<InterfacePermission> permissions =
      new Table<InterfacePermission>(ResourceType.PERMISSION, ledger)
          .indexed(PERMITTED_INTERFACE, each -> List.of(each.interfaceId()));
  private final Table<Ec2ElasticAddress> elasticAddresses =
      new Table<Ec2ElasticAddress>(ResourceType.ELASTIC_IP, ledger)
          .indexed(
              INTERFACE_ID, each -> each.association().map(a -> a.interfaceId()).stream().toList())
          .indexedByTags();
  private final Table<SubnetCidrReservation> reservations =
      new Table<>(ResourceType.SUBNET_CIDR_RESERVATION, ledger);
  private final Map<String, Ec2SubnetAddresses> addresses = new HashMap<>();
  private final Map<String, SubnetIpv6Addresses> ipv6Addresses = new HashMap<>();

  Region(String name, Ec2ModelOptions options, SplittableRandom random) {
    this.name = name;
    this.options = options;
    this.random = random;
    this.zones = Zone.of(name, options.zonesPerRegion());
    this.ids = new Ids(random.split());
  }

  public String name() {
    return name;
  }

  public List<Zone> zones() {
    return zones;
  }

  public int quota(Quota of) {
    return options.quota(of);
  }

  public Ec2InstanceTypes types() {
    return options.types();
  }

  public Table<Ec2Vpc> vpcs() {
    return vpcs;
  }

  public Table<Ec2Subnet> subnets() {
    return subnets;
  }

  public Table<Ec2SecurityGroup> groups() {
    return groups;
  }

  public Table<Ec2RouteTable> routeTables() {
    return routeTables;
  }

  public Table<Ec2NetworkInterface> interfaces() {
    return interfaces;
  }

  public Table<Ec2Instance> instances() {
    return instances;
  }

  public Table<Ec2ElasticAddress> elasticAddresses() {
    return elasticAddresses;
  }

  public Table<SubnetCidrReservation> reservations() {
    return reservations;
  }

  public Table<InterfacePermission> permissions() {
    return permissions;
  }

  /** Every table of resources that have tags. */
  public Stream<Table<? extends Resource>> tables() {
    return Stream.of(
        vpcs, subnets, groups, routeTables, interfaces, instances, reservations, elasticAddresses);
  }

  /** The table for ids of this form; empty if there is no such kind. */
  public Optional<Table<? extends Resource>> tableOf(String id) {
    return ResourceType.ofId(id)
        .flatMap(type -> tables().filter(table -> table.type() == type).findFirst());
  }

  /** The holders of this subnet's addresses. */
  public Ec2SubnetAddresses addresses(String subnetId) {
    @Nullable Ec2SubnetAddresses found = addresses.get(subnetId);
    if (found == null) {
      throw new IllegalStateException("no books for " + subnetId);
    }
    return found;
  }

  /** The holders of this subnet's addresses; empty if it has no block of this family. */
  Optional<AddressBooks> books(String subnetId, IpFamily family) {
    return family == IpFamily.IPV4
        ? Optional.of(addresses(subnetId))
        : Optional.ofNullable(ipv6Addresses.get(subnetId));
  }

  /** Whether the subnet has an IPv6 block and addresses of it are used. */
  public boolean usesIpv6(String subnetId) {
    @Nullable SubnetIpv6Addresses books = ipv6Addresses.get(subnetId);
    return books != null && !books.isUnused();
  }

  /** A new id of this kind. */
  public String newId(ResourceType type) {
    return ids.next(type);
  }

  /** An unused public address. */
  public Ipv4Address newPublicAddress() {
    return ids.publicAddress();
  }

  /** The host name that AWS's resolver gives a private address ("EC2 instance hostnames"). */
  public String privateDnsName(Ipv4Address address) {
    String host = "ip-" + address.toString().replace('.', '-');
    return host + (name.equals("us-east-1") ? ".ec2" : "." + name + ".compute") + ".internal";
  }

  /** The instant of the call that runs. */
  public Instant now() {
    return ledger.now();
  }

  Cidr newIpv6Block() {
    return ids.ipv6Block();
  }

  String newMacAddress() {
    return ids.macAddress();
  }

  String newRequestId() {
    return ids.requestId();
  }

  Ledger ledger() {
    return ledger;
  }

  ClientTokens tokens() {
    return tokens;
  }

  SplittableRandom random() {
    return random;
  }

  DelayRange delay(Delay of) {
    return options.delay(of);
  }

  /**
   * Runs {@code event} by itself after a delay, at the beginning of the next call at the earliest.
   */
  void later(DelayRange delay, Runnable event) {
    agenda.at(ledger.now().plus(delay.draw(random)), event);
  }

  /** Opens the books of a new subnet. */
  void openBooks(Ec2Subnet subnet) {
    addresses.put(
        subnet.id(), new Ec2SubnetAddresses(subnet.block(), ledger, options.choice(), random));
    ledger.note(() -> addresses.remove(subnet.id()));
    openIpv6Books(subnet);
  }

  /** Of the IPv6 block of a subnet, if it has one. */
  void openIpv6Books(Ec2Subnet subnet) {
    subnet
        .ipv6Block()
        .ifPresent(
            association -> {
              ipv6Addresses.put(
                  subnet.id(), new SubnetIpv6Addresses(association.block(), ledger, random));
              ledger.note(() -> ipv6Addresses.remove(subnet.id()));
            });
  }

  void closeBooks(String subnetId) {
    @Nullable Ec2SubnetAddresses closed = addresses.remove(subnetId);
    if (closed != null) {
      ledger.note(() -> addresses.put(subnetId, closed));
    }
    closeIpv6Books(subnetId);
  }

  void closeIpv6Books(String subnetId) {
    @Nullable SubnetIpv6Addresses closedIpv6 = ipv6Addresses.remove(subnetId);
    if (closedIpv6 != null) {
      ledger.note(() -> ipv6Addresses.put(subnetId, closedIpv6));
    }
  }

  /** Lets readers see how many addresses of the subnet are left. */
  void publishAvailable(String subnetId) {
    int available = addresses(subnetId).available();
    subnets
        .find(subnetId)
        .filter(subnet -> subnet.availableAddresses() != available)
        .ifPresent(subnet -> subnets.put(subnet.withAvailable(available)));
  }

  /** Runs all due events, then starts a call. */
  void begin(Instant now) {
    for (Optional<Agenda.Entry> due = agenda.takeDue(now);
        due.isPresent();
        due = agenda.takeDue(now)) {
      start(due.get().due());
      due.get().event().run();
    }
    start(now);
    tables().forEach(Table::purge);
    permissions.purge();
    tokens.forgetOld(now);
  }

  /** When something happens here by itself next. */
  Optional<Instant> nextEvent() {
    return agenda.nextDue();
  }

  private void start(Instant now) {
    ledger.begin(
        now,
        now.plus(delay(Delay.VISIBILITY).draw(random)),
        now.minus(delay(Delay.READ_LAG).most()));
  }
}
