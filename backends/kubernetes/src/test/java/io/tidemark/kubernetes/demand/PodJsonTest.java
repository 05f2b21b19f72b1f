package io.tidemark.kubernetes.demand;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is read of a Pod")
class PodJsonTest {
  private static PodJson read(String json) throws JsonProcessingException {
    return new ObjectMapper().readValue(json, PodJson.class);
  }

  @Test
  @DisplayName("who it is, where it runs, that it has an address, and the annotations about pools")
  void pod() throws JsonProcessingException {
    PodJson pod =
        read(
            """
            {"kind": "Pod", "apiVersion": "v1",
             "metadata": {"name": "a", "namespace": "b", "uid": "c", "resourceVersion": "7",
               "annotations": {"ipam.cilium.io/ip-pool": "mars", "other": "x"}},
             "spec": {"nodeName": "n1", "hostNetwork": true, "containers": [{"name": "main"}]},
             "status": {"phase": "Pending", "podIP": "10.0.0.1"}}
            """);

    assertThat(pod.getMetadata().getName()).isEqualTo("a");
    assertThat(pod.getMetadata().getNamespace()).isEqualTo("b");
    assertThat(pod.getMetadata().getUid()).isEqualTo("c");
    assertThat(pod.getMetadata().getResourceVersion()).isEqualTo("7");
    assertThat(pod.getMetadata().getAnnotations())
        .isEqualTo(Map.of("ipam.cilium.io/ip-pool", "mars"));
    assertThat(pod.node()).isEqualTo("n1");
    assertThat(pod.isPending()).isTrue();
    assertThat(pod.hasHostNetwork()).isTrue();
    assertThat(pod.hasAddress()).isTrue();
    assertThat(pod.fullName()).isEqualTo("b/a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"metadata\": {\"name\": null}, \"spec\": {\"nodeName\": null}, \"status\": {\"phase\": null}}",
        "{\"metadata\": null, \"spec\": [], \"status\": 1}",
        "{\"status\": {\"podIP\": [\"10.0.0.1\"]}}",
        "{\"metadata\": {\"annotations\": 1}, \"spec\": {\"nodeName\": {}, \"hostNetwork\": \"x\"}}"
      })
  @DisplayName("nothing of values that are missing or of another type, without a failure")
  void broken(String json) throws JsonProcessingException {
    PodJson pod = read(json);

    assertThat(pod.getMetadata().getName()).isEmpty();
    assertThat(pod.getMetadata().getAnnotations()).isEmpty();
    assertThat(pod.node()).isEmpty();
    assertThat(pod.isPending()).isFalse();
    assertThat(pod.hasHostNetwork()).isFalse();
    assertThat(pod.hasAddress()).isFalse();
  }
}
