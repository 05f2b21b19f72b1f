package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.InstanceLimits;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.testing.EniSpecSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The slot model")
class MockSlotsTest {
  static final EniSpec INDEX_0 = spec(OptionalInt.of(0), false, Map.of());

  static EniSpec spec(OptionalInt firstIndex, boolean primary, Map<String, String> excluded) {
    EniSpecSample sample =
        new EniSpecSample(EniSpec.EMPTY).firstIndex(firstIndex).excludeTags(excluded);
    return primary ? sample.usePrimary(true).build() : sample.build();
  }

  static MockSlots model(String type, EniSpec spec, boolean blocks, boolean reference) {
    NodeSettings settings = new NodeSettings("node", blocks, true, reference);
    return new MockSlots(InstanceLimits.of(type), spec, settings);
  }

  /** An interface with so many singles and blocks. */
  static MockInterface eni(int index, int singles, int blocks) {
    AddressSet.Builder addresses = AddressSet.builder();
    IntStream.range(0, singles)
        .forEach(i -> addresses.add(IpAddress.parse("10.0." + index + "." + (10 + i))));
    List<Cidr> prefixes = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      prefixes.add(Cidr.parse("10.0." + (100 + index) + "." + 16 * i + "/28"));
    }
    return new MockInterface(
        new InterfaceId("eni-" + index),
        "i-1",
        index,
        new PoolId("subnet-a"),
        new MockInterface.Fixed(
            "",
            "",
            Optional.of(IpAddress.parse("10.0." + index + ".4")),
            List.of(),
            index == 0 ? Map.of("no", "pods") : Map.of()),
        addresses.build(),
        prefixes,
        List.of(),
        Optional.empty());
  }

  @Test
  @DisplayName("An excluded interface takes its share of the capacity away")
  void excluded() {
    EniSpec byIndex = spec(OptionalInt.of(1), false, Map.of());
    EniSpec byTag = spec(OptionalInt.of(0), false, Map.of("no", "pods"));
    List<MockInterface> primaryOnly = List.of(eni(0, 0, 0));

    assertThat(model("m5.large", byIndex, false, false).capacity(primaryOnly, eni -> false))
        .isEqualTo(18);
    assertThat(model("m5.large", byTag, false, false).capacity(primaryOnly, eni -> false))
        .isEqualTo(18);
    assertThat(model("m5.large", byTag, false, false).usable(eni(0, 0, 0))).isFalse();
    assertThat(model("m5.large", byTag, false, false).usable(eni(1, 0, 0))).isTrue();
  }

  @Test
  @DisplayName("A type without blocks gives none, whatever the node asks for")
  void blocks() {
    assertThat(model("m5.large", INDEX_0, true, false).delegated(List.of())).isTrue();
    assertThat(model("m4.large", INDEX_0, true, false).delegated(List.of())).isFalse();
    assertThat(model("m5.large", INDEX_0, false, false).delegated(List.of())).isFalse();
  }

  @Test
  @DisplayName("The next interface takes the lowest free index that pods may use, never 0")
  void indexes() {
    MockSlots fromZero = model("m5.large", INDEX_0, false, false);
    MockSlots fromTwo = model("m5.large", spec(OptionalInt.of(2), false, Map.of()), false, false);

    assertThat(fromZero.firstFreeIndex(List.of())).isEqualTo(1);
    assertThat(fromZero.firstFreeIndex(List.of(eni(0, 0, 0), eni(2, 0, 0)))).isEqualTo(1);
    assertThat(fromTwo.firstFreeIndex(List.of(eni(0, 0, 0)))).isEqualTo(2);
    assertThat(fromTwo.emptySlots(List.of(eni(0, 0, 0)))).isEqualTo(1);
    assertThat(fromZero.emptySlots(List.of(eni(0, 0, 0)))).isEqualTo(2);
    assertThat(fromZero.emptySlots(List.of(eni(0, 0, 0), eni(1, 0, 0), eni(2, 0, 0)))).isZero();
    assertThat(fromZero.emptySlots(List.of(eni(0, 0, 0), eni(1, 0, 0), eni(2, 0, 0), eni(3, 0, 0))))
        .isEqualTo(-1);
  }
}
