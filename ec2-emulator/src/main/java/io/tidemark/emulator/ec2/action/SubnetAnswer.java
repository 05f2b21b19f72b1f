package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import java.util.List;

/** Writes subnets as the service model's Subnet structure. */
final class SubnetAnswer {
  private SubnetAnswer() {}

  static Answer of(Call call, Subnet subnet) {
    Answer.Builder answer =
        Answer.builder()
            .text("subnetId", subnet.id())
            .text("subnetArn", Values.arn(call, subnet))
            .text("state", "available")
            .text("ownerId", subnet.ownerId())
            .text("vpcId", subnet.vpcId())
            .text("cidrBlock", subnet.block().toString())
            .items(
                "ipv6CidrBlockAssociationSet",
                subnet.ipv6Block().map(List::of).orElse(List.of()),
                association -> SubnetIpv6Block.association(association, "associated"))
            .number("availableIpAddressCount", subnet.availableAddresses())
            .text("availabilityZone", subnet.zone().name())
            .text("availabilityZoneId", subnet.zone().id())
            .flag("defaultForAz", isDefault(call, subnet))
            .flag("mapPublicIpOnLaunch", false)
            .flag("assignIpv6AddressOnCreation", false)
            .flag("ipv6Native", false)
            .flag("enableDns64", false);
    return TagRules.write(answer, subnet.tags()).build();
  }

  /** The subnets of a default VPC that the region made are the default of their zones. */
  static boolean isDefault(Call call, Subnet subnet) {
    return call.region().vpcs().find(subnet.vpcId()).filter(Vpc::isDefault).isPresent();
  }
}
