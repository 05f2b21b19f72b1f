package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNode.Scheduling;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A v1 Node, read as the allocation of addresses needs it (node-cidr 17.2 AM14)")
class ClusterNodeJsonTest {
  private static ClusterNode read(String text) {
    return ClusterNodeJson.parse(text.replace('\'', '"'), "n.json")
        .match(
            node -> node,
            invalid -> {
              throw new AssertionError(invalid.problems().toString());
            });
  }

  private static List<ResourceProblem> problems(String text) {
    return ClusterNodeJson.parse(text.replace('\'', '"'), "n.json")
        .match(node -> List.of(), ParsedResource.Invalid::problems);
  }

  @Test
  @DisplayName("of a Node as the API server shows it everything that counts is read")
  void whole() {
    ClusterNode node =
        read(
            """
            {'apiVersion': 'v1', 'kind': 'Node',
             'metadata': {'name': 'n1', 'uid': 'u-1', 'resourceVersion': '42',
               'labels': {'a': 'b'}, 'annotations': {'tidemark.io/node-id': '5', 'x': 'y'},
               'creationTimestamp': '2026-01-02T03:04:05Z',
               'deletionTimestamp': '2026-01-02T03:05:05Z', 'deletionGracePeriodSeconds': 0,
               'managedFields': [
                 {'manager': 'kubelet', 'operation': 'Update', 'time': '2026-01-02T03:04:05Z',
                  'fieldsV1': {'f:metadata': {'f:labels': {'.': {}}}, 'f:spec': {'f:providerID': {}}}},
                 {'fieldsV1': {'f:spec': {'f:podCIDR': {}, 'f:podCIDRs': {'.': {}, 'v:x': {}}}},
                  'manager': 'kube-controller-manager', 'time': '2026-01-02T03:04:06Z'},
                 {'manager': 'status', 'subresource': 'status', 'time': '2026-01-02T03:04:09Z',
                  'fieldsV1': {'f:spec': {'f:podCIDR': {}}}}]},
             'spec': {'podCIDR': '010.0.0.0/24', 'podCIDRs': ['010.0.0.0/24', 'fd00::/80'],
               'providerID': 'aws:///a/i-1', 'unschedulable': true, 'taints': [{'key': 'k'},
                 {'effect': 'NoSchedule', 'key': 'tidemark.io/no-pod-addresses'}]},
             'status': {'allocatable': {'cpu': '2', 'pods': '110'}, 'images': [{'names': ['x']}],
               'conditions': [{'type': 'Ready', 'status': 'True'},
                 {'type': 'NetworkUnavailable', 'status': 'False', 'reason': 'RouteCreated'},
                 {'type': 'PodAddressesAvailable', 'status': 'False',
                  'reason': 'SubnetExhausted'}]}}
            """);
    assertThat(node)
        .isEqualTo(
            new ClusterNode(
                "n1",
                "u-1",
                "42",
                Optional.of(Instant.parse("2026-01-02T03:04:05Z")),
                true,
                false,
                new PodCidrs(
                    "010.0.0.0/24",
                    List.of("010.0.0.0/24", "fd00::/80"),
                    Optional.of("kube-controller-manager")),
                "aws:///a/i-1",
                true,
                OptionalInt.of(110),
                Optional.of(false),
                Map.of("tidemark.io/node-id", "5"),
                new Scheduling(
                    List.of(
                        "{\"key\":\"k\"}",
                        "{\"effect\":\"NoSchedule\",\"key\":\"tidemark.io/no-pod-addresses\"}"),
                    Optional.of("SubnetExhausted"))));
    assertThat(node.scheduling().isTainted()).isTrue();
  }

