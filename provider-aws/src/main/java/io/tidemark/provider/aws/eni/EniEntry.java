package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.Vpc;
import io.tidemark.provider.kit.InterfaceSection;
import io.tidemark.resource.EniStatus;
import java.util.List;
import java.util.Optional;

/** An attached interface as an agent in ENI mode reads it in the status. Pure. */
final class EniEntry {
  private EniEntry() {}

  static EniStatus.Eni of(AwsEni eni, boolean primaryServes, Networks networks) {
    Optional<AwsSubnet> subnet = networks.subnet(eni.pool());
    Optional<Vpc> vpc = subnet.flatMap(found -> networks.vpc(found.vpcId()));
    return new EniStatus.Eni(
        eni.id().text(),
        eni.primary(),
        eni.mac(),
        subnet.map(AwsSubnet::availabilityZone).orElse(""),
        eni.description(),
        eni.index(),
        new EniStatus.SubnetRef(eni.pool().text(), subnet.map(AwsSubnet::cidr)),
        new EniStatus.VpcRef(
            subnet.map(AwsSubnet::vpcId).orElse(""),
            vpc.flatMap(Vpc::primaryCidr),
            vpc.map(Vpc::cidrs).orElse(List.of())),
        InterfaceSection.addresses(eni, primaryServes),
        eni.prefixes(),
        eni.ipv6Prefixes(),
        eni.publicAddress(),
        eni.securityGroups(),
        eni.tags());
  }
}
