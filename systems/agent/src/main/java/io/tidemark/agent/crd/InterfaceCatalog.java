package io.tidemark.agent.crd;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The interfaces in the status of a node's object (allocators 4.4), in the same form for each
 * cloud. Immutable.
 */
public final class InterfaceCatalog {
  /** No interface. */
  public static final InterfaceCatalog NONE = new InterfaceCatalog(Map.of(), Map.of(), Map::of);

  /** The gateway of every subnet of EC2. */
  private static final IpAddress EC2_IPV6_GATEWAY = IpAddress.parse("fe80:ec2::1");

  private final Map<String, InterfaceDetails> ipv4;
  private final Map<String, InterfaceDetails> ipv6;
  private final Supplier<Map<String, AddressSet>> addresses;

  private InterfaceCatalog(
      Map<String, InterfaceDetails> ipv4,
      Map<String, InterfaceDetails> ipv6,
      Supplier<Map<String, AddressSet>> addresses) {
    this.ipv4 = Map.copyOf(ipv4);
    this.ipv6 = Map.copyOf(ipv6);
    this.addresses = addresses;
  }

  /**
   * The interfaces of an object.
   *
   * @param nativeRouting blocks that are reached without translation from every interface of EC2,
   *     each by addresses of its family
   */
  public static InterfaceCatalog of(CrdMode mode, NodeResource node, List<Cidr> nativeRouting) {
    return switch (mode) {
      case CRD -> NONE;
      case ENI -> node.eniStatus().map(status -> of(status, nativeRouting)).orElse(NONE);
      case AZURE -> node.azureStatus().map(InterfaceCatalog::of).orElse(NONE);
    };
  }

  private static InterfaceCatalog of(EniStatus status, List<Cidr> nativeRouting) {
    Map<String, InterfaceDetails> ipv4 = new TreeMap<>();
    Map<String, InterfaceDetails> ipv6 = new TreeMap<>();
    status
        .enis()
        .forEach(
            (id, eni) -> {
              Optional<IpAddress> gateway =
                  eni.subnet().cidr().flatMap(InterfaceCatalog::firstOfSubnet);
              ipv4.put(id, eni(eni, gateway, of(IpFamily.IPV4, nativeRouting)));
              ipv6.put(
                  id, eni(eni, Optional.of(EC2_IPV6_GATEWAY), of(IpFamily.IPV6, nativeRouting)));
            });
    return new InterfaceCatalog(ipv4, ipv6, status::addressesByInterface);
  }

  private static List<Cidr> of(IpFamily family, List<Cidr> blocks) {
    return blocks.stream().filter(each -> each.family() == family).toList();
  }

  private static Optional<IpAddress> firstOfSubnet(Cidr subnet) {
    return subnet.sizeSaturated() > 1 ? Optional.of(subnet.address(1)) : Optional.empty();
  }

  private static InterfaceDetails eni(
      EniStatus.Eni eni, Optional<IpAddress> gateway, List<Cidr> nativeRouting) {
    List<Cidr> cidrs = new ArrayList<>();
    eni.vpc().primaryCidr().ifPresent(cidrs::add);
    cidrs.addAll(eni.vpc().cidrs());
    nativeRouting.stream().filter(each -> !cidrs.contains(each)).forEach(cidrs::add);
    String number = Integer.toString(eni.number());
    return new InterfaceDetails(eni.id(), eni.mac(), number, eni.subnet().cidr(), gateway, cidrs);
  }

  private static InterfaceCatalog of(AzureStatus status) {
    Map<String, InterfaceDetails> interfaces = new TreeMap<>();
    status.interfaces().forEach((id, each) -> interfaces.put(id, azure(each)));
    return new InterfaceCatalog(interfaces, interfaces, status::addressesByInterface);
  }

  /** A pod is not set up without a number, and Azure has none. */
  private static InterfaceDetails azure(AzureStatus.Interface each) {
    List<Cidr> cidrs = each.cidr().stream().toList();
    return new InterfaceDetails(each.id(), each.mac(), "0", each.cidr(), each.gateway(), cidrs);
  }

  /** Traffic details of an IPv4 address, by interface id; unmodifiable. */
  public Map<String, InterfaceDetails> ipv4() {
    return ipv4;
  }

  /** The addresses of each interface, those of blocks included; made anew by each call. */
  public Map<String, AddressSet> addresses() {
    return addresses.get();
  }

  /** Traffic details of an address on an interface; empty when there is none of that id. */
  public Optional<InterfaceDetails> find(String id, IpFamily family) {
    return Optional.ofNullable((family == IpFamily.IPV4 ? ipv4 : ipv6).get(id));
  }
}
