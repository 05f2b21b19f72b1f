package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** EC2 that shows interfaces as a test edits them. */
final class EditedReads extends NamedEc2Api {
  private final Edit edit;

  /** Edits the interfaces of an answer. */
  interface Edit {
    List<AwsNetworkInterface> shown(InterfaceQuery query, List<AwsNetworkInterface> all);
  }

  EditedReads(Ec2Api ec2, Edit edit) {
    super(ec2);
    this.edit = edit;
  }

  @Override
  public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    AwsPage<AwsNetworkInterface> page = super.describeNetworkInterfaces(query, token);
    return new AwsPage<>(edit.shown(query, new ArrayList<>(page.items())), page.next());
  }

  /** The same interface with another status and attachment. */
  static AwsNetworkInterface with(
      AwsNetworkInterface each, String status, Optional<Attachment> attachment) {
    return new AwsNetworkInterface(
        each.id(),
        each.type(),
        status,
        each.subnet(),
        each.vpcId(),
        each.availabilityZone(),
        each.mac(),
        each.description(),
        each.primary(),
        each.singles(),
        each.prefixes(),
        each.ipv6(),
        each.primaryIpv6(),
        each.ipv6Prefixes(),
        each.securityGroups(),
        each.tags(),
        attachment,
        each.publicAddress(),
        each.tracking(),
        each.unreadable());
  }
}
