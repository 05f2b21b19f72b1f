package io.tidemark.provider.mock;

import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.mock.cloud.SecurityGroup;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.Tags;
import java.util.List;

/** Which security groups a new interface gets. Pure. */
final class SecurityGroupChoice {
  private SecurityGroupChoice() {}

  /** Those the node names, else those its tags select, else those of the primary interface. */
  static List<String> of(
      EniSpec spec, InstanceView<MockInterface> view, List<SecurityGroup> known) {
    if (!spec.securityGroups().isEmpty()) {
      return spec.securityGroups().stream().sorted().distinct().toList();
    }
    if (!spec.securityGroupTags().isEmpty()) {
      List<String> tagged =
          known.stream()
              .filter(group -> new Tags(group.tags()).matches(spec.securityGroupTags()))
              .filter(group -> spec.vpcId().isEmpty() || group.vpcId().equals(spec.vpcId()))
              .map(SecurityGroup::id)
              .sorted()
              .toList();
      if (!tagged.isEmpty()) {
        return tagged;
      }
    }
    return MockInterface.at(0, view.interfaces())
        .map(MockInterface::securityGroups)
        .orElse(List.of());
  }
}
