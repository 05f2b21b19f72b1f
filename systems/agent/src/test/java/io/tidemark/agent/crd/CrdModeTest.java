package io.tidemark.agent.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.NodeResource;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Who fills the pool of a node's object")
class CrdModeTest {
  /** The mode, this instance, that of the object, whether the object is of it; a dash for none. */
  @ParameterizedTest(name = "A84 {4}")
  @CsvSource(
      delimiter = '|',
      value = {
        "ENI | i-1 | i-1 | true | the same instance",
        "ENI | i-1 | i-2 | false | another one",
        "ENI | i-1 | I-1 | false | ids of EC2 have one case",
        "ENI | i-1 | - | false | an object without an id is of no instance",
        "ENI | - | i-2 | true | an id that is not known is not checked",
        "AZURE | /subscriptions/S/vm | azure:///subscriptions/s/VM | true | scheme and case differ",
        "AZURE | /subscriptions/s/vm | /subscriptions/s/vm2 | false | another machine",
      })
  void isOf(CrdMode mode, String here, String there, boolean expected, String why) {
    NodeResource object = NodeResource.named("n1");
    if (!there.equals("-")) {
      object = object.withInstanceId(there);
    }
    Optional<String> instance = Optional.of(here).filter(id -> !id.equals("-"));

    assertThat(mode.isOf(instance, object)).as(why).isEqualTo(expected);
  }
}
