package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Whose an interface is, by its tags (provider-aws 6, M9)")
class OwnerTagsTest {
  private static final OwnerTags NAMED = new OwnerTags("test");
  private static final OwnerTags UNNAMED = new OwnerTags("");

  @DisplayName("Ours to collect, and created by us")
  @ParameterizedTest(name = "{0}: own {2}, created {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          unnamed: no tags make one its own to collect           | cluster=                   | false | false
          unnamed: nor those of the reference                    | managed=true named=        | false | false
          the reference's name counts on what it manages alone   | named=test                 | false | false
          managed by the reference                               | managed=true named=test    | true  | true
          not managed by the reference                           | managed=false named=test   | false | false
          ours and marked by another owner, too, is not ours     | cluster=test node=i-1      | false | false
          unnamed: what one without a name created, by the token | cluster= token=t           | false | true
          such a one, seen by one with a name                    | cluster= token=t           | false | false
          unnamed: no cluster                                    | token=t                    | false | false
          unnamed: another cluster                               | cluster=test token=t       | false | false
          """)
  void owned(String what, String tags, boolean own, boolean created) {
    Map<String, String> keys =
        Map.of(
            "cluster", OwnerTags.CLUSTER,
            "managed", OwnerTags.REFERENCE_MANAGED,
            "named", OwnerTags.REFERENCE_CLUSTER,
            "node", OwnerTags.AWS_NODE,
            "token", OwnerTags.TOKEN);
    Map<String, String> all = new HashMap<>();
    for (String each : tags.split(" ", -1)) {
      String[] pair = each.split("=", 2);
      all.put(Objects.requireNonNull(keys.get(pair[0])), pair[1]);
    }
    OwnerTags owner = what.startsWith("unnamed") ? UNNAMED : NAMED;
    assertThat(owner.own(all)).isEqualTo(own);
    assertThat(owner.created(all)).isEqualTo(created);
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
