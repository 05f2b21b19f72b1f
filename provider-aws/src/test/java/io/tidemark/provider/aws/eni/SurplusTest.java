package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.Samples.eni;
import static io.tidemark.provider.aws.eni.Samples.slots;
import static io.tidemark.provider.aws.eni.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.ReleaseAction;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What to give back")
class SurplusTest {
  private static ReleaseAction byExcess(int excess, AddressSet used, AwsEni... enis) {
    return EniNode.RELEASES.byExcess(
        new InstanceView<>(1, List.of(enis), false),
        slots("m5.large", spec(0, false, Map.of()), true)::gives,
        excess,
        used);
  }

  @DisplayName("AWS-87 3.4 whole prefixes while the surplus covers them, then singles")
  @ParameterizedTest(name = "{0} too many, {1} prefixes and {2} singles unused: {3} and {4}")
  @CsvSource({"15, 1, 0, 0, 0", "16, 1, 0, 1, 0", "20, 1, 3, 1, 3", "40, 3, 0, 2, 0"})
  void table(int excess, int prefixes, int singles, int blocks, int released) {
    ReleaseAction action = byExcess(excess, AddressSet.of(), eni(0, singles, prefixes));
    assertThat(action.blocks()).hasSize(blocks);
    assertThat(action.addresses().size()).isEqualTo(released);
  }

  @Test
  @DisplayName("AWS-88 an interface with nothing to give hides no other")
  void hidesNothing() {
    AwsEni first = eni(0, 1, 1);
    AddressSet used = first.singles().plus(first.prefixes().get(0).first());
    ReleaseAction action = byExcess(5, used, first, eni(1, 4, 0));
    assertThat(action.onInterface()).contains(new InterfaceId("eni-1"));
    assertThat(action.addresses().size()).isEqualTo(4);
  }

  @Test
  @DisplayName("of equal interfaces the one with the highest index is emptied")
  void highestIndex() {
    assertThat(byExcess(2, AddressSet.of(), eni(0, 4, 0), eni(1, 4, 0)).onInterface())
        .contains(new InterfaceId("eni-1"));
  }

  private static List<ReleaseAction> byCidr(int firstIndex, Set<Cidr> cidrs, AwsEni... enis) {
    return EniNode.RELEASES.byCidr(
        new InstanceView<>(1, List.of(enis), false),
        slots("m5.large", spec(firstIndex, false, Map.of()), true)::usable,
        cidrs);
  }

  @Test
  @DisplayName(
      "AWS-27 CIDRs are mapped to their interfaces; unknown, excluded and primary ones to none")
  void byCidr() {
    Cidr single = Cidr.parse("10.0.0.10/32");
    Cidr block = Cidr.parse("10.1.1.0/28");
    assertThat(byCidr(0, Set.of(single), eni(0, 2, 0), eni(1, 0, 1)))
        .singleElement()
        .satisfies(
            action -> {
              assertThat(action.onInterface()).contains(new InterfaceId("eni-0"));
              assertThat(action.pool()).contains(eni(0, 0, 0).pool());
            });
    assertThat(byCidr(0, Set.of(single, block), eni(0, 2, 0), eni(1, 0, 1))).hasSize(2);
    assertThat(byCidr(0, Set.of(single, Cidr.parse("10.0.0.11/32")), eni(0, 2, 0))).hasSize(1);
    assertThat(byCidr(1, Set.of(single), eni(0, 2, 0))).isEmpty();
    assertThat(byCidr(0, Set.of(Cidr.parse("10.9.9.9/32")), eni(0, 2, 0))).isEmpty();
    assertThat(byCidr(0, Set.of(), eni(0, 2, 0))).isEmpty();
    assertThat(byCidr(0, Set.of(Cidr.parse("10.0.0.4/32"), single), eni(0, 2, 0)))
        .singleElement()
        .satisfies(
            action -> assertThat(action.addresses()).isEqualTo(AddressSet.of(single.first())));
  }
}
