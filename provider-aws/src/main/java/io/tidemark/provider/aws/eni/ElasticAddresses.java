package io.tidemark.provider.aws.eni;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.kit.step.StaticAddressBinding;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The elastic addresses that could be bound to the primary address of an interface (provider-aws
 * 7.1); none when it has no such address.
 */
record ElasticAddresses(Ec2Calls ec2, AwsEni own, CallContext context)
    implements StaticAddressBinding.Cloud {
  @Override
  public CompletionStage<CallResult<List<StaticAddressBinding.Candidate>>> find(
      Map<String, String> tags) {
    return ec2.elasticAddresses(tags, context)
        .thenApply(
            result ->
                result.map(
                    found ->
                        found.stream()
                            .flatMap(each -> own.primary().stream().map(to -> candidate(each, to)))
                            .toList()));
  }

  private StaticAddressBinding.Candidate candidate(ElasticAddress each, IpAddress to) {
    return new StaticAddressBinding.Candidate(
        each.allocationId(),
        each.associated()
            ? StaticAddressBinding.Holder.ANOTHER
            : StaticAddressBinding.Holder.NOBODY,
        () -> ec2.associate(each, own.id(), to, context));
  }

  @Override
  public boolean isTaken(Failure refusal) {
    return Ec2Condition.ADDRESS_CONFLICT.is(refusal);
  }
}
