package io.tidemark.kubernetes.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The objects of a folder of {@code deploy}, as they stand in its files or come out of them. */
enum Manifests {
  OPERATOR("base", "tidemark-operator"),
  NODE_CIDR("node-cidr", "tidemark-node-cidr"),
  NODE_ID("node-id", "tidemark-node-id"),
  AGENT("agent", "tidemark-agent");

  static final String KUSTOMIZATION = "kustomization.yaml";
  static final String NAMESPACE = "kube-system";

  private static final String NAMESPACE_KIND = "Namespace";
  private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";

  private static final String MONITORING = "/apis/monitoring.coreos.com/v1/namespaces/%s/";

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  /** Asks the server whether it would make an object, and has it refuse fields it does not know. */
  static final String STRICT = "?dryRun=All&fieldValidation=Strict";

  /** Where objects of each kind are made. */
  private static final Map<String, String> PATHS =
      Map.ofEntries(
          Map.entry(NAMESPACE_KIND, "/api/v1/namespaces"),
          Map.entry("ServiceAccount", "/api/v1/namespaces/%s/serviceaccounts"),
          Map.entry("Service", "/api/v1/namespaces/%s/services"),
          Map.entry("Deployment", "/apis/apps/v1/namespaces/%s/deployments"),
          Map.entry("ConfigMap", "/api/v1/namespaces/%s/configmaps"),
          Map.entry("NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/%s/networkpolicies"),
          Map.entry("PodMonitor", MONITORING + "podmonitors"),
          Map.entry("ServiceMonitor", MONITORING + "servicemonitors"),
          Map.entry("PrometheusRule", MONITORING + "prometheusrules"),
          Map.entry("DaemonSet", "/apis/apps/v1/namespaces/%s/daemonsets"),
          Map.entry("PodDisruptionBudget", "/apis/policy/v1/namespaces/%s/poddisruptionbudgets"),
          Map.entry("Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles"),
          Map.entry("RoleBinding", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings"),
          Map.entry("ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles"),
          Map.entry("ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"),
          Map.entry("ValidatingAdmissionPolicy", ADMISSION + "validatingadmissionpolicies"),
          Map.entry(
              "ValidatingAdmissionPolicyBinding", ADMISSION + "validatingadmissionpolicybindings"));

  private final String folder;
  private final String account;

  Manifests(String folder, String account) {
    this.folder = folder;
    this.account = account;
  }

  Path folder() {
    return Repository.root().resolve("deploy").resolve(folder);
  }

  /** Name of the service account, of the image and of the objects. */
  String account() {
    return account;
  }

  @Override
  public String toString() {
    return "deploy/" + folder;
  }

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

    /**
     * Asks the server whether it would make it, every field included; a namespace is there already.
     *
     * @see #createNamespaces
     */
    String tried(KubernetesClient client) {
      return typed().getKind().equals(NAMESPACE_KIND)
          ? client.raw(path() + '/' + name() + STRICT, "PUT", raw())
          : client.raw(path() + STRICT, "POST", raw());
    }

    @Override
    public String toString() {
      return file + ' ' + typed().getKind() + ' ' + name();
    }
  }

  /** All files of the folder but the list of them. */
  Set<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      TreeSet<String> names = new TreeSet<>();
      files.map(file -> file.getFileName().toString()).forEach(names::add);
      names.remove(KUSTOMIZATION);
      return names;
    }
  }

  JsonNode kustomization() throws IOException {
    return YAML.unmarshal(Files.readString(folder().resolve(KUSTOMIZATION)), JsonNode.class);
  }

  List<Manifest> all() throws IOException {
    List<Manifest> all = new ArrayList<>();
    for (String file : files()) {
      all.addAll(of(file, Files.readString(folder().resolve(file))));
    }
    return all;
  }

  /** The image that the list of the folder names. */
  String image() throws IOException {
    return account + ':' + kustomization().at("/images/0/newTag").asText();
  }

  /** The objects of the files, where only the image is another one. */
  List<Manifest> withImage(String image) throws IOException {
    String own = "image: " + account + '\n';
    return all().stream()
        .map(each -> new Manifest(each.file(), each.text().replace(own, "image: " + image + '\n')))
        .toList();
  }

  /** By kind, namespace and name. */
  static Map<String, Object> byIdentity(Collection<Manifest> manifests) {
    Map<String, Object> all = new TreeMap<>();
    for (Manifest each : manifests) {
      if (all.put(each.path() + '/' + each.name(), each.raw()) != null) {
        throw new AssertionError("there are two of " + each);
      }
    }
    return all;
  }

  /** Makes the namespaces of all folders, so that what belongs into them can be tried. */
  static void createNamespaces(KubernetesClient client) throws IOException {
    for (Manifests folder : values()) {
      for (Manifest each : folder.all()) {
        if (each.typed().getKind().equals(NAMESPACE_KIND)) {
          each.create(client);
        }
      }
    }
  }

  /** Those of one text. */
  static List<Manifest> of(String file, String text) {
    return Stream.of(text.split("(?m)^---$", -1)).map(each -> new Manifest(file, each)).toList();
  }

  /** The only one of its kind. */
  Manifest only(String kind) throws IOException {
    List<Manifest> found =
        all().stream().filter(each -> each.typed().getKind().equals(kind)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " of kind " + kind);
    }
    return found.get(0);
  }
}
