package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.kit.InterfaceSection;
import io.tidemark.resource.AzureStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An attached interface as an agent reads it in the status (4.7, Z42, Z44). Pure. */
final class AzureEntry {
  private AzureEntry() {}

  /**
   * The entry of an interface.
   *
   * @param subnet empty when it could not be read
   * @param parity whether only the fields of the reference are written
   */
  static AzureStatus.Interface of(
      Nic nic, boolean primaryServes, Optional<AzureSubnet> subnet, boolean parity) {
    boolean known = !nic.pool().equals(Nic.NO_POOL);
    String pool = known ? nic.pool().text() : "";
    Optional<Cidr> cidr = subnet.flatMap(each -> cidr(each, nic));
    List<AzureStatus.Address> addresses =
        usable(nic, primaryServes)
            .sorted()
            .map(ip -> new AzureStatus.Address(ip, pool, AzureStatus.SUCCEEDED))
            .toList();
    return new AzureStatus.Interface(
        nic.id().text(),
        nic.name(),
        nic.mac(),
        parity ? "" : nic.state(),
        parity ? Optional.empty() : nic.primary(),
        addresses,
        nic.securityGroup(),
        cidr.map(each -> each.address(1)),
        cidr,
        parity ? "" : pool);
  }

  /** None while agents could not route to them (Z41). */
  private static Stream<IpAddress> usable(Nic nic, boolean primaryServes) {
    return nic.isReady() ? InterfaceSection.addresses(nic, primaryServes).stream() : Stream.empty();
  }

  /** The block of the subnet that the interface's addresses are in. */
  private static Optional<Cidr> cidr(AzureSubnet subnet, Nic nic) {
    Optional<IpAddress> inside = nic.primary().or(() -> nic.singles().first());
    return subnet.ipv4().stream()
        .filter(block -> inside.map(block::contains).orElse(true))
        .findFirst()
        .or(() -> subnet.ipv4().stream().findFirst());
  }
}
