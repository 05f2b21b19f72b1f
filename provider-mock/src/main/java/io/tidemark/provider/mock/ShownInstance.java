package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A manifest's view of its instance: the provider's sections alone, so an unused address that
 * stands only in the pool is not attached. Pure.
 *
 * @param subnetId of its own interface
 * @param enis as the status has them
 * @param problems what no cloud could hold; with one, nothing of the manifest is adopted
 */
record ShownInstance(
    InstanceId id,
    String type,
    String networkId,
    String zone,
    String subnetId,
    List<EniStatus.Eni> enis,
    List<MockInterface> interfaces,
    List<String> problems) {
  ShownInstance {
    enis = List.copyOf(enis);
    interfaces = List.copyOf(interfaces);
    problems = List.copyOf(problems);
  }

  static final String NETWORK = "vpc-mock";
  static final String ZONE = "mock-1a";
  private static final Cidr NETWORK_CIDR = Cidr.parse("10.0.0.0/8");
  private static final int BLOCK_LENGTH = 28;

  static ShownInstance of(InstanceId id, NodeResource resource) {
    EniSpec spec = resource.eniSpec().orElse(EniSpec.EMPTY);
    Map<String, EniStatus.Eni> shown =
        resource.eniStatus().<Map<String, EniStatus.Eni>>map(EniStatus::enis).orElse(Map.of());
    String zone = first(spec.availabilityZone(), ZONE);
    String home = first(spec.nodeSubnetId(), "subnet-" + zone);
    List<MockInterface> interfaces = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Set<Integer> indexes = new HashSet<>();
    AddressSet unseen = resource.used();
    for (Map.Entry<String, EniStatus.Eni> entry : shown.entrySet()) {
      EniStatus.Eni eni = entry.getValue();
      String path = "status.eni.enis." + entry.getKey();
      boolean impossible =
          !entry.getKey().equals(eni.id())
              || eni.id().isEmpty()
              || eni.ip().filter(ip -> ip.family() != IpFamily.IPV4).isPresent()
              || eni.prefixes().stream().anyMatch(each -> !isBlock(each))
              || eni.ipv6Prefixes().stream().anyMatch(each -> each.family() != IpFamily.IPV6);
      if (impossible) {
        problems.add(path + ": id, ip or prefixes are not those of an interface");
        continue;
      }
      int index = eni.number();
      while (index < 0 || !indexes.add(index)) {
        index++;
      }
      MockInterface made = networkInterface(id, eni, index, first(eni.subnet().id(), home));
      interfaces.add(made);
      unseen = unseen.minus(made.taken()).minus(made.fixed().ipv6());
    }
    if (!unseen.isEmpty()) {
      problems.add("status.ipam.used: " + unseen + " on no interface of status.eni");
    }
    return new ShownInstance(
        id,
        spec.instanceType(),
        first(spec.vpcId(), NETWORK),
        zone,
        home,
        List.copyOf(shown.values()),
        interfaces,
        problems);
  }

  /** Whether it shows nothing, so that any instance will do. */
  boolean isBare() {
    return interfaces.isEmpty() && problems.isEmpty();
  }

  private static MockInterface networkInterface(
      InstanceId instance, EniStatus.Eni eni, int index, String subnetId) {
    AddressSet.Builder singles = AddressSet.builder();
    AddressSet.Builder ipv6 = AddressSet.builder();
    for (IpAddress address : eni.addresses()) {
      if (address.family() == IpFamily.IPV6) {
        ipv6.add(address);
      } else if (!eni.ip().filter(address::equals).isPresent()
          && eni.prefixes().stream().noneMatch(block -> block.contains(address))) {
        singles.add(address);
      }
    }
    return new MockInterface(
        new InterfaceId(eni.id()),
        instance.text(),
        index,
        new PoolId(subnetId),
        new MockInterface.Fixed(
            eni.mac(),
            eni.description(),
            eni.ip(),
            ipv6.build(),
            eni.ipv6Prefixes(),
            eni.securityGroups(),
            eni.tags()),
        singles.build(),
        eni.prefixes().stream().distinct().sorted().toList(),
        List.of(),
        eni.publicIp());
  }

  private static boolean isBlock(Cidr prefix) {
    return prefix.family() == IpFamily.IPV4 && prefix.prefixLength() == BLOCK_LENGTH;
  }

  private static String first(String said, String otherwise) {
    return said.isEmpty() ? otherwise : said;
  }

  /**
   * The subnets of its interfaces, those that are not shown made around their addresses.
   *
   * @throws IllegalArgumentException when one cannot be
   */
  List<MockSubnet> subnets(List<MockSubnet> known) {
    Map<String, MockSubnet> subnets = new TreeMap<>();
    known.forEach(each -> subnets.put(each.id(), each));
    List<MockSubnet> shown = new ArrayList<>();
    for (int i = 0; i < interfaces.size(); i++) {
      EniStatus.Eni eni = enis.get(i);
      String subnet = interfaces.get(i).pool().text();
      List<Cidr> network = new ArrayList<>(eni.vpc().primaryCidr().stream().toList());
      network.addAll(eni.vpc().cidrs());
      MockSubnet like =
          new MockSubnet(
              subnet,
              first(eni.vpc().id(), networkId),
              network.isEmpty() ? List.of(NETWORK_CIDR) : network,
              first(eni.availabilityZone(), zone),
              eni.subnet().cidr().orElse(NETWORK_CIDR),
              Map.of());
      if (eni.subnet().cidr().isPresent()) {
        shown.add(like);
      } else if (!subnets.containsKey(subnet)) {
        AddressSet held = AddressSet.of();
        for (MockInterface each : interfaces) {
          held = each.pool().text().equals(subnet) ? held.plus(each.taken()) : held;
        }
        shown.add(
            held.isEmpty()
                ? made(like, subnets.values())
                : like.withCidr(Cidr.containing(held.at(0), length(like.networkCidrs().get(0)))));
      }
      shown.forEach(each -> subnets.putIfAbsent(each.id(), each));
    }
    return shown;
  }

  /** The subnet of an instance that shows no interface. */
  MockSubnet home(List<MockSubnet> known) {
    List<Cidr> network =
        known.stream()
            .filter(each -> each.networkId().equals(networkId))
            .map(MockSubnet::networkCidrs)
            .findFirst()
            .orElse(List.of(NETWORK_CIDR));
    return known.stream()
        .filter(each -> each.id().equals(subnetId))
        .findFirst()
        .orElseGet(
            () ->
                made(
                    new MockSubnet(subnetId, networkId, network, zone, NETWORK_CIDR, Map.of()),
                    known));
  }

  /** A subnet in a part of its network that no other holds: where its id puts it, else the next. */
  private static MockSubnet made(MockSubnet like, Collection<MockSubnet> others) {
    Cidr network = like.networkCidrs().get(0);
    int length = length(network);
    long count = network.prefixLength() > length ? 0 : network.subnetCountSaturated(length);
    for (long step = 0; step < count; step++) {
      long index = (Math.floorMod((long) like.id().hashCode(), count) + step) % count;
      MockSubnet made = like.withCidr(network.subnet(length, index));
      if (others.stream().allMatch(made::isApartFrom)) {
        return made;
      }
    }
    throw new IllegalArgumentException("no room for subnet " + like.id() + " in " + network);
  }

  private static int length(Cidr network) {
    return Math.min(BLOCK_LENGTH, Math.max(16, network.prefixLength() + 8));
  }
}
