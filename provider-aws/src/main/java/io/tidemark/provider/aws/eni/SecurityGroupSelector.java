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
      EniSpec spec, List<Eni> interfaces, String vpcId, List<SecurityGroup> known) {
    if (!spec.securityGroups().isEmpty()) {
      return spec.securityGroups().stream().sorted().distinct().toList();
    }
    if (!spec.securityGroupTags().isEmpty()) {
      List<String> tagged =
          known.stream()
              .filter(group -> group.vpcId().equals(vpcId))
              .filter(group -> new Tags(group.tags()).matches(spec.securityGroupTags()))
              .map(SecurityGroup::id)
              .sorted()
              .distinct()
              .toList();
      if (!tagged.isEmpty()) {
        return tagged;
      }
    }
    return Eni.primaryOf(interfaces)
        .map(eni -> eni.securityGroups().stream().sorted().distinct().toList())
        .orElse(List.of());
  }
}
