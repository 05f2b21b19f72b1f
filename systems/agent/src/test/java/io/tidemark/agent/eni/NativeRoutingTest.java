package io.tidemark.agent.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AgentError;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.EniStatus;
import java.util.List;
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
        "             | 10.0.0.0/16   | the VPC's own when nothing is configured",
        "10.0.0.0/8   | 10.0.0.0/8    | one around the VPC",
        "10.0.64.0/18 | 10.0.64.0/18  | a part of the VPC",
        "10.1.64.0/18 | 10.1.64.0/18  | a part of another block of the VPC",
      })
  @DisplayName("A75 It is")
  void block(Cidr configured, Cidr expected, String title) {
    assertThat(NativeRouting.of(STATUS, Optional.ofNullable(configured)))
        .as(title)
        .isEqualTo(new NativeRouting.Block(expected));
  }

  @Test
  @DisplayName("A75 One that has nothing to do with the VPC is refused, with both")
  void disjoint() {
    Cidr other = Cidr.parse("172.16.0.0/12");
    NativeRouting.Contradiction contradiction =
        new NativeRouting.Contradiction(
            other, List.of(Cidr.parse("10.0.0.0/16"), Cidr.parse("10.1.0.0/16")));
    assertThat(NativeRouting.of(STATUS, Optional.of(other))).isEqualTo(contradiction);
    assertThat(contradiction.code()).isEqualTo(AgentError.ROUTING_CIDR_CONTRADICTS);
    assertThat(contradiction.detail())
        .isEqualTo(
            "ipv4-native-routing-cidr is 172.16.0.0/12; expected a block with or in one of"
                + " [10.0.0.0/16, 10.1.0.0/16]");
  }

  @Test
  @DisplayName("A75 Without an interface that names its VPC it is not known")
  void unknown() {
    assertThat(NativeRouting.of(TestEni.status(), Optional.empty()))
        .isEqualTo(new NativeRouting.Unknown());
  }
}
