package io.tidemark.provider.mock;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.InterfaceSection;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.resource.EniStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An attached interface as an agent in ENI mode reads it in the status. Pure. */
final class MockEntry {
  private MockEntry() {}

  static EniStatus.Eni of(MockInterface eni, boolean primaryServes, MockNetworks networks) {
    List<IpAddress> addresses = new ArrayList<>(InterfaceSection.addresses(eni, primaryServes));
    addresses.addAll(eni.ipv6().addresses().toList());
    Optional<Subnet> subnet = networks.subnet(eni.pool());
    Optional<Vpc> vpc = subnet.flatMap(found -> networks.vpc(found.vpcId()));
    return new EniStatus.Eni(
        eni.id().text(),
        Optional.of(eni.primary()),
        eni.mac(),
        subnet.map(Subnet::zone).orElse(""),
        eni.description(),
        eni.index(),
        new EniStatus.SubnetRef(eni.pool().text(), subnet.map(Subnet::cidr)),
        new EniStatus.VpcRef(
            subnet.map(Subnet::vpcId).orElse(""),
            vpc.map(Vpc::primaryCidr),
            vpc.map(Vpc::cidrs).orElse(List.of())),
        addresses,
        eni.prefixes(),
        eni.ipv6().prefixes(),
        eni.publicAddress(),
        eni.securityGroups(),
        eni.tags());
  }
}
