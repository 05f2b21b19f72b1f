package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A live node that waits for a person")
class WaitingNodesTest {
  private static final String LIVE =
      """
      apiVersion: cilium.io/v2
      kind: CiliumNode
      metadata:
        name: worker-a
      spec:
        instance-id: i-worker-a
        eni:
          availability-zone: eu-central-1a
          first-interface-index: 0
          instance-type: m5.large
          node-subnet-id: subnet-a
          vpc-id: vpc-1
        ipam:
          pre-allocate: 1
          pool:
            10.0.0.5: {resource: eni-1}
            10.0.0.6: {resource: eni-1}
            10.0.0.7: {resource: eni-1}
      status:
        eni:
          enis:
            eni-1:
              id: eni-1
              ip: 10.0.0.4
              addresses: [10.0.0.5, 10.0.0.6, 10.0.0.7]
              subnet: {id: subnet-a, cidr: 10.0.0.0/24}
              vpc: {id: vpc-1, primary-cidr: 10.0.0.0/16}
        ipam:
          used:
            10.0.0.5: {owner: default/web-1}
            10.0.0.6: {owner: default/web-2}
      """;

  private final Manifests manifests;

  WaitingNodesTest(@TempDir Path directory) {
    this.manifests = new Manifests(directory);
  }

  static Stream<Arguments> waiting() {
    return Stream.of(
        Arguments.of("instance-id: i-worker-a", "instance-id: ''", "TM-1206"),
        Arguments.of(
            "  eni:\n    avail", "  azure: {interface-name: e}\n  eni:\n    avail", "TM-1207"),
        Arguments.of("[10.0.0.5, ", "[", "TM-9001"),
        Arguments.of("[10.0.0.5, ", "[10.9.0.5, 10.0.0.5, ", "TM-9001"),
        Arguments.of("cidr: 10.0.0.0/24", "cidr: 10.0.0.0/30", "TM-9001"));
  }

  @ParameterizedTest(name = "{0} -> {1}: {2}")
  @MethodSource("waiting")
  @DisplayName("ends run --once with 3, is shown with its pool and use, and is left as it stands")
  void leftAlone(String from, String to, String code) {
    String text = LIVE.replace(from, to);
    assertThat(text).isNotEqualTo(LIVE);
    manifests.with("a.yaml", text);

    assertThat(manifests.run("run --provider=mock --once").ends(3).out())
        .contains(code)
        .containsPattern("worker-a +2 +3 ");
    assertThat(manifests.read("a.yaml")).isEqualTo(text);

    assertThat(manifests.run("status --provider=mock").ends(3).out())
        .contains(code)
        .containsPattern("worker-a +2 +3 ");
    assertThat(manifests.run("explain worker-a --provider=mock").out())
        .contains("blocked: ")
        .contains(code)
        .containsPattern("available +3")
        .containsPattern("used +2");
  }

  @Test
  @DisplayName("waits when another node holds its address already, and its file stays")
  void claimedTwice() {
    String other = LIVE.replace("worker-a", "worker-b").replace("eni-1", "eni-2");
    manifests.with("a.yaml", LIVE).with("b.yaml", other);

    assertThat(manifests.run("run --provider=mock --once").ends(3).out())
        .containsPattern("worker-a +2 +3 .* ok ")
        .contains(
            "worker-b: TM-1209 DUPLICATE_CLAIM: address 10.0.0.4 is also claimed by node worker-a");
    assertThat(manifests.read("b.yaml")).isEqualTo(other);
  }
}
