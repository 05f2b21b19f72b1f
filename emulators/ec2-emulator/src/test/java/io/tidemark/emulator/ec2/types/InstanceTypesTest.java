package io.tidemark.emulator.ec2.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The instance types that are shipped")
class InstanceTypesTest {
  private final Ec2InstanceTypes types = Ec2InstanceTypes.bundled();

  @ParameterizedTest(name = "{0}")
  @DisplayName("have the published network limits")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      # type               | sum | cards | card 0 | IPv4 | IPv6 | hypervisor | metal
      t2.nano              | 2  | 1  | 2  | 2  | 2  | xen   | no
      t2.micro             | 2  | 1  | 2  | 2  | 2  | xen   | no
      t2.small             | 3  | 1  | 3  | 4  | 4  | xen   | no
      t2.medium            | 3  | 1  | 3  | 6  | 6  | xen   | no
      t2.large             | 3  | 1  | 3  | 12 | 12 | xen   | no
      t2.xlarge            | 3  | 1  | 3  | 15 | 15 | xen   | no
      t3.nano              | 2  | 1  | 2  | 2  | 2  | nitro | no
      t3.micro             | 2  | 1  | 2  | 2  | 2  | nitro | no
      t3.small             | 3  | 1  | 3  | 4  | 4  | nitro | no
      t3.medium            | 3  | 1  | 3  | 6  | 6  | nitro | no
      t3.large             | 3  | 1  | 3  | 12 | 12 | nitro | no
      t3.xlarge            | 4  | 1  | 4  | 15 | 15 | nitro | no
      t3.2xlarge           | 4  | 1  | 4  | 15 | 15 | nitro | no
      t3a.nano             | 2  | 1  | 2  | 2  | 2  | nitro | no
      t3a.small            | 2  | 1  | 2  | 4  | 4  | nitro | no
      t4g.nano             | 2  | 1  | 2  | 2  | 2  | nitro | no
      t4g.medium           | 3  | 1  | 3  | 6  | 6  | nitro | no
      t4g.2xlarge          | 4  | 1  | 4  | 15 | 15 | nitro | no
      a1.medium            | 2  | 1  | 2  | 4  | 4  | nitro | no
      m1.small             | 2  | 1  | 2  | 4  | 0  | xen   | no
      m3.large             | 3  | 1  | 3  | 10 | 0  | xen   | no
      m4.large             | 2  | 1  | 2  | 10 | 10 | xen   | no
      m4.xlarge            | 4  | 1  | 4  | 15 | 15 | xen   | no
      m4.4xlarge           | 8  | 1  | 8  | 30 | 30 | xen   | no
      m4.16xlarge          | 8  | 1  | 8  | 30 | 30 | xen   | no
      m5.large             | 3  | 1  | 3  | 10 | 10 | nitro | no
      m5.xlarge            | 4  | 1  | 4  | 15 | 15 | nitro | no
      m5.2xlarge           | 4  | 1  | 4  | 15 | 15 | nitro | no
      m5.4xlarge           | 8  | 1  | 8  | 30 | 30 | nitro | no
      m5.8xlarge           | 8  | 1  | 8  | 30 | 30 | nitro | no
      m5.12xlarge          | 8  | 1  | 8  | 30 | 30 | nitro | no
      m5.16xlarge          | 15 | 1  | 15 | 50 | 50 | nitro | no
      m5.24xlarge          | 15 | 1  | 15 | 50 | 50 | nitro | no
      m5.metal             | 15 | 1  | 15 | 50 | 50 | -     | yes
      m5a.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      m6i.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      m6i.xlarge           | 4  | 1  | 4  | 15 | 15 | nitro | no
      m6i.4xlarge          | 8  | 1  | 8  | 30 | 30 | nitro | no
      m6i.16xlarge         | 15 | 1  | 15 | 50 | 50 | nitro | no
      m6i.metal            | 15 | 1  | 15 | 50 | 50 | -     | yes
      m6g.medium           | 2  | 1  | 2  | 4  | 4  | nitro | no
      m6g.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      m7g.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      m7i.48xlarge         | 15 | 1  | 15 | 50 | 50 | nitro | no
      m8g.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      m8i.large            | 3  | 1  | 3  | 20 | 20 | nitro | no
      m8i.xlarge           | 4  | 1  | 4  | 30 | 30 | nitro | no
      m8i.4xlarge          | 8  | 1  | 8  | 50 | 50 | nitro | no
      c4.large             | 3  | 1  | 3  | 10 | 10 | xen   | no
      c5.large             | 3  | 1  | 3  | 10 | 10 | nitro | no
      c5.xlarge            | 4  | 1  | 4  | 15 | 15 | nitro | no
      c5.4xlarge           | 8  | 1  | 8  | 30 | 30 | nitro | no
      c5.18xlarge          | 15 | 1  | 15 | 50 | 50 | nitro | no
      c5n.18xlarge         | 15 | 1  | 15 | 50 | 50 | nitro | no
      c6i.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      c6in.32xlarge        | 16 | 2  | 8  | 50 | 50 | nitro | no
      c7g.medium           | 2  | 1  | 2  | 4  | 4  | nitro | no
      c7gn.16xlarge        | 15 | 1  | 15 | 50 | 50 | nitro | no
      c8g.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      c8gn.48xlarge        | 24 | 2  | 12 | 50 | 50 | nitro | no
      c8i.8xlarge          | 10 | 1  | 10 | 50 | 50 | nitro | no
      r5.large             | 3  | 1  | 3  | 10 | 10 | nitro | no
      r5.2xlarge           | 4  | 1  | 4  | 15 | 15 | nitro | no
      r6i.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      r6in.32xlarge        | 16 | 2  | 8  | 50 | 50 | nitro | no
      r8i.large            | 3  | 1  | 3  | 20 | 20 | nitro | no
      i3.large             | 3  | 1  | 3  | 10 | 10 | xen   | no
      i3.metal             | 15 | 1  | 15 | 50 | 50 | -     | yes
      i3en.24xlarge        | 15 | 1  | 15 | 50 | 50 | nitro | no
      i4i.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      d3.xlarge            | 4  | 1  | 4  | 3  | 3  | nitro | no
      d3en.12xlarge        | 3  | 1  | 3  | 30 | 30 | nitro | no
      g4dn.xlarge          | 3  | 1  | 3  | 10 | 10 | nitro | no
      g5.xlarge            | 4  | 1  | 4  | 15 | 15 | nitro | no
      g5.48xlarge          | 7  | 1  | 7  | 50 | 50 | nitro | no
      g6.xlarge            | 4  | 1  | 4  | 15 | 15 | nitro | no
      g6e.48xlarge         | 40 | 4  | 10 | 50 | 50 | nitro | no
      inf1.xlarge          | 4  | 1  | 4  | 10 | 10 | nitro | no
      inf1.24xlarge        | 11 | 1  | 11 | 30 | 30 | nitro | no
      inf2.xlarge          | 4  | 1  | 4  | 15 | 15 | nitro | no
      p3dn.24xlarge        | 15 | 1  | 15 | 50 | 50 | nitro | no
      p4d.24xlarge         | 60 | 4  | 15 | 50 | 50 | nitro | no
      p5.48xlarge          | 64 | 32 | 2  | 50 | 50 | nitro | no
      p5en.48xlarge        | 64 | 16 | 4  | 50 | 50 | nitro | no
      p6-b200.48xlarge     | 32 | 8  | 4  | 50 | 50 | nitro | no
      trn1.32xlarge        | 40 | 8  | 5  | 50 | 50 | nitro | no
      trn2.48xlarge        | 32 | 16 | 2  | 50 | 50 | nitro | no
      hpc6a.48xlarge       | 2  | 1  | 2  | 50 | 50 | nitro | no
      hpc7a.96xlarge       | 4  | 2  | 2  | 50 | 50 | nitro | no
      u7in-16tb.224xlarge  | 16 | 2  | 8  | 50 | 50 | nitro | no
      x1.16xlarge          | 8  | 1  | 8  | 30 | 30 | xen   | no
      vt1.3xlarge          | 4  | 1  | 4  | 15 | 15 | nitro | no
      mac1.metal           | 8  | 1  | 8  | 30 | 30 | -     | yes
      z1d.large            | 3  | 1  | 3  | 10 | 10 | nitro | no
      """)
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
