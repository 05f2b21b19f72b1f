package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.SecurityGroup;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.Tags;
import java.util.List;

/** Which security groups a new interface gets (provider-aws 2.4a). Pure; ids ascending. */
final class SecurityGroupSelector {
  private SecurityGroupSelector() {}

  /**
   * Those the node names, else those its tags select, else those of its own interface; empty when
   * none of them is known.
   *
   * @param vpcId the node's
   */
  static List<String> of(
      EniSpec spec, List<AwsEni> interfaces, String vpcId, List<SecurityGroup> known) {
    if (!spec.securityGroups().isEmpty()) {
      return spec.securityGroups().stream().sorted().distinct().toList();
    }
    if (!spec.securityGroupTags().isEmpty()) {
      List<String> tagged = tagged(spec, vpcId, known);
      if (!tagged.isEmpty()) {
        return tagged;
      }
    }
    return AwsEni.primaryOf(interfaces)
        .map(eni -> eni.securityGroups().stream().sorted().distinct().toList())
        .orElse(List.of());
  }

  /**
   * The same for interfaces that have groups already: empty, so that they keep them, where the
   * node's tags select none at the moment.
   */
  static List<String> forExisting(
      EniSpec spec, List<AwsEni> interfaces, String vpcId, List<SecurityGroup> known) {
    return spec.securityGroups().isEmpty() && !spec.securityGroupTags().isEmpty()
        ? tagged(spec, vpcId, known)
        : of(spec, interfaces, vpcId, known);
  }

  private static List<String> tagged(EniSpec spec, String vpcId, List<SecurityGroup> known) {
    return known.stream()
        .filter(group -> group.vpcId().equals(vpcId))
        .filter(group -> new Tags(group.tags()).matches(spec.securityGroupTags()))
        .map(SecurityGroup::id)
        .sorted()
        .distinct()
        .toList();
  }
}
