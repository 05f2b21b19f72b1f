package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whose an interface is, by its tags (provider-aws 6, M9)")
class OwnerTagsTest {
  private static final OwnerTags NAMED = new OwnerTags("test");
  private static final OwnerTags UNNAMED = new OwnerTags("");

  @Test
  @DisplayName("Without a name of the cluster no tags make one its own to collect")
  void unnamed() {
    assertThat(UNNAMED.own(Map.of(OwnerTags.CLUSTER, ""))).isFalse();
    assertThat(
            UNNAMED.own(
                Map.of(OwnerTags.REFERENCE_MANAGED, "true", OwnerTags.REFERENCE_CLUSTER, "")))
        .isFalse();
  }

  @Test
  @DisplayName("The reference's name of the cluster counts on what the reference manages alone")
  void managedByReference() {
    Map<String, String> named = Map.of(OwnerTags.REFERENCE_CLUSTER, "test");
    assertThat(NAMED.own(named)).isFalse();
    assertThat(
            NAMED.own(
                Map.of(OwnerTags.REFERENCE_MANAGED, "true", OwnerTags.REFERENCE_CLUSTER, "test")))
        .isTrue();
    assertThat(
            NAMED.own(
                Map.of(OwnerTags.REFERENCE_MANAGED, "false", OwnerTags.REFERENCE_CLUSTER, "test")))
        .isFalse();
  }

  @Test
  @DisplayName("What is ours and marked by another owner, too, is not ours")
  void alsoOfOthers() {
    assertThat(NAMED.own(Map.of(OwnerTags.CLUSTER, "test", OwnerTags.AWS_NODE, "i-1"))).isFalse();
    assertThat(NAMED.created(Map.of(OwnerTags.CLUSTER, "test", OwnerTags.AWS_NODE, "i-1")))
        .isFalse();
  }

  @Test
  @DisplayName("An operator without a name knows what one without a name created, by the token")
  void createdUnnamed() {
    Map<String, String> made = Map.of(OwnerTags.CLUSTER, "", OwnerTags.TOKEN, "t");
    assertThat(UNNAMED.created(made)).isTrue();
    assertThat(NAMED.created(made)).as("it has a name").isFalse();
    assertThat(UNNAMED.created(Map.of(OwnerTags.CLUSTER, ""))).as("no token").isFalse();
    assertThat(UNNAMED.created(Map.of(OwnerTags.TOKEN, "t"))).as("no cluster").isFalse();
    assertThat(UNNAMED.created(Map.of(OwnerTags.CLUSTER, "test", OwnerTags.TOKEN, "t")))
        .as("another cluster")
        .isFalse();
  }

  @Test
  @DisplayName("For a program of one instance device 0 of another card is not the instance's own")
  void otherCard() {
    AwsEni tagged = Samples.tagged(Samples.eni(0, 0, 0), Map.of(InstanceTags.NO_MANAGE, "true"));
    assertThat(InstanceTags.managed(tagged)).isTrue();
    assertThat(InstanceTags.managed(Samples.of(tagged, AwsEni.Kind.ORDINARY, 1))).isFalse();
    assertThat(InstanceTags.managed(Samples.eni(1, 0, 0))).isTrue();
  }
}
