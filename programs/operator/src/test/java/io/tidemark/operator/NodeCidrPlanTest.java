package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("tidemark node-cidr plan")
class NodeCidrPlanTest {
  @TempDir private Path directory;

  private static Result plan(String words) {
    return Program.run(("node-cidr plan " + words).split(" ", -1));
  }

  @DisplayName("NC-AM32 prints what src/test/resources/node-cidr holds, as text and as JSON")
  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          single    | 0 | --cluster-cidr=10.244.0.0/16 --service-cluster-ip-range=10.96.0.0/12
          services  | 0 | --cluster-cidr=10.0.0.0/8 --service-cluster-ip-range=10.96.0.0/12 --exclude-cidrs=10.0.0.0/16 --count=5000
          dual      | 3 | --cluster-cidr=10.244.0.0/16,fd00:10:244::/48 --count=300
          one-block | 3 | --cluster-cidr=10.0.0.7/24 --count=2
          huge      | 0 | --cluster-cidr=10.0.0.0/21,2000::/10 --node-cidr-mask-size-ipv6=98 --count=8
          pool      | 0 | --ipam=cluster-pool --cluster-pool-ipv4-cidr=10.0.0.0/16,10.9.0.0/20 --cluster-pool-ipv4-mask-size=26 --cluster-pool-ipv6-cidr=fd00::/104
          """)
  void asRecorded(String name, int exitCode, String words) {
    Result text = plan(words);
    Result json = plan(words + " --output=json");

    Reports.assertRecorded("/node-cidr/" + name, exitCode, text, json);
    assertThat(Reports.nodeCidrPlan(json)).isNotEmpty();
  }

  @Test
  @DisplayName("NC-AM32 NC-AM39 refuses wrong settings with 2, all of them at once")
  void refused() throws IOException {
    Path file = directory.resolve("settings.yaml");
    Files.writeString(
        file,
        """
        cluster-name: prod
        node-cidr-mask-size: 24
        node-cidr-mask-size-ipv4: 99
        cluster-pool-ipv4-mask-size: 24
        exclude-cidr: 10.0.0.0/24
        """);
    Result result =
        plan("--cluster-cidr=010.0.0.0/16 --cidr-allocator-type=rangeallocator --config=" + file)
            .ends(2);

    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("tidemark: TM-1000 CONFIG_REFUSED: 4 problems\n")
        .contains(file + ":4: cluster-pool-ipv4-mask-size is a setting of ipam=cluster-pool.")
        .contains(file + ":5: exclude-cidr is not a setting. Did you mean exclude-cidrs?")
        .contains("cidr-allocator-type=rangeallocator is not an allocator type. Did you mean Range")
        .contains(
            "\"010.0.0.0/16\" is not a CIDR block: in the address, an octet has a leading zero")
        .doesNotContain("cluster-name");
  }

  @Test
  @DisplayName("NC-79 NC-AM39 refuses ranges that services cover, and types that have no ranges")
  void nothingLeft() {
    Result covered = plan("--cluster-cidr=10.0.0.0/23 --service-cluster-ip-range=10.0.0.0/21");
    Result cloud = plan("--cidr-allocator-type=CloudAllocator");

    assertThat(List.of(covered.exitCode(), cloud.exitCode())).containsOnly(2);
    assertThat(covered.err()).contains("has no block of /24 left", "(TM-1412 RANGE_COVERED)");
    assertThat(cloud.err())
        .startsWith("tidemark: TM-1407 CIDR_MODE: cidr-allocator-type is CloudAllocator: the cloud")
        .doesNotContain("\tat ");
  }

  @Test
  @DisplayName("NC-AM38 reads the agents' ConfigMap, and ignores what others read there")
  void ofAgents() throws IOException {
    for (Map.Entry<String, String> each :
        Map.of(
                "ipam", "cluster-pool",
                "cluster-pool-ipv4-cidr", "10.0.0.0/16 10.4.0.0/16",
                "enable-ipv4", "true",
                "enable-ipv6", "false",
                "cluster-cidr", "10.200.0.0/16",
                "bpf-map-dynamic-size-ratio", "0.0025")
            .entrySet()) {
      Files.writeString(directory.resolve(each.getKey()), each.getValue());
    }
    Result result =
        Program.run(
            Map.of("TIDEMARK_CLUSTER_NAME", "prod", "TIDEMARK_EXCLUDE_CIDRS", "10.0.0.0/24"),
            "node-cidr",
            "plan",
            "--config-dir=" + directory,
            "--output=json");

    assertThat(result.err()).isEmpty();
    JsonNode plan = Reports.nodeCidrPlan(result);
    assertThat(plan.get("fullAtNode").asInt()).isEqualTo(511);
    assertThat(plan.at("/families/0/first").asText()).isEqualTo("10.0.1.0/24");
    assertThat(plan.at("/families/0/last").asText()).isEqualTo("10.4.255.0/24");
  }
}
