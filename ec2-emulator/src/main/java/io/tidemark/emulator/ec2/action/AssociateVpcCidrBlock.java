package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Locale;

/** Gives a VPC one IPv4 or IPv6 block more ("VPC CIDR blocks", Amazon VPC User Guide). */
final class AssociateVpcCidrBlock implements Action {
  private static final int WIDEST = 16;
  private static final int NARROWEST = 28;

  /** Private ranges that a VPC can have more of only when its primary block lies in them. */
  private static final List<Cidr> RESTRICTED =
      List.of(
          Cidr.parse("10.0.0.0/8"),
          Cidr.parse("172.16.0.0/12"),
          Cidr.parse("192.168.0.0/16"),
          Cidr.parse("198.19.0.0/16"));

  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("VpcId").mandatory(),
          Field.text("CidrBlock"),
          Field.flag("AmazonProvidedIpv6CidrBlock"),
          Field.unsupported("Ipv6CidrBlockNetworkBorderGroup"),
          Field.unsupported("Ipv6Pool"),
          Field.unsupported("Ipv6CidrBlock"),
          Field.unsupported("Ipv4IpamPoolId"),
          Field.unsupported("Ipv4NetmaskLength"),
          Field.unsupported("Ipv6IpamPoolId"),
          Field.unsupported("Ipv6NetmaskLength"));

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    Vpc vpc = call.needOwn(region.vpcs(), parameters.need("VpcId"));
    boolean ipv6 = parameters.isSet("AmazonProvidedIpv6CidrBlock");
    if (ipv6 == parameters.has("CidrBlock")) {
      throw ipv6
          ? Refusal.of(
              "InvalidParameterCombination",
              "The parameter cidrBlock cannot be used with the parameter"
                  + " amazonProvidedIpv6CidrBlock")
          : ParameterShape.missing("cidrBlock");
    }
    requireRoom(region, vpc, ipv6 ? IpFamily.IPV6 : IpFamily.IPV4);
    Vpc changed =
        ipv6
            ? region.networks().addIpv6Block(vpc)
            : region.networks().addBlock(vpc, block(vpc, parameters.need("CidrBlock")));
    Vpc.BlockAssociation made = changed.blocks().get(changed.blocks().size() - 1);
    return VpcAnswer.change(changed.id(), made, "associating");
  }

  private static void requireRoom(Region region, Vpc vpc, IpFamily family) {
    long blocks = vpc.blocks().stream().filter(b -> b.block().family() == family).count();
    int most = region.quotas().blocksPerVpc();
    if (blocks >= most) {
      throw Refusal.of(
          "CidrLimitExceeded",
          String.format(
              Locale.ROOT,
              "This network '%s' has met its maximum number of allowed CIDRs: %d",
              vpc.id(),
              most));
    }
  }

  private static Cidr block(Vpc vpc, String text) {
    Cidr block = Values.block(text, "cidrBlock");
    if (block.prefixLength() < WIDEST || block.prefixLength() > NARROWEST) {
      throw Refusal.of("InvalidVpc.Range", "The CIDR '" + block + "' is invalid.");
    }
    if (vpc.blocks().stream().anyMatch(other -> other.block().overlaps(block))) {
      throw Refusal.of(
          "InvalidVpc.Range",
          "The CIDR '" + block + "' overlaps with one that the VPC '" + vpc.id() + "' has.");
    }
    if (RESTRICTED.stream()
        .anyMatch(range -> range.overlaps(block) && !range.contains(vpc.primaryBlock()))) {
      throw Refusal.of(
          "InvalidVpc.Range",
          "The CIDR '"
              + block
              + "' is restricted. Use a CIDR from the same private address range as the current"
              + " VPC CIDR, or use a publicly-routable CIDR.");
    }
    return block;
  }
}
