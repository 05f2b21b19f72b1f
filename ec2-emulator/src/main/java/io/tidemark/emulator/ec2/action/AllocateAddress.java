package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ElasticAddress;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.Optional;

/** Gives the account a public address, from a range that nobody routes. */
final class AllocateAddress implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("Domain"),
          Field.unsupported("Address"),
          Field.unsupported("PublicIpv4Pool"),
          Field.unsupported("NetworkBorderGroup"),
          Field.unsupported("CustomerOwnedIpv4Pool"),
          Field.unsupported("IpamPoolId"),
          Fields.TAG_SPECIFICATIONS,
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Region region = call.region();
    String domain = call.parameters().text("Domain").orElse("vpc");
    if (!domain.equals("vpc")) {
      throw Values.invalid(domain, "domain", "It must be vpc.");
    }
    if (region.elasticAddresses().countOf(call.account()) >= region.quotas().elasticAddresses()) {
      throw Refusal.of("AddressLimitExceeded", "The maximum number of addresses has been reached.");
    }
    ElasticAddress made =
        new ElasticAddress(
            region.newId(ResourceType.ELASTIC_IP),
            call.account(),
            region.newPublicAddress(),
            Optional.empty(),
            TagRules.ofNew(call, ResourceType.ELASTIC_IP));
    region.elasticAddresses().put(made);
    return Answer.builder()
        .text("publicIp", made.publicIp().toString())
        .text("allocationId", made.id())
        .text("domain", "vpc")
        .text("publicIpv4Pool", "amazon")
        .text("networkBorderGroup", region.name())
        .build();
  }
}
