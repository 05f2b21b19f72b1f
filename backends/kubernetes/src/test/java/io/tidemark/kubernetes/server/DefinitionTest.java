package io.tidemark.kubernetes.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The definition of CiliumNodes that the tests' API server gets. With {@code
 * TIDEMARK_CILIUMNODES_CRD} in the environment, or the system property {@code
 * tidemark.ciliumnodes.crd}, it is compared with that file, such as a cluster's own.
 */
@DisplayName("The definition of CiliumNodes in the tests' API server (node-manager 1.1-1.3)")
class DefinitionTest {
  private static final String VARIABLE = "TIDEMARK_CILIUMNODES_CRD";
  private static final String PROPERTY = "tidemark.ciliumnodes.crd";

  /** Fields that a definition of 2024 does not have. */
  private static final Set<String> NEWER =
      Set.of(
          "/spec/ipam/pools/allocated[]/allowFirstIP",
          "/spec/ipam/pools/allocated[]/allowLastIP",
          "/spec/ipam/static-ip-tags",
          "/spec/ipam/static-ip-tags{}",
          "/status/eni/enis{}/ipv6-prefixes",
          "/status/eni/enis{}/ipv6-prefixes[]",
          "/status/eni/enis{}/public-ip");

  /** The fields that may be left out here: of another cloud, and of modes without a cloud. */
  private static final List<String> NOT_OURS =
      List.of("/spec/alibaba-cloud/", "/status/alibaba-cloud/", "/status/ipam/pod-cidrs");

  /** The rules that decide about a value. */
  private static final List<String> RULES =
      List.of("type", "format", "minimum", "enum", "required", "nullable", "pattern");

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  private static JsonNode own() throws IOException {
    try (InputStream in = DefinitionTest.class.getResourceAsStream("ciliumnodes-crd.yaml")) {
      return YAML.unmarshal(new String(in.readAllBytes(), StandardCharsets.UTF_8), JsonNode.class);
    }
  }

  private static Optional<String> otherFile() {
    return Optional.ofNullable(System.getProperty(PROPERTY))
        .or(() -> Optional.ofNullable(System.getenv(VARIABLE)));
  }

  private static JsonNode version(JsonNode definition) {
    return definition.at("/spec/versions/0");
  }

  /** Every field by its path, with the rules of its value. */
  private static Map<String, Map<String, Object>> fields(JsonNode definition) {
    Map<String, Map<String, Object>> fields = new TreeMap<>();
    collect("", version(definition).at("/schema/openAPIV3Schema"), fields);
    return fields;
  }

  private static void collect(
      String path, JsonNode schema, Map<String, Map<String, Object>> fields) {
    Map<String, Object> rules = new TreeMap<>();
    for (String rule : RULES) {
      JsonNode value = schema.path(rule);
      if (value.isArray()) {
        Set<String> words = new TreeSet<>();
        value.forEach(each -> words.add(each.asText()));
        rules.put(rule, words);
      } else if (!value.isMissingNode()) {
        rules.put(rule, value.asText());
      }
    }
    fields.put(path, rules);
    schema
        .path("properties")
        .properties()
        .forEach(each -> collect(path + '/' + each.getKey(), each.getValue(), fields));
    if (schema.path("items").isObject()) {
      collect(path + "[]", schema.path("items"), fields);
    }
    if (schema.path("additionalProperties").isObject()) {
      collect(path + "{}", schema.path("additionalProperties"), fields);
    }
  }

  @Test
  @DisplayName("group, version, names, scope and the status apart are those of the contract")
  void contract() throws IOException {
    JsonNode own = own();
    assertThat(own.at("/spec/group").asText()).isEqualTo("cilium.io");
    assertThat(own.at("/spec/scope").asText()).isEqualTo("Cluster");
    assertThat(own.at("/spec/names"))
        .isEqualTo(
            YAML.unmarshal(
                """
                kind: CiliumNode
                listKind: CiliumNodeList
                plural: ciliumnodes
                singular: ciliumnode
                shortNames: [cn, ciliumn]
                categories: [cilium]
                """,
                JsonNode.class));
    assertThat(version(own).path("name").asText()).isEqualTo("v2");
    assertThat(version(own).at("/subresources/status").isObject()).isTrue();
    for (String mark : List.of("min-allocate", "max-allocate", "pre-allocate")) {
      assertThat(fields(own).get("/spec/ipam/" + mark))
          .isEqualTo(Map.of("type", "integer", "minimum", "0"));
    }
    assertThat(fields(own)).containsKeys(NEWER.toArray(String[]::new));
  }

  @Test
  @DisplayName("it says of every field what the definition named in the environment says")
  void sameAsNamed() throws IOException {
    JsonNode own = own();
    JsonNode other =
        otherFile().isPresent()
            ? YAML.unmarshal(Files.readString(Path.of(otherFile().get())), JsonNode.class)
            : own;
    assertThat(own.at("/spec/names")).isEqualTo(other.at("/spec/names"));
    Map<String, Map<String, Object>> theirs = fields(other);
    Map<String, Map<String, Object>> ours = fields(own);
    theirs.forEach(
        (path, rules) -> {
          boolean mayBeMissing = NOT_OURS.stream().anyMatch(path::startsWith);
          if (ours.containsKey(path) || !mayBeMissing) {
            assertThat(ours).as(path).containsEntry(path, rules);
          }
        });
    Set<String> more = new TreeSet<>(ours.keySet());
    more.removeAll(theirs.keySet());
    assertThat(more).isSubsetOf(NEWER);
  }
}
