package io.tidemark.emulator.ec2.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.model.Ec2SubnetAddresses;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.BucketSize;
import io.tidemark.emulator.kit.pace.DelayRange;
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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Scenarios of the emulator as YAML")
class ScenarioYamlTest {
  static final Path EXAMPLE = Repository.root().resolve("examples/ec2-emulator/three-zones.yaml");

  private static Ec2Scenario ok(String text) {
    Reading<Ec2Scenario> reading = Ec2ScenarioYaml.read("s.yaml", text, Ec2InstanceTypes.bundled());
    assertThat(reading.problems()).isEmpty();
    return reading.scenario().orElseThrow();
  }

  private static JsonSchema schema() throws IOException {
    try (InputStream in =
        Ec2ScenarioYaml.class.getResourceAsStream(
            "/io/tidemark/emulator/ec2/scenario.schema.json")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(text);
    }
  }

  @Test
  @DisplayName("the shipped example shows every key, is valid by schema and read as written")
  void example() throws IOException {
    String text = Files.readString(EXAMPLE);
    assertThat(schema().validate(text, InputFormat.YAML)).isEmpty();
    Ec2Scenario read = ok(text);

    Ec2ModelOptions options = read.options();
    assertThat(options.seed()).isEqualTo(7);
    assertThat(options.zonesPerRegion()).isEqualTo(3);
    assertThat(options.choice()).isEqualTo(Ec2SubnetAddresses.Choice.SCATTERED);
    assertThat(options.throttling()).isTrue();
    assertThat(options.neighboursShare()).isEqualTo(0.3);
    assertThat(options.quotas())
        .containsEntry(Quota.INTERFACES, 2000)
        .containsEntry(Quota.VPCS, 10)
        .containsEntry(Quota.UNPAGED_INTERFACES, 1000)
        .containsEntry(Quota.TAGS, 50);
    assertThat(options.buckets())
        .isEqualTo(Map.of("CreateNetworkInterface", new BucketSize(20, 2.5)));
    assertThat(options.latencies())
        .isEqualTo(Map.of("*", millis(20, 80), "RunInstances", millis(1000, 1000)));
    assertThat(options.delays())
        .isEqualTo(
            Map.of(
                Delay.VISIBILITY, millis(0, 500),
                Delay.READ_LAG, millis(0, 2000),
                Delay.START, millis(5000, 15_000),
                Delay.STOP, millis(5000, 5000),
                Delay.TERMINATE, millis(10_000, 10_000),
                Delay.ATTACH, millis(1000, 3000),
                Delay.DETACH, millis(1000, 3000)));
    assertThat(read.faults()).hasSize(2);
    assertThat(read.faults().get(0))
        .isEqualTo(
            Ec2FaultRule.every("AttachNetworkInterface", Ec2FaultRule.Kind.LOSE_ANSWER)
                .withProbability(0.01));
    assertThat(read.faults().get(1).error().toString()).isEqualTo("InternalError: Try again");
    assertThat(read.faults().get(1).skip()).isEqualTo(3);
    assertThat(read.faults().get(1).times()).isEqualTo(2);
    assertThat(read.denials())
        .isEqualTo(
            Map.of("arn:aws:iam::111111111111:role/reader", Set.of("CreateVpc", "DeleteVpc")));
    assertThat(read.vpcs()).hasSize(2);
    assertThat(read.instances()).hasSize(2);
    assertThat(read.metadata())
        .isEqualTo(new Ec2Scenario.MetadataPlan(Optional.of("node"), Optional.of("node")));
  }

  @Test
  @DisplayName("example and docs have every key of the schema, so the reader knows every one")
  void everyKeyIsShown() throws IOException {
    Set<String> keys = new TreeSet<>();
    collect(schema().getSchemaNode(), keys);
    String text = Files.readString(EXAMPLE);
    assertThat(keys).hasSizeGreaterThan(50);
    assertThat(keys).allSatisfy(key -> assertThat(text).containsPattern("\\b" + key + ":"));
    String docs = Repository.text("docs/ec2-emulator.md");
    assertThat(keys).allSatisfy(key -> assertThat(docs).contains("`" + key + "`"));
  }

  private static void collect(JsonNode node, Set<String> keys) {
    node.path("properties")
        .properties()
        .forEach(
            property -> {
              keys.add(property.getKey());
              collect(property.getValue(), keys);
            });
    if (node.has("items")) {
      collect(node.get("items"), keys);
    }
    if (node.path("additionalProperties").isObject()) {
      collect(node.get("additionalProperties"), keys);
    }
  }

  @DisplayName("a value that does not fit is told with path, value and remedy")
  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/io/tidemark/emulator/ec2/scenario-problems.csv", delimiter = '|')
  void misfits(String text, String path, String problem, String remedy) {
    Reading<Ec2Scenario> reading = Ec2ScenarioYaml.read("s.yaml", text, Ec2InstanceTypes.bundled());
    assertThat(reading.scenario()).isEmpty();
    assertThat(reading.problems())
        .anySatisfy(
            each -> {
              assertThat(each.where()).isEqualTo("s.yaml:1");
              assertThat(each.path()).isEqualTo(path);
              assertThat(each.problem()).contains(problem);
              assertThat(each.remedy()).contains(remedy);
            });
  }

