package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** Reads what commands print as JSON, and checks it against the published schemas. */
final class Reports {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonSchema RUN = schema("run-report.schema.json");
  private static final JsonSchema FINDINGS = schema("findings.schema.json");
  private static final JsonSchema SETTINGS = schema("settings.schema.json");
  private static final JsonSchema STATUS = schema("status.schema.json");
  private static final JsonSchema NODE_CIDR_PLAN = schema("node-cidr-plan.schema.json");
  private static final JsonSchema CLUSTER_PLAN = schema("cluster-plan.schema.json");
  private static final JsonSchema EXPLANATION = schema("explanation.schema.json");
  private static final JsonSchema NODE_ID_PLAN = resource("nodeid/node-id-plan.schema.json");

  private Reports() {}

  private static JsonSchema schema(String name) {
    return resource("report/" + name);
  }

  private static JsonSchema resource(String path) {
    InputStream in = Main.class.getResourceAsStream(path);
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(in);
  }

  static JsonNode run(Result result) {
    return checked(result, RUN);
  }

  static JsonNode explanation(Result result) {
    return checked(result, EXPLANATION);
  }

  static JsonNode findings(Result result) {
    return checked(result, FINDINGS);
  }

  static JsonNode settings(Result result) {
    return checked(result, SETTINGS);
  }

  static JsonNode nodeCidrPlan(Result result) {
    return checked(result, NODE_CIDR_PLAN);
  }

  static JsonNode clusterPlan(Result result) {
    return checked(result, CLUSTER_PLAN);
  }

  static JsonNode nodeIdPlan(Result result) {
    return checked(result, NODE_ID_PLAN);
  }

  static JsonNode status(Result result) {
    return checked(result, STATUS);
  }

  /** A document that came another way than from a command. */
  static JsonNode status(String json) {
    return status(new Result(0, json, ""));
  }

  static JsonNode tree(Result result) {
    try {
      return MAPPER.readTree(result.out());
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + result, e);
    }
  }

  private static JsonNode checked(Result result, JsonSchema schema) {
    JsonNode tree = tree(result);
    assertThat(schema.validate(tree)).isEmpty();
    return tree;
  }

  /** The content of a file of {@code src/test/resources}. */
  static String recorded(String path) {
    try (InputStream in = Reports.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Text and JSON are what is recorded under a name, and both commands end so. */
  static void assertRecorded(String path, int exitCode, Result text, Result json) {
    assertThat(text.err()).isEmpty();
    assertThat(text.ends(exitCode).out()).isEqualToNormalizingNewlines(recorded(path + ".txt"));
    assertThat(json.ends(exitCode).out()).isEqualToNormalizingNewlines(recorded(path + ".json"));
  }

  static JsonNode node(Result result, String name) {
    for (JsonNode node : run(result).get("nodes")) {
      if (node.get("name").asText().equals(name)) {
        return node;
      }
    }
    throw new AssertionError("no node " + name + " in " + result);
  }

  static Map<String, Integer> calls(Result result) {
    return MAPPER.convertValue(run(result).get("calls"), new TypeReference<>() {});
  }
}