  @DisplayName("a change of others' taints is none here; one of ours or of the condition is")
  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'key': 'x'}, {'key': 'y'}                                               | False | true
          {'key': 'tidemark.io/no-pod-addresses', 'effect': 'NoSchedule'}          | False | false
          {'key': 'x'}                                                             | True  | false
          """)
  void sameTaints(String taints, String status, boolean same) {
    assertThat(tainted("{'key': 'x'}", "False", 1).isSameAs(tainted(taints, status, 2)))
        .isEqualTo(same);
  }

  private static ClusterNode tainted(String taints, String status, int version) {
    return read(
        "{'metadata': {'name': 'n1', 'resourceVersion': 'VERSION'}, 'spec': {'taints': [TAINTS]},"
                .replace("VERSION", String.valueOf(version))
                .replace("TAINTS", taints)
            + " 'status': {'conditions': [{'type': 'PodAddressesAvailable', 'status': 'STATUS'}]}}"
                .replace("STATUS", status));
  }

  @Test
  @DisplayName("what is absent or null is not known, and a lone podCIDR counts")
  void absent() {
    ClusterNode bare =
        read("{'metadata': {'name': 'n1', 'deletionTimestamp': null}, 'spec': null}");
    assertThat(bare).isEqualTo(ClusterNode.named("n1", ""));
    assertThat(bare.owner()).isEqualTo("n1");
    ClusterNode lone = read("{'metadata': {'name': 'n1'}, 'spec': {'podCIDR': '10.0.0.0/24'}}");
    assertThat(lone.podCidrs().texts()).containsExactly("10.0.0.0/24");
    assertThat(lone.podCidrs().isEmpty()).isFalse();
  }

  @Test
  @DisplayName("of several writers of the CIDRs the latest counts")
  void writers() {
    String entry = "{'manager': '%s', 'time': '%s', 'fieldsV1': {'f:spec': {'f:podCIDRs': {}}}}";
    String early = entry.formatted("early", "2026-01-01T00:00:00Z");
    String late = entry.formatted("late", "2026-01-02T00:00:00Z");
    String text = "{'metadata': {'name': 'n1', 'managedFields': [%s, %s]}}";
    assertThat(read(text.formatted(late, early)).podCidrs().writer()).contains("late");
    assertThat(read(text.formatted(early, late)).podCidrs().writer()).contains("late");
  }

  @ParameterizedTest(name = "\"{0}\"")
  @DisplayName("the number of pods is a quantity of the Kubernetes API")
  @CsvSource({"'110', 110", "1k, 1000", "2Ki, 2048", "1e2, 100", "1.5, ", "many, ", "'', ", "5G, "})
  void pods(String quantity, Integer pods) {
    String text = "{'metadata': {'name': 'n1'}, 'status': {'allocatable': {'pods': '%s'}}}";
    assertThat(read(text.formatted(quantity)).podsMax())
        .isEqualTo(pods == null ? OptionalInt.empty() : OptionalInt.of(pods));
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("the network is available only where the condition says so")
  @CsvSource({"'False', false", "'True', true", "Unknown, true"})
  void condition(String status, boolean unavailable) {
    String text =
        "{'metadata': {'name': 'n1'}, 'status': {'conditions': [{'status': '%s', 'type':"
            + " 'NetworkUnavailable'}]}}";
    assertThat(read(text.formatted(status)).networkUnavailable()).contains(unavailable);
  }

  @Test
  @DisplayName("values of another type are refused, each by its path")
  void wrong() {
    assertThat(
            problems(
                """
                {'metadata': {'uid': 5}, 'spec': {'podCIDR': ['x'], 'podCIDRs': [{'a': 1}, 'b'],
                 'unschedulable': 'yes'}, 'status': []}
                """))
        .extracting(ResourceProblem::path, ResourceProblem::problem)
        .map(Object::toString)
        .containsExactly(
            "(\"metadata.uid\", \"is not a string\")",
            "(\"spec.podCIDR\", \"is not a string\")",
            "(\"spec.podCIDRs[0]\", \"is not a string\")",
            "(\"spec.unschedulable\", \"is neither true nor false\")",
            "(\"status\", \"is not an object\")",
            "(\"metadata.name\", \"is missing\")");
    assertThat(problems("{'metadata': {'name'")).singleElement().matches(it -> it.path().isEmpty());
    assertThat(problems("[]")).isNotEmpty();
  }
}
