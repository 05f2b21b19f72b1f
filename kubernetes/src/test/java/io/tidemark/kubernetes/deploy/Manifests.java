package io.tidemark.kubernetes.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The objects of {@code deploy/base}, as they stand in its files or come out of them. */
final class Manifests {
  static final Path BASE = Path.of("..", "deploy", "base");
  static final String KUSTOMIZATION = "kustomization.yaml";
  static final String NAMESPACE = "kube-system";
  static final String ACCOUNT = "tidemark-operator";

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  /** Asks the server whether it would make an object, and has it refuse fields it does not know. */
  static final String STRICT = "?dryRun=All&fieldValidation=Strict";

  /** Where objects of each kind are made. */
  private static final Map<String, String> PATHS =
      Map.of(
          "ServiceAccount", "/api/v1/namespaces/%s/serviceaccounts",
          "Service", "/api/v1/namespaces/%s/services",
          "Deployment", "/apis/apps/v1/namespaces/%s/deployments",
          "PodDisruptionBudget", "/apis/policy/v1/namespaces/%s/poddisruptionbudgets",
          "Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles",
          "RoleBinding", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings",
          "ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles",
          "ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings");

  private Manifests() {}

  /** One object, as text. */
  record Manifest(String file, String text) {
    /** As the client library reads it. */
    HasMetadata typed() {
      return YAML.unmarshal(text);
    }

    /** As it is written, whatever fields there are. */
    Map<?, ?> raw() {
      return YAML.unmarshal(text, Map.class);
    }

    String name() {
      return typed().getMetadata().getName();
    }

    /** Where objects of its kind are made. */
    String path() {
      HasMetadata object = typed();
      String path = PATHS.get(object.getKind());
      if (path == null) {
        throw new AssertionError("no path is known for " + object.getKind());
      }
      String namespace = object.getMetadata().getNamespace();
      return path.replace("%s", namespace == null ? "" : namespace);
    }

    /** Makes it. */
    void create(KubernetesClient client) {
      client.raw(path(), "POST", raw());
    }

    @Override
    public String toString() {
      return file + ' ' + typed().getKind() + ' ' + name();
    }
  }

  /** All files of the folder but the list of them. */
  static Set<String> files() throws IOException {
    try (Stream<Path> files = Files.list(BASE)) {
      TreeSet<String> names = new TreeSet<>();
      files.map(file -> file.getFileName().toString()).forEach(names::add);
      names.remove(KUSTOMIZATION);
      return names;
    }
  }

  static JsonNode kustomization() throws IOException {
    return YAML.unmarshal(Files.readString(BASE.resolve(KUSTOMIZATION)), JsonNode.class);
  }

  static List<Manifest> all() throws IOException {
    List<Manifest> all = new ArrayList<>();
    for (String file : files()) {
      all.addAll(of(file, Files.readString(BASE.resolve(file))));
    }
    return all;
  }

  /** Those of one text. */
  static List<Manifest> of(String file, String text) {
    return Stream.of(text.split("(?m)^---$", -1)).map(each -> new Manifest(file, each)).toList();
  }

  /** The only one of its kind. */
  static Manifest only(String kind) throws IOException {
    List<Manifest> found =
        all().stream().filter(each -> each.typed().getKind().equals(kind)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " of kind " + kind);
    }
    return found.get(0);
  }
}
