package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.provider.aws.ec2.NetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** EC2 that shows interfaces as a test edits them. */
final class EditedReads extends NamedEc2Api {
  private final Edit edit;

  /** Edits the interfaces of an answer. */
  interface Edit {
    List<NetworkInterface> shown(InterfaceQuery query, List<NetworkInterface> all);
  }

  EditedReads(Ec2Api ec2, Edit edit) {
    super(ec2);
    this.edit = edit;
  }

  @Override
  public Page<NetworkInterface> describeNetworkInterfaces(
      InterfaceQuery query, Optional<String> token) throws Ec2Failure {
    Page<NetworkInterface> page = super.describeNetworkInterfaces(query, token);
    return new Page<>(edit.shown(query, new ArrayList<>(page.items())), page.next());
  }

  /** The same interface with another status and attachment. */
  static NetworkInterface with(
      NetworkInterface each, String status, Optional<Attachment> attachment) {
    return new NetworkInterface(
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