  @DisplayName("a key that nobody knows is told with those that are known there")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          colour: red                                   | colour               | throttle
          quotas: {colour: 1}                           | quotas.colour        | interfaces
          buckets: {CreateVpc: {size: 1, refill: 1, colour: 1}} | buckets.CreateVpc.colour | refill
          delays: {colour: 1s}                          | delays.colour        | read-lag
          faults: [{action: "*", kind: hang, colour: 1}] | faults[0].colour    | times
          deny: [{principal: x, actions: ["*"], colour: 1}] | deny[0].colour   | principal
          vpcs: [{name: a, cidr: 10.0.0.0/16, colour: 1}] | vpcs[0].colour     | subnets
          vpcs: [{name: a, cidr: 10.0.0.0/16, subnets: [{name: s, cidr: 10.0.0.0/24, colour: 1}]}] | vpcs[0].subnets[0].colour | fragmented
          vpcs: [{name: a, cidr: 10.0.0.0/16, subnets: [{name: s, cidr: 10.0.0.0/24, reservations: [{cidr: 10.0.0.0/28, colour: 1}]}]}] | vpcs[0].subnets[0].reservations[0].colour | type
          instances: [{name: i, subnet: s, type: m5.large, colour: 1}] | instances[0].colour | prefixes
          imds: {colour: 1}                             | imds.colour          | role
          """)
  void unknown(String text, String path, String known) throws IOException {
    Reading<Ec2Scenario> reading = Ec2ScenarioYaml.read("s.yaml", text, Ec2InstanceTypes.bundled());
    assertThat(reading.problems())
        .anySatisfy(
            each -> {
              assertThat(each.path()).isEqualTo(path);
              assertThat(each.problem()).isEqualTo("is unknown");
              assertThat(each.remedy()).contains(known);
            });
    assertThat(schema().validate(text, InputFormat.YAML)).as("by the schema").isNotEmpty();
  }

  @Test
  @DisplayName("every problem is told at once, each on its line")
  void allAtOnce() {
    Reading<Ec2Scenario> reading =
        Ec2ScenarioYaml.read(
            "bad.yaml",
            """
            zones: 0
            colour: red
            vpcs:
              - name: a
                cidr: 10.0.0.0/33
              - name: a
                cidr: 10.1.0.0/16
            faults:
              - kind: meteor
            """,
            Ec2InstanceTypes.bundled());
    assertThat(reading.problems())
        .extracting(each -> each.where() + " " + each.path())
        .containsExactlyInAnyOrder(
            "bad.yaml:1 zones",
            "bad.yaml:2 colour",
            "bad.yaml:5 vpcs[0].cidr",
            "bad.yaml:6 vpcs[1].name",
            "bad.yaml:9 faults[0].action",
            "bad.yaml:9 faults[0].kind");
  }

  @DisplayName("what is no YAML is one problem, not a crash")
  @ParameterizedTest(name = "{1}")
  @CsvSource({
    "'', the file is empty",
    "'a: [', not valid YAML",
    "'- 1', is a list",
    "'a: 1\na: 2', not valid YAML",
    "'? [1]\n: 2', not valid YAML",
    "'a: &x [*x]', not valid YAML",
    "'seed', is a value"
  })
  void noYaml(String text, String problem) {
    Reading<Ec2Scenario> reading = Ec2ScenarioYaml.read("s.yaml", text, Ec2InstanceTypes.bundled());
    assertThat(reading.scenario()).isEmpty();
    assertThat(reading.problems()).hasSize(1);
    assertThat(reading.problems().get(0).toString()).contains("s.yaml", problem);
  }

  @Test
  @DisplayName("a file that cannot be read is a problem")
  void files(@TempDir Path directory) throws IOException {
    assertThat(problem(directory.resolve("none.yaml"))).contains("does not exist");
    Path big = Files.write(directory.resolve("big.yaml"), new byte[(1 << 20) + 1]);
    assertThat(problem(big)).contains("larger than a megabyte");
    Path binary = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xff, 1});
    assertThat(problem(binary)).contains("not UTF-8");
    assertThat(problem(directory)).contains("cannot be read");
    Path good = Files.writeString(directory.resolve("good.yaml"), "seed: 3\n");
    assertThat(
            Ec2ScenarioYaml.read(good, Ec2InstanceTypes.bundled())
                .scenario()
                .orElseThrow()
                .options()
                .seed())
        .isEqualTo(3);
  }

  private static String problem(Path file) {
    List<ScenarioProblem> problems =
        Ec2ScenarioYaml.read(file, Ec2InstanceTypes.bundled()).problems();
    assertThat(problems).hasSize(1);
    return problems.get(0).toString();
  }

  private static DelayRange millis(long least, long most) {
    return new DelayRange(Duration.ofMillis(least), Duration.ofMillis(most));
  }
}
