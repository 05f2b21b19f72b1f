package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.SecurityGroup;
import io.tidemark.resource.EniSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Which security groups a new interface gets")
class SecurityGroupSelectorTest {
  private static final List<SecurityGroup> KNOWN =
      List.of(
          new SecurityGroup("sg-4", "vpc-1", Map.of("k3", "v3")),
          new SecurityGroup("sg-3", "vpc-1", Map.of("k3", "v3")),
          new SecurityGroup("sg-1", "vpc-1", Map.of("k1", "v1")),
          new SecurityGroup("sg-9", "vpc-2", Map.of("k1", "v1")));

  private static List<String> select(List<String> ids, Map<String, String> tags, AwsEni... enis) {
    EniSpec spec = Samples.spec(Map.of("securityGroups", ids, "securityGroupTags", tags));
    return SecurityGroupSelector.of(spec, List.of(enis), "vpc-1", KNOWN);
  }

  @Test
  @DisplayName("2.4a named ones win, sorted and without doubles")
  void named() {
    assertThat(select(List.of("sg-8", "sg-2", "sg-8"), Map.of("k1", "v1"), Samples.eni(0, 0, 0)))
        .containsExactly("sg-2", "sg-8");
  }

  @Test
  @DisplayName("AWS-5 AWS-50 AWS-91 else those that the tags select in the node's VPC")
  void tagged() {
    assertThat(select(List.of(), Map.of("k1", "v1"))).containsExactly("sg-1");
    assertThat(select(List.of(), Map.of("k3", "v3"))).containsExactly("sg-3", "sg-4");
  }

  @Test
  @DisplayName("2.4a else those of the interface at index 0 of card 0; none is told apart")
  void primary() {
    assertThat(select(List.of(), Map.of(), Samples.eni(0, 0, 0))).containsExactly("sg-1");
    assertThat(select(List.of(), Map.of("k1", "other"), Samples.eni(0, 0, 0)))
        .containsExactly("sg-1");
    assertThat(select(List.of(), Map.of(), Samples.eni(1, 0, 0))).isEmpty();
    assertThat(
            select(List.of(), Map.of(), Samples.of(Samples.eni(0, 0, 0), AwsEni.Kind.ORDINARY, 1)))
        .isEmpty();
  }
}
