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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * A manifest's view of its instance: the provider's sections alone, so an unused address that
 * stands only in the pool is not attached, and of those the IPv4 addresses. Pure.
 */
record ShownInstance(InstanceId id, NodeResource resource) {
  static final String NETWORK = "vpc-mock";
  static final String ZONE = "mock-1a";
  private static final Cidr NETWORK_CIDR = Cidr.parse("10.0.0.0/8");
  private static final int BLOCK_LENGTH = 28;

  /** Length of a subnet that no manifest shows. */
  private static final int USUAL_LENGTH = 16;

  private static final long SUBNETS_MAX = 256;

  EniSpec spec() {
    return resource.eniSpec().orElse(EniSpec.EMPTY);
  }

  private Map<String, EniStatus.Eni> enis() {
    return resource.eniStatus().<Map<String, EniStatus.Eni>>map(EniStatus::enis).orElse(Map.of());
  }

  /** Whether it shows nothing, so that any instance will do. */
  boolean isBare() {
    return enis().isEmpty() && resource.used().isEmpty();
  }

  /**
   * Its interfaces.
   *
   * @throws IllegalArgumentException naming what no cloud could hold
   */
  List<MockInterface> interfaces() {
    List<MockInterface> interfaces = new ArrayList<>();
    Set<Integer> indexes = new HashSet<>();
    AddressSet unseen = resource.used();
    for (Map.Entry<String, EniStatus.Eni> entry : enis().entrySet()) {
      EniStatus.Eni eni = entry.getValue();
      if (!entry.getKey().equals(eni.id())
          || eni.id().isEmpty()
          || eni.ip().filter(ip -> ip.family() != IpFamily.IPV4).isPresent()
          || !eni.prefixes().stream().allMatch(ShownInstance::isBlock)) {
        String path = "status.eni.enis." + entry.getKey();
        throw new IllegalArgumentException(
            path + ": id, ip or prefixes are not those of an interface");
      }
      int index = eni.number();
      while (index < 0 || !indexes.add(index)) {
        index++;
      }
      MockInterface made = networkInterface(eni, index);
      interfaces.add(made);
      unseen = unseen.minus(made.taken()).minus(ipv6(eni));
    }
    if (!unseen.isEmpty()) {
      throw new IllegalArgumentException(
          "status.ipam.used: " + unseen + " on no interface of status.eni");
    }
    return interfaces;
  }

  private static AddressSet ipv6(EniStatus.Eni eni) {
    AddressSet.Builder all = AddressSet.builder();
    eni.addresses().stream().filter(ip -> ip.family() == IpFamily.IPV6).forEach(all::add);
    return all.build();
  }

  private static boolean isBlock(Cidr prefix) {
    return prefix.family() == IpFamily.IPV4 && prefix.prefixLength() == BLOCK_LENGTH;
  }

  private MockInterface networkInterface(EniStatus.Eni eni, int index) {
    AddressSet.Builder singles = AddressSet.builder();
    for (IpAddress address : eni.addresses()) {
      if (address.family() == IpFamily.IPV4
          && !eni.ip().filter(address::equals).isPresent()
          && eni.prefixes().stream().noneMatch(block -> block.contains(address))) {
        singles.add(address);
      }
    }
    return new MockInterface(
        new InterfaceId(eni.id()),
        id.text(),
        index,
        new PoolId(first(eni.subnet().id(), subnetId())),
        new MockInterface.Fixed(
            eni.mac(), eni.description(), eni.ip(), eni.securityGroups(), eni.tags()),
        singles.build(),
        eni.prefixes().stream().distinct().sorted().toList(),
        List.of(),
        eni.publicIp());
  }

  /** The subnet of its own interface. */
  String subnetId() {
    return first(spec().nodeSubnetId(), "subnet-" + zone());
  }

  private String zone() {
    return first(spec().availabilityZone(), ZONE);
  }

  private static String first(String said, String otherwise) {
    return said.isEmpty() ? otherwise : said;
  }

  /**
   * The subnets of its interfaces.
   *
   * @throws IllegalArgumentException when one cannot be
   */
  List<MockSubnet> subnets(List<MockInterface> interfaces, List<MockSubnet> known) {
    List<MockSubnet> all = new ArrayList<>(known);
    for (MockInterface each : interfaces) {
      EniStatus.Eni eni = Objects.requireNonNull(enis().get(each.id().text()));
      List<Cidr> network = new ArrayList<>(eni.vpc().primaryCidr().stream().toList());
      network.addAll(eni.vpc().cidrs());
      String id = each.pool().text();
      String vpc = first(eni.vpc().id(), first(spec().vpcId(), NETWORK));
      String zone = first(eni.availabilityZone(), zone());
      if (eni.subnet().cidr().isPresent()) {
        all.add(new MockSubnet(id, vpc, network, zone, eni.subnet().cidr().get(), Map.of()));
      } else if (all.stream().noneMatch(one -> one.id().equals(id))) {
        all.add(usual(id, vpc, zone, each.taken(), all));
      }
    }
    return all.subList(known.size(), all.size());
  }

  /** The subnet of an instance that shows no interface; one of its id that is known goes before. */
  MockSubnet home(List<MockSubnet> known) {
    return known.stream()
        .filter(each -> each.id().equals(subnetId()))
        .findFirst()
        .orElseGet(
            () ->
                usual(subnetId(), first(spec().vpcId(), NETWORK), zone(), AddressSet.of(), known));
  }

  /** A subnet that no manifest shows: around an address that it holds, else apart from all. */
  private static MockSubnet usual(
      String id, String vpc, String zone, AddressSet held, List<MockSubnet> known) {
    Cidr cidr =
        held.isEmpty()
            ? LongStream.rangeClosed(1, SUBNETS_MAX)
                .mapToObj(i -> NETWORK_CIDR.subnet(USUAL_LENGTH, SUBNETS_MAX - i))
                .filter(each -> known.stream().map(MockSubnet::cidr).noneMatch(each::overlaps))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no room for subnet " + id))
            : Cidr.containing(held.at(0), USUAL_LENGTH);
    return new MockSubnet(id, vpc, List.of(cidr), zone, cidr, Map.of());
  }
}
