package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.deploy.Manifests.Manifest;
import io.tidemark.kubernetes.server.ApiServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kubernetes")
@DisplayName("The folders of deploy, looked at by a real API server")
class ManifestsOnServerTest {
  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();

  @BeforeAll
  static void start() throws Exception {
    Manifests.createNamespaces(server.admin().client());
  }

  static Stream<Manifest> manifests() throws IOException {
    List<Manifest> all = new ArrayList<>();
    for (Manifests folder : Manifests.values()) {
      all.addAll(folder.all());
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("manifests")
  @DisplayName("every object would be made, and has no field that the server does not know")
  void accepted(Manifest manifest) {
    assertThat(manifest.tried(server.admin().client())).contains(manifest.name());
  }

  @Test
  @DisplayName("the look sees a field that the server does not know")
  void canFail() throws Exception {
    Map<Object, Object> wrong = new LinkedHashMap<>(Manifests.OPERATOR.only("Service").raw());
    wrong.put("specs", Map.of());
    assertThatThrownBy(
            () ->
                server
                    .admin()
                    .client()
                    .raw(
                        Manifests.OPERATOR.only("Service").path() + Manifests.STRICT,
                        "POST",
                        wrong))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("unknown field \"specs\"");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Manifests.class)
  @DisplayName("the list of kustomize names every file, and the image of every container")
  void kustomization(Manifests folder) throws Exception {
    JsonNode list = folder.kustomization();
    Set<String> named = new TreeSet<>();
    list.path("resources").forEach(each -> named.add(each.asText()));
    assertThat(named).isEqualTo(folder.files());
    assertThat(list.path("images").path(0).path("name").asText()).isEqualTo(folder.account());
    assertThat(
            folder.all().stream()
                .flatMap(each -> each.text().lines())
                .map(String::strip)
                .filter(line -> line.startsWith("image:")))
        .isNotEmpty()
        .containsOnly("image: " + folder.account());
  }

  private static Deployment deployment(Manifests folder) throws IOException {
    return (Deployment) folder.only("Deployment").typed();
  }

  private static PodTemplateSpec template(Manifests folder) throws IOException {
    return deployment(folder).getSpec().getTemplate();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(names = {"OPERATOR", "NODE_CIDR", "NODE_ID"})
  @DisplayName(
      "Service, budget and Deployment mean the same Pods; one port serves all that is asked")
  void selected(Manifests folder) throws Exception {
    Map<String, String> labels = template(folder).getMetadata().getLabels();
    Service service = (Service) folder.only("Service").typed();
    PodDisruptionBudget budget = (PodDisruptionBudget) folder.only("PodDisruptionBudget").typed();
    Container container = template(folder).getSpec().getContainers().get(0);
    assertThat(deployment(folder).getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(service.getSpec().getSelector()).isEqualTo(labels);
    assertThat(budget.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    int port = container.getPorts().get(0).getContainerPort();
    assertThat(container.getArgs()).contains("--port=" + port);
    assertThat(service.getSpec().getPorts().get(0).getPort()).isEqualTo(port);
    assertThat(container.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/healthz");
    assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(names = {"NODE_CIDR", "NODE_ID"})
  @DisplayName("the JVM has the options of deploy/base, and the same memory")
  void java(Manifests folder) throws Exception {
    Container base = template(Manifests.OPERATOR).getSpec().getContainers().get(0);
    Container container = template(folder).getSpec().getContainers().get(0);
    assertThat(container.getEnv()).isEqualTo(base.getEnv());
    assertThat(container.getResources()).isEqualTo(base.getResources());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(names = {"OPERATOR", "NODE_CIDR", "NODE_ID"})
  @DisplayName("but for the network of its host, the Pod keeps the strictest standard there is")
  void restricted(Manifests folder) throws Exception {
    String namespace = "restricted-" + folder.account();
    String labelled =
        """
        {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s",
         "labels":{"pod-security.kubernetes.io/enforce":"restricted"}}}
        """;
    server.admin().client().raw("/api/v1/namespaces", "POST", labelled.formatted(namespace));
    assertThatThrownBy(() -> podIn(folder, namespace, true))
        .hasMessageContaining("violates PodSecurity")
        .hasMessageContaining("host namespaces")
        .satisfies(
            thrown ->
                assertThat(thrown.getMessage())
                    .doesNotContain("runAsNonRoot", "capabilities")
                    .doesNotContain("seccomp"));
    assertThat(podIn(folder, namespace, false)).contains("operator");
  }

  private static String podIn(Manifests folder, String namespace, boolean hostNetwork)
      throws IOException {
    PodTemplateSpec template = template(folder);
    template.getSpec().setHostNetwork(hostNetwork);
    Map<String, Object> pod = new LinkedHashMap<>();
    pod.put("apiVersion", "v1");
    pod.put("kind", "Pod");
    pod.put("metadata", Map.of("name", "operator"));
    pod.put("spec", template.getSpec());
    // Elsewhere than in kube-system this class is not for everybody.
    template.getSpec().setPriorityClassName(null);
    return server
        .admin()
        .client()
        .raw("/api/v1/namespaces/" + namespace + "/pods" + Manifests.STRICT, "POST", pod);
  }
}
