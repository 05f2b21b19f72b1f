package io.tidemark.agent.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.crd.InterfaceConsistency;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The blocks of interfaces")
class InterfaceRangesTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "10.0.0.1, true",
    "10.0.0.9, true",
    "10.0.0.10, false",
    "10.0.1.16, true",
    "10.0.1.31, true",
    "10.0.1.15, false",
    "10.0.1.32, false",
    "f00d::, true",
    "f00d::ffff, true",
    "f00d::1:0, false",
  })
  @DisplayName("A72 An interface holds its primary address, its others and those of its prefixes")
  void holds(String ip, boolean holds) {
    TestEni eni = TestEni.of("eni-1", "10.0.0.9", "10.0.1.16/28", "f00d::/112");
    assertThat(InterfaceConsistency.holds(eni.eni(), IpAddress.parse(ip))).isEqualTo(holds);
  }

  @Test
  @DisplayName("A72 An interface without addresses holds none")
  void empty() {
    TestEni eni = new TestEni("eni-1", 1, "", List.of(), TestEni.of("x").vpc(), Map.of());
    assertThat(InterfaceConsistency.holds(eni.eni(), IpAddress.parse("10.0.0.1"))).isFalse();
    assertThat(InterfaceRanges.blocks(eni.eni())).isEmpty();
  }

  @Test
  @DisplayName("A73 Each address is a block by itself, unless a prefix has it")
  void blocks() {
    assertThat(blocks("10.0.0.9", "10.0.0.8")).containsExactly("10.0.0.9/32", "10.0.0.8/32");
    String[] flattened =
        Stream.concat(
                Stream.of("10.0.1.16/28", "10.0.0.1"),
                IntStream.range(16, 32).mapToObj(last -> "10.0.1." + last))
            .toArray(String[]::new);
    assertThat(blocks(flattened)).containsExactly("10.0.1.16/28", "10.0.0.1/32");
    assertThat(blocks("f00d::/80", "10.0.0.9")).containsExactly("f00d::/80", "10.0.0.9/32");
  }

  private static List<String> blocks(String... holds) {
    return InterfaceRanges.blocks(TestEni.of("eni-1", holds).eni()).stream()
        .map(Cidr::toString)
        .toList();
  }

  @Test
  @DisplayName("A73 Interfaces below the first index, and those with all the tags, are left out")
  void excluded() {
    EniStatus status =
        TestEni.status(
            TestEni.of("eni-0").number(0),
            TestEni.of("eni-1").tagged("use", "other"),
            TestEni.of("eni-2").tagged("use", "pods"));
    assertThat(forPods(status, 0, Map.of())).containsExactly("eni-0", "eni-1", "eni-2");
    assertThat(forPods(status, 1, Map.of("use", "other"))).containsExactly("eni-2");
    assertThat(forPods(status, 0, Map.of("use", "other", "more", "tags")))
        .containsExactly("eni-0", "eni-1", "eni-2");
  }

  private static List<String> forPods(EniStatus status, int first, Map<String, String> tags) {
    EniSpec empty = EniSpec.EMPTY;
    EniSpec spec =
        new EniSpec(
            "",
            OptionalInt.of(first),
            List.of(),
            Map.of(),
            List.of(),
            Map.of(),
            "",
            "",
            "",
            tags,
            empty.deleteOnTermination(),
            Optional.empty(),
            Optional.empty());
    return InterfaceRanges.forPods(status, spec).map(EniStatus.Eni::id).toList();
  }
}
