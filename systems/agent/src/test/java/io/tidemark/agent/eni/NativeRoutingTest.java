package io.tidemark.agent.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.EniStatus;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The block that pods reach without translation")
class NativeRoutingTest {
  private static final EniStatus STATUS =
      TestEni.status(
          TestEni.of("eni-1").vpc(""), TestEni.of("eni-2").vpc("10.0.0.0/16", "10.1.0.0/16"));

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.0/8    | true  | one around the VPC",
        "10.0.64.0/18  | true  | a part of the VPC",
        "10.1.64.0/18  | true  | a part of another block of the VPC",
        "172.16.0.0/12 | false | one that has nothing to do with the VPC",
      })
  @DisplayName("A75 A block that does not overlap the VPC is refused, with both")
  void block(Cidr configured, boolean fits, String title) {
    assertThat(NativeRouting.contradiction(STATUS, configured))
        .as(title)
        .isEqualTo(
            fits
                ? Optional.empty()
                : Optional.of(
                    "ipv4-native-routing-cidr is 172.16.0.0/12; expected a block with or in one of"
                        + " [10.0.0.0/16, 10.1.0.0/16]"));
  }

  @Test
  @DisplayName("A75 Without an interface that names its VPC nothing is refused")
  void unknown() {
    assertThat(NativeRouting.contradiction(TestEni.status(), Cidr.parse("172.16.0.0/12")))
        .isEmpty();
  }
}
