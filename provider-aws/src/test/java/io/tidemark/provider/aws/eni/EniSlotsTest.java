package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.Samples.eni;
import static io.tidemark.provider.aws.eni.Samples.slots;
import static io.tidemark.provider.aws.eni.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.spi.NodeSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Places for addresses")
class EniSlotsTest {
  private static final EniSettings PARITY =
      Copies.with(SettingsSample.USUAL, Map.of("stickySingles", true, "primaryCountsBlock", true));

  /** Those of an m5.large. */
  private static EniSlots largeSlots(boolean prefixes) {
    return slots("m5.large", spec(0, false, Map.of()), prefixes);
  }

  private static boolean none(AwsEni any) {
    return false;
  }

  @DisplayName("AWS-19 AWS-78 AWS-99 the most a type can carry; prefixes count sixteen")
  @ParameterizedTest(name = "{0}, first index {1}, prefixes {2}: {3}")
  @CsvSource({
    "m5.large,        0, false,  27",
    "m5.large,        1, false,  18",
    "m5.large,        4, false,   0",
    "m5.large,        3, false,   0",
    "m5.large,        0, true,  432",
    "t3.micro,        0, false,   2",
    "p5.48xlarge,     0, false,  98",
    "hpc6id.32xlarge, 1, false,   0",
  })
  void ceiling(String type, int firstIndex, boolean prefixes, int most) {
    assertThat(slots(type, spec(firstIndex, false, Map.of()), prefixes).ceiling(List.of()))
        .isEqualTo(OptionalInt.of(most));
  }

  @Test
  @DisplayName("AWS-19 an interface that gives nothing, such as one of IPv6 alone, takes its place")
  void placeTaken() {
    EniSlots places = largeSlots(false);
    List<AwsEni> attached = List.of(eni(0, 0, 0), eni(1, 0, 0).unmanaged());
    assertThat(places.reachable(attached)).hasValue(18);
    assertThat(places.reachable(List.of(eni(0, 0, 0)))).hasValue(27);
  }

  @DisplayName("AWS-21 capacity of an m5.large; ours and the reference's where they differ (M16)")
  @ParameterizedTest(name = "{5}")
  @CsvSource({
    "false, false, 0,  27,  27, one interface",
    "true,  false, 0,  29,  30, primary addresses usable",
    "true,  true,  0, 434, 480, prefixes and primary addresses",
    "false, true,  0, 432, 432, prefixes",
    "false, false, 1,  42,  42, no prefixes any more and one left over",
  })
  void capacity(
      boolean usePrimary, boolean prefixes, int leftOver, int ours, int reference, String because) {
    List<AwsEni> one = List.of(eni(0, 0, leftOver));
    assertThat(
            slots("m5.large", spec(0, usePrimary, Map.of()), prefixes)
                .capacity(one, EniSlotsTest::none))
        .as(because)
        .isEqualTo(ours);
    assertThat(
            slots("m5.large", spec(0, usePrimary, Map.of()), prefixes, PARITY)
                .capacity(one, EniSlotsTest::none))
        .as(because)
        .isEqualTo(reference);
  }

  @DisplayName("12 a retired interface of an m5.large counts with what it holds")
  @ParameterizedTest(name = "prefixes {0}: {1} singles, {2} blocks there: {3}")
  @CsvSource({"false, 4, 0, 22", "false, 9, 0, 27", "true, 0, 2, 320", "true, 3, 2, 323"})
  void retired(boolean prefixes, int singles, int blocks, int capacity) {
    List<AwsEni> two = List.of(eni(0, 0, 0), eni(1, singles, blocks));
    EniSlots slots = slots("m5.large", spec(0, false, Map.of()), prefixes);
    assertThat(slots.capacity(two, eni -> eni.index() == 1)).isEqualTo(capacity);
  }

  @DisplayName("3.1 AWS-86 places that are free on an interface of an m5.large")
  @ParameterizedTest(name = "{0} singles, {1} prefixes: {2}")
  @CsvSource({"4, 0, 5", "0, 2, 7", "3, 2, 4", "0, 9, 0", "9, 0, 0", "9, 3, 0"})
  void freeSlots(int singles, int prefixes, int free) {
    EniSlots slots = slots("m5.large", spec(0, true, Map.of()), true);
    assertThat(slots.freeSlots(eni(0, singles, prefixes))).isEqualTo(free);
  }

