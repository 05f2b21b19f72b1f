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

@DisplayName("What to give back")
class SurplusTest {
  private static ReleaseAction byExcess(int excess, AddressSet used, AwsEni... enis) {
    return EniNode.RELEASES.byExcess(
        new InstanceView<>(1, List.of(enis), false),
        slots("m5.large", spec(0, false, Map.of()), true)::gives,
        excess,
        used);
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
  @DisplayName("AWS-27 CIDRs are mapped to their interfaces; excluded and primary ones to none")
  void byCidr() {
    Cidr single = Cidr.parse("10.0.0.10/32");
    assertThat(byCidr(0, Set.of(single), eni(0, 2, 0), eni(1, 0, 1)))
        .singleElement()
        .satisfies(
            action -> {
              assertThat(action.onInterface()).contains(new InterfaceId("eni-0"));
              assertThat(action.pool()).contains(eni(0, 0, 0).pool());
            });
    assertThat(byCidr(1, Set.of(single), eni(0, 2, 0))).isEmpty();
    assertThat(byCidr(0, Set.of(Cidr.parse("10.0.0.4/32"), single), eni(0, 2, 0)))
        .singleElement()
        .satisfies(
            action -> assertThat(action.addresses()).isEqualTo(AddressSet.of(single.first())));
  }
}
