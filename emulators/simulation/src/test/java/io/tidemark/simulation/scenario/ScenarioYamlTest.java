package io.tidemark.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.emulator.kit.scenario.TreeYaml.Reading;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ScenarioYamlTest {
  private static final Path EXAMPLE =
      Repository.root().resolve("examples/simulate/growth-and-release.yaml");

  private static Scenario ok(String text) {
    Reading<Scenario> reading = ScenarioYaml.read("s.yaml", text);
    assertThat(reading.problems()).isEmpty();
    return reading.scenario().orElseThrow();
  }

  private static JsonSchema schema() throws IOException {
    try (InputStream in =
        ScenarioYaml.class.getResourceAsStream("/io/tidemark/simulation/scenario.schema.json")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(text);
    }
  }

  @Test
  @DisplayName("the default scenario and the shipped example are valid, by reader and by schema")
  void shipped() throws IOException {
    Scenario usual = ScenarioYaml.defaultScenario();
    assertThat(usual.nodes()).isEqualTo(100);
    String example = Files.readString(EXAMPLE);
    Scenario growth = ok(example);
    assertThat(growth.nodes()).isEqualTo(80);
    assertThat(growth.nodeGroups().get(0).waves()).hasSize(3);
    assertThat(growth.nodeGroups().get(0).waves().get(2).pods()).isEqualTo(-12);
    assertThat(growth.faults()).hasSize(4);
    assertThat(schema().validate(example, InputFormat.YAML)).isEmpty();
    assertThat(schema().validate(ScenarioYaml.print(usual), InputFormat.YAML)).isEmpty();
  }

  @Test
  @DisplayName("200 random scenarios print, read back equal, and satisfy the schema")
  void roundTrip() throws IOException {
    JsonSchema schema = schema();
    for (long seed = 0; seed < 200; seed++) {
      Scenario scenario = ScenarioGenerator.scenario(seed);
      String text = ScenarioYaml.print(scenario);
      assertThat(ok(text)).as("seed %d:%n%s", seed, text).isEqualTo(scenario);
      assertThat(schema.validate(text, InputFormat.YAML)).as("seed %d", seed).isEmpty();
      assertThat(scenario.nodes()).as("seed %d", seed).isBetween(20, 200);
      assertThat(scenario.duration()).isGreaterThanOrEqualTo(Duration.ofMinutes(15));
    }
  }

  @Test
  @DisplayName("the same seed draws the same scenario, another seed another one")
  void seeds() {
    assertThat(ScenarioGenerator.scenario(5)).isEqualTo(ScenarioGenerator.scenario(5));
    assertThat(ScenarioGenerator.scenario(5)).isNotEqualTo(ScenarioGenerator.scenario(6));
    assertThat(ScenarioGenerator.scenario(5, 33).nodes()).isEqualTo(33);
  }

  @Test
  @DisplayName("the schema knows exactly the kinds of fault that the reader knows")
  void kinds() throws IOException {
    JsonNode kinds = schema().getSchemaNode().at("/properties/faults/items/properties/kind/enum");
    List<String> inSchema = new java.util.ArrayList<>();
    kinds.forEach(each -> inSchema.add(each.asText()));
    TreeSet<String> known = new TreeSet<>();
    for (Fault.Kind kind : Fault.Kind.values()) {
      known.add(kind.text());
    }
    assertThat(new TreeSet<>(inSchema)).isEqualTo(known);
  }

  @Test
  @DisplayName("every problem is reported at once, each with line, path and remedy")
  void allProblems() {
    Reading<Scenario> reading =
        ScenarioYaml.read(
            "bad.yaml",
            """
            duration: quick
            colour: blue
            subnets:
              - {id: a, cidr: 10.0.0.0/33}
              - {id: b, cidr: 10.0.0.0/24}
              - {id: b, cidr: 10.0.0.128/25}
            instance-types:
              - {name: t, interfaces: 0}
            node-groups:
              - name: g
                count: many
                instance-type: nope
                subnets: [a, zz]
                pre-allocate: -1
            faults:
              - {kind: meteor}
              - {kind: crash-operator, at: 14m, for: 2m, share: 0.5}
            """);
    assertThat(reading.scenario()).isEmpty();
    assertThat(reading.problems())
        .extracting(ScenarioProblem::path)
        .contains(
            "duration",
            "colour",
            "subnets[0].cidr",
            "subnets",
            "subnets[2].cidr",
            "instance-types[0].interfaces",
            "node-groups[0].count",
            "node-groups[0].instance-type",
            "node-groups[0].subnets",
            "node-groups[0].pre-allocate",
            "faults[0].kind",
            "faults[1].share",
            "faults[1]");
    assertThat(reading.problems())
        .allSatisfy(
            each -> {
              assertThat(each.where()).startsWith("bad.yaml:");
              assertThat(each.problem()).isNotEmpty();
              assertThat(each.remedy()).isNotEmpty();
            });
    ScenarioProblem count =
        reading.problems().stream()
            .filter(each -> each.path().equals("node-groups[0].count"))
            .findFirst()
            .orElseThrow();
    assertThat(count.where()).isEqualTo("bad.yaml:11");
    assertThat(count.problem()).contains("many");
  }

  @Test
  @DisplayName("what is no scenario at all is one problem, not a crash")
  void noScenario() {
    for (String text : List.of("", "[1, 2]", "a: [", "just text", "a: 1\na: 2\n", "{[1]: 2}")) {
      Reading<Scenario> reading = ScenarioYaml.read("x.yaml", text);
      assertThat(reading.scenario()).as(text).isEmpty();
      assertThat(reading.problems()).as(text).isNotEmpty();
    }
  }

  @Test
  @DisplayName("nodes, pods and seed can be overridden; groups keep their shares")
  void overrides() throws IOException {
    Scenario growth = ok(Files.readString(EXAMPLE));
    Scenario bigger = growth.withNodes(400).withPodsPerNode(3).withSeed(9);
    assertThat(bigger.nodes()).isEqualTo(400);
    assertThat(bigger.nodeGroups()).extracting(NodeGroup::count).containsExactly(300, 100);
    assertThat(bigger.nodeGroups())
        .allSatisfy(group -> assertThat(group.waves().get(0).pods()).isEqualTo(3));
    assertThat(bigger.seed()).isEqualTo(9);
    assertThat(growth.withNodes(1).nodes()).isEqualTo(1);
  }
}
