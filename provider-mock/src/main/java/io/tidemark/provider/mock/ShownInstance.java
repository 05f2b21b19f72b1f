package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A manifest's view of its instance: the provider's sections alone, so an unused address that
 * stands only in the pool is not attached, and of those the IPv4 addresses. Pure.
 */
record ShownInstance(InstanceId id, NodeResource resource) {
  static final String NETWORK = "vpc-mock";
  static final String ZONE = "mock-1a";
  private static final int BLOCK_LENGTH = 28;
  private static final int USUAL_LENGTH = 16;

  EniSpec spec() {
    return resource.eniSpec().orElse(EniSpec.EMPTY);
  }

  private SortedMap<String, EniStatus.Eni> enis() {
    return resource.eniStatus().map(EniStatus::enis).orElseGet(TreeMap::new);
  }

  /** Whether it shows nothing, so that any instance will do. */
  boolean isBare() {
    return enis().isEmpty() && resource.used().isEmpty();
  }

  /** Its interfaces; an {@link IllegalArgumentException} names what no cloud could hold. */
  List<MockInterface> interfaces() {
    List<MockInterface> interfaces = new ArrayList<>();
    AddressSet unseen = resource.used();
    for (EniStatus.Eni eni : enis().values()) {
      if (!eni.equals(enis().get(eni.id()))
          || !eni.prefixes().stream().allMatch(each -> each.prefixLength() == BLOCK_LENGTH)) {
        throw new IllegalArgumentException(
            "status.eni.enis: id or prefixes of '" + eni.id() + "' are not those of an interface");
      }
      MockInterface made = networkInterface(eni);
      interfaces.add(made);
      unseen = unseen.minus(made.taken()).minus(AddressSet.copyOf(eni.addresses()));
    }
    if (!unseen.isEmpty()) {
      throw new IllegalArgumentException(
          "status.ipam.used: " + unseen + " on no interface of status.eni");
    }
    return interfaces;
  }

  private MockInterface networkInterface(EniStatus.Eni eni) {
    AddressSet.Builder singles = AddressSet.builder();
    eni.addresses().stream()
        .filter(it -> it.family() == IpFamily.IPV4 && !eni.ip().equals(Optional.of(it)))
        .filter(it -> eni.prefixes().stream().noneMatch(block -> block.contains(it)))
        .forEach(singles::add);
    return new MockInterface(
        new InterfaceId(eni.id()),
        id.text(),
        eni.number(),
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

  private String network() {
    return first(spec().vpcId(), NETWORK);
  }

  private String zone() {
    return first(spec().availabilityZone(), ZONE);
  }

  private static String first(String said, String otherwise) {
    return said.isEmpty() ? otherwise : said;
  }

  /** The subnets of its interfaces, or of its own one; refuses those that cannot be. */
  List<MockSubnet> subnets(List<MockInterface> interfaces, List<MockSubnet> known) {
    List<MockSubnet> all = new ArrayList<>(known);
    for (MockInterface each : interfaces) {
      EniStatus.Eni eni = Objects.requireNonNull(enis().get(each.id().text()));
      List<Cidr> network = new ArrayList<>(eni.vpc().primaryCidr().stream().toList());
      network.addAll(eni.vpc().cidrs());
      String id = each.pool().text();
      String vpc = first(eni.vpc().id(), network());
      String zone = first(eni.availabilityZone(), zone());
      all.add(
          eni.subnet()
              .cidr()
              .map(cidr -> new MockSubnet(id, vpc, network, zone, cidr, Map.of()))
              .orElseGet(() -> subnet(id, vpc, zone, each.taken(), all)));
    }
    if (interfaces.isEmpty()) {
      all.add(subnet(subnetId(), network(), zone(), AddressSet.of(), known));
    }
    return all.subList(known.size(), all.size());
  }

  /** One that is not shown: as it is known, around an address that it holds, or apart from all. */
  private static MockSubnet subnet(
      String id, String network, String zone, AddressSet held, List<MockSubnet> known) {
    Optional<MockSubnet> same = known.stream().filter(each -> each.id().equals(id)).findFirst();
    if (same.isPresent()) {
      return same.get();
    }
    Cidr cidr =
        held.isEmpty()
            ? IntStream.rangeClosed(1, 256)
                .mapToObj(i -> Cidr.parse("10." + (256 - i) + ".0.0/" + USUAL_LENGTH))
                .filter(each -> known.stream().map(MockSubnet::cidr).noneMatch(each::overlaps))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no room for subnet " + id))
            : Cidr.containing(held.at(0), USUAL_LENGTH);
    return new MockSubnet(id, network, List.of(cidr), zone, cidr, Map.of());
  }
}
