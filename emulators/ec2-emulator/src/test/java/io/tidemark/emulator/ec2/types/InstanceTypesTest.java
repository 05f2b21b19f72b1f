package io.tidemark.emulator.ec2.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The instance types that are shipped")
class InstanceTypesTest {
  private final Ec2InstanceTypes types = Ec2InstanceTypes.bundled();

  @ParameterizedTest(name = "{0}")
  @DisplayName("have the published network limits")
  @CsvFileSource(resources = "/io/tidemark/emulator/ec2/published-limits.csv", delimiter = '|')
  void publishedLimits(
      String name, int sum, int cards, int card0, int ipv4, int ipv6, String hyper, String metal) {
    Ec2InstanceType type = types.find(name).orElseThrow();
    assertThat(type.maximumInterfaces()).as("interfaces").isEqualTo(sum);
    assertThat(type.cards()).as("cards").hasSize(cards);
    assertThat(type.cards().get(0).maximumInterfaces()).as("on card 0").isEqualTo(card0);
    assertThat(type.ipv4PerInterface()).as("IPv4 addresses").isEqualTo(ipv4);
    assertThat(type.ipv6PerInterface()).as("IPv6 addresses").isEqualTo(ipv6);
    assertThat(type.hypervisor()).as("hypervisor").isEqualTo(hyper.replace("-", ""));
    assertThat(type.bareMetal()).as("bare metal").isEqualTo(metal.equals("yes"));
  }

  @Test
  @DisplayName("number 1,407, sorted by name")
  void all() {
    assertThat(types.all()).hasSize(1407);
    assertThat(types.all()).extracting(Ec2InstanceType::name).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("start on card 0, with 2 to 64 addresses per interface")
  void plausible() {
    assertThat(types.all())
        .allSatisfy(
            type -> {
              assertThat(type.defaultCard()).isZero();
              assertThat(type.ipv4PerInterface()).isBetween(2, 64);
            });
  }

  @Test
  @DisplayName("tell what DescribeInstanceTypes answers besides")
  void otherFacts() {
    Ec2InstanceType p5 = types.find("p5.48xlarge").orElseThrow();
    assertThat(p5.hardware())
        .isEqualTo(
            new Hardware(
                true, 192, 96, 2, 2097152, List.of("x86_64"), "3200 Gigabit", "required", 32));
    assertThat(p5.cards()).hasSize(32).containsOnly(new Ec2InstanceType.Card(2, "100 Gigabit"));
    assertThat(types.find("m1.small").orElseThrow().hardware().architectures())
        .containsExactly("i386", "x86_64");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @DisplayName("are of the Nitro system when they say so or are bare metal")
  @CsvSource({"m5.large, true", "m5.metal, true", "m4.large, false", "t2.micro, false"})
  void nitro(String name, boolean nitro) {
    assertThat(types.find(name).orElseThrow().isNitroBased()).isEqualTo(nitro);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @DisplayName("do not include what EC2 does not know")
  @CsvSource({"m5.tiny", "M5.large", "m5", "''"})
  void unknown(String name) {
    assertThat(types.find(name)).isEqualTo(Optional.empty());
  }

  @Test
  @DisplayName("do not change under their readers")
  void immutable() {
    Ec2InstanceType any = types.find("m5.large").orElseThrow();
    assertThatThrownBy(() -> types.all().clear()).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> any.cards().clear()).isInstanceOf(UnsupportedOperationException.class);
  }
}