  @DisplayName("AWS-25 prefixes need a nitro hypervisor or bare metal")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"m4.large, false", "m5.metal, true", "m5.large, true"})
  void delegation(String type, boolean delegated) {
    assertThat(slots(type, spec(0, false, Map.of()), true).delegated(List.of()))
        .isEqualTo(delegated);
    assertThat(slots(type, spec(0, false, Map.of()), false).delegated(List.of())).isFalse();
  }

  @Test
  @DisplayName("AWS-36 singles end prefixes in the parity profile; ours works with each interface")
  void sticky() {
    List<AwsEni> prefixesOnly = List.of(eni(0, 0, 1));
    List<AwsEni> withSingles = List.of(eni(0, 0, 1), eni(1, 2, 0));
    List<AwsEni> andAnother = List.of(eni(0, 0, 1), eni(1, 2, 0), eni(2, 0, 1));
    List<AwsEni> drained = List.of(eni(0, 0, 1), eni(1, 0, 0), eni(2, 0, 1));
    EniSlots parity = slots("m5.large", spec(0, false, Map.of()), true, PARITY);
    assertThat(parity.delegated(prefixesOnly)).isTrue();
    assertThat(parity.delegated(withSingles)).isFalse();
    assertThat(parity.delegated(andAnother)).isFalse();
    assertThat(parity.delegated(drained)).isTrue();
    EniSlots ours = largeSlots(true);
    assertThat(ours.delegated(withSingles)).isTrue();
  }

  @Test
  @DisplayName("AWS-29 a usable primary address counts for pods, the cache always holds it")
  void primary() {
    AwsEni eni = eni(1, 1, 0);
    assertThat(slots("m5.large", spec(0, true, Map.of()), false).podAddresses(eni(0, 1, 0)).size())
        .as("that of the instance's own interface is the node's")
        .isEqualTo(1);
    assertThat(largeSlots(false).podAddresses(eni).singles()).isEqualTo(eni.singles());
    assertThat(slots("m5.large", spec(0, true, Map.of()), false).podAddresses(eni).size())
        .isEqualTo(2);
    assertThat(eni.primary()).isPresent();
  }

  @Test
  @DisplayName("AWS-75 an EFA-only interface takes its place and is never for pods")
  void efaOnly() {
    AwsEni efa = Samples.of(eni(1, 0, 0), AwsEni.Kind.UNMANAGED, 0);
    EniSlots slots = largeSlots(false);
    assertThat(slots.usable(efa)).isFalse();
    assertThat(slots.emptySlots(List.of(eni(0, 0, 0), efa))).isEqualTo(1);
    assertThat(slots.firstFreeIndex(List.of(eni(0, 0, 0), efa), 0)).hasValue(2);
  }

  @Test
  @DisplayName("2.5 interfaces of other cards take no place and no index of card 0")
  void cards() {
    AwsEni other = Samples.of(eni(1, 0, 0), AwsEni.Kind.ORDINARY, 1);
    EniSlots slots = slots("p5.48xlarge", spec(0, false, Map.of()), false);
    assertThat(slots.usable(other)).isFalse();
    assertThat(slots.emptySlots(List.of(eni(0, 0, 0), other))).isEqualTo(1);
    assertThat(slots.firstFreeIndex(List.of(eni(0, 0, 0), other), 0)).hasValue(1);
  }

  @Test
  @DisplayName("5.3 a reserved place stays free until its trunk interface is there")
  void reserved() {
    EniSettings one = Copies.with(SettingsSample.USUAL, "reservedInterfaces", 1);
    EniSlots slots = slots("m5.large", spec(0, false, Map.of()), false, one);
    assertThat(slots.emptySlots(List.of(eni(0, 0, 0)))).isEqualTo(1);
    AwsEni trunk = Samples.of(eni(1, 0, 0), AwsEni.Kind.TRUNK, 0);
    assertThat(slots.usable(trunk)).isFalse();
    assertThat(slots.emptySlots(List.of(eni(0, 0, 0), trunk))).isEqualTo(1);
  }

  @Test
  @DisplayName("AWS-80 the limit that EC2 taught is believed")
  void learned() {
    EniSlots slots =
        EniSlots.of(
            Samples.type("m5.large"),
            spec(0, false, Map.of()),
            new NodeSettings("node1", false, false, false),
            Samples.SETTINGS,
            OptionalInt.of(2));
    assertThat(slots.emptySlots(List.of(eni(0, 0, 0), eni(1, 0, 0)))).isZero();
  }

  @Test
  @DisplayName("AWS-79 more interfaces than the type allows leave no place")
  void overTheLimit() {
    EniSlots slots = slots("m4.large", spec(0, false, Map.of()), false);
    assertThat(slots.emptySlots(List.of(eni(0, 0, 0), eni(1, 0, 0), eni(2, 0, 0)))).isEqualTo(-1);
  }

  @DisplayName("the ceiling with usable primary addresses; ours and the reference's")
  @ParameterizedTest(name = "first index {0}, prefixes {1}: {2}, the reference {3}")
  @CsvSource({"0, false, 30, 27", "1, false, 20, 18", "0, true, 435, 432"})
  void ceilingWithPrimary(int firstIndex, boolean prefixes, int ours, int reference) {
    assertThat(slots("m5.large", spec(firstIndex, true, Map.of()), prefixes).ceiling(List.of()))
        .hasValue(ours);
    assertThat(
            slots("m5.large", spec(firstIndex, true, Map.of()), prefixes, PARITY)
                .ceiling(List.of()))
        .hasValue(reference);
  }

  @DisplayName("3.9 the default of pre-allocate is no more than the type carries")
  @ParameterizedTest(name = "{0}, first index {1}, {2} reserved: {3}")
  @CsvSource({
    "m5.large, 0, 0, 8",
    "m5.large, 3, 0, 0",
    "t3.micro, 0, 0, 2",
    "t3.micro, 1, 0, 1",
    "t3.micro, 1, 1, 0",
    "t3.micro, 0, 1, 1",
    "t3.micro, 2, 1, 0",
  })
  void preAllocateDefault(String type, int firstIndex, int reserved, int expected) {
    EniSettings settings = Copies.with(SettingsSample.USUAL, "reservedInterfaces", reserved);
    assertThat(slots(type, spec(firstIndex, false, Map.of()), false, settings).preAllocateDefault())
        .isEqualTo(expected);
  }

  @DisplayName("the next interface goes to the first free index that may be its own")
  @ParameterizedTest(name = "first index {0}, taken {1}, from {2}: {3}, {4} empty slots")
  @CsvSource({
    "0, 0,     0, 1,  2",
    "0, 0 1,   0, 2,  1",
    "0, 0 2,   0, 1,  1",
    "0, 0 1,   2, 2,  1",
    "0, 0 2,   2, -1, 1",
    "0, 0,     3, -1, 2",
    "2, 0,     0, 2,  1",
    "3, 0,     0, -1, 0",
    "0, 0 1 2, 0, -1, 0",
  })
  void freeIndex(int firstIndex, String taken, int from, int next, int empty) {
    List<AwsEni> interfaces =
        Arrays.stream(taken.split(" ")).map(index -> eni(Integer.parseInt(index), 0, 0)).toList();
    EniSlots slots = slots("m5.large", spec(firstIndex, false, Map.of()), false);
    assertThat(slots.firstFreeIndex(interfaces, from))
        .isEqualTo(next < 0 ? OptionalInt.empty() : OptionalInt.of(next));
    assertThat(slots.emptySlots(interfaces)).isEqualTo(empty);
  }

  @Test
  @DisplayName("AWS-9 which interfaces are for pods, and which of them give addresses back")
  void usable() {
    Map<String, String> excluded = Map.of("cilium.io/no_manage", "true");
    EniSlots slots = slots("m5.large", spec(1, false, excluded), true);
    Map<String, String> tags = Map.of("foo", "bar", "cilium.io/no_manage", "true");
    assertThat(slots.usable(Samples.tagged(eni(1, 0, 0), tags))).as("excluded").isFalse();
    assertThat(slots.usable(eni(0, 0, 0))).as("below the first index").isFalse();
    assertThat(slots.usable(eni(1, 0, 0))).as("at the first index").isTrue();
    assertThat(slots.usable(Samples.of(eni(1, 0, 0), AwsEni.Kind.ORDINARY, 1)))
        .as("on another network card")
        .isFalse();
    assertThat(slots.gives(eni(1, 3, 0))).as("usable, with singles").isTrue();
    assertThat(slots.gives(eni(1, 3, 1))).as("usable, with a prefix").isTrue();
    assertThat(slots.gives(eni(0, 3, 0))).as("not usable").isFalse();

    EniSlots sticky = slots("m5.large", spec(1, false, Map.of()), true, PARITY);
    assertThat(sticky.gives(eni(1, 3, 0))).as("the reference's, with singles").isTrue();
    assertThat(sticky.gives(eni(1, 3, 1))).as("the reference's, with a prefix").isFalse();
  }
}
