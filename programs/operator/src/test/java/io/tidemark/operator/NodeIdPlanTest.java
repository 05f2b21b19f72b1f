package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("tidemark node-id plan")
class NodeIdPlanTest {
  /** Ranges of the worked examples, by name. */
  private static final Map<String, String> RANGES =
      Map.of(
          "E1", "--nodeInterconnectCIDR=192.168.16.0/24",
          "E2", "--nodeInterconnectCIDR=192.168.16.0/24 --ipam-profile=reference",
          "E3",
              "--podSubnetCIDR=1.2.128.0/17 --podSubnetOneNodePrefixLen=29"
                  + " --vppHostSubnetCIDR=2.3.192.0/18 --vppHostSubnetOneNodePrefixLen=30"
                  + " --nodeInterconnectCIDR=3.4.5.192/26 --vxlanCIDR=4.5.6.192/26",
          "E4",
              "--podSubnetCIDR=fe10:f00d::/90 --podSubnetOneNodePrefixLen=120"
                  + " --vppHostSubnetCIDR=fe30:f00d::/90 --vppHostSubnetOneNodePrefixLen=126"
                  + " --nodeInterconnectCIDR=fe10:f00d::/90 --vxlanCIDR=fe20:f00d::/120"
                  + " --serviceCIDR=2096::/110",
          "E5",
              "--podSubnetCIDR=2001::/48 --podSubnetOneNodePrefixLen=60"
                  + " --vppHostSubnetCIDR=fe30:f00d::/90 --vppHostSubnetOneNodePrefixLen=126"
                  + " --nodeInterconnectCIDR=fe10:f00d::/90 --vxlanCIDR=fe20:f00d::/120"
                  + " --serviceCIDR=2096::/110",
          "E6",
              "--podSubnetCIDR=1.4.0.0/17 --podSubnetOneNodePrefixLen=28"
                  + " --vppHostSubnetCIDR=2.3.192.0/18 --vppHostSubnetOneNodePrefixLen=30"
                  + " --nodeInterconnectCIDR=1.1.128.0/17 --vxlanCIDR=2.2.128.0/17",
          "E7",
              "--podSubnetCIDR=1.2.128.0/17 --podSubnetOneNodePrefixLen=29"
                  + " --vppHostSubnetCIDR=2.3.192.0/18 --vppHostSubnetOneNodePrefixLen=30"
                  + " --nodeInterconnectCIDR=3.4.5.192/26 --vxlanCIDR=4.5.6.192/26"
                  + " --node-id-excluded-addresses=3.4.5.194");

  @TempDir private Path directory;

  private static Result plan(String options, String... more) {
    return Program.run(
        Stream.of(Stream.of("node-id", "plan"), Stream.of(options.split(" ", -1)), Stream.of(more))
            .flatMap(each -> each)
            .filter(each -> !each.isEmpty())
            .toArray(String[]::new));
  }

  private static String ranges(String example) {
    return Objects.requireNonNull(RANGES.get(example), example);
  }

  private static String golden(String name) {
    return Reports.recorded("/node-id/" + name);
  }

  private static Path contivConf() {
    return Repository.root().resolve("examples/node-id/contiv.conf");
  }

  @DisplayName("NI-36 Of each worked example each value is computed")
  @ParameterizedTest(name = "{0} id {1}: {2} is {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          E1 | 5   | podSubnet      | 10.1.5.0/24
          E1 | 5   | gateway        | 10.1.5.1
          E1 | 5   | firstPod       | 10.1.5.2
          E1 | 5   | lastPod        | 10.1.5.253
          E1 | 5   | pods           | 252
          E1 | 5   | natLoopback    | 10.1.5.254
          E1 | 5   | linkSubnet     | 172.30.5.0/24
          E1 | 5   | linkSwitchEnd  | 172.30.5.1
          E1 | 5   | linkHostEnd    | 172.30.5.2
          E1 | 5   | nodeAddress    | 192.168.16.5/24
          E1 | 5   | overlayAddress | 192.168.30.5/24
          E2 | 1   | podSubnet      | 10.1.1.0/24
          E2 | 255 | podSubnet      | 10.1.255.0/24
          E3 | 1   | podSubnet      | 1.2.128.8/29
          E3 | 1   | gateway        | 1.2.128.9
          E3 | 1   | firstPod       | 1.2.128.10
          E3 | 1   | lastPod        | 1.2.128.13
          E3 | 1   | natLoopback    | 1.2.128.14
          E3 | 1   | linkSubnet     | 2.3.192.4/30
          E3 | 1   | linkSwitchEnd  | 2.3.192.5
          E3 | 1   | linkHostEnd    | 2.3.192.6
          E3 | 5   | podSubnet      | 1.2.128.40/29
          E3 | 5   | linkSubnet     | 2.3.192.20/30
          E3 | 5   | nodeAddress    | 3.4.5.197/26
          E3 | 5   | overlayAddress | 4.5.6.197/26
          E4 | 5   | podSubnet      | fe10:f00d::500/120
          E4 | 5   | gateway        | fe10:f00d::501
          E4 | 5   | firstPod       | fe10:f00d::502
          E4 | 5   | lastPod        | fe10:f00d::5fd
          E4 | 5   | natLoopback    | fe10:f00d::5fe
          E4 | 5   | linkSubnet     | fe30:f00d::14/126
          E4 | 5   | linkSwitchEnd  | fe30:f00d::15
          E4 | 5   | linkHostEnd    | fe30:f00d::16
          E4 | 5   | nodeAddress    | fe10:f00d::5/90
          E4 | 5   | overlayAddress | fe20:f00d::5/120
          E5 | 1   | podSubnet      | 2001:0:0:10::/60
          E5 | 1   | firstPod       | 2001:0:0:10::2
          E5 | 1   | pods           | 295147905179352825852
          E6 | 257 | podSubnet      | 1.4.16.16/28
          E6 | 257 | nodeAddress    | 1.1.129.1/17
          E6 | 257 | overlayAddress | 2.2.129.1/17
          E7 | 1   | nodeAddress    | 3.4.5.193/26
          E7 | 2   | nodeAddress    | 3.4.5.195/26
          E7 | 3   | nodeAddress    | 3.4.5.196/26
          """)
  void examples(String example, String id, String field, String expected) {
    Result result = plan(ranges(example), "--node-id=" + id, "--output=json");
    // The interconnect of E4 and E5 is the range of their pods, as in Contiv's own test.
    assertThat(result.exitCode()).as(result.err()).isEqualTo(example.equals("E4") ? 3 : 0);
    JsonNode node = Reports.nodeIdPlan(result).get("nodes").get(0);
    assertThat(node.get("id").asText()).isEqualTo(id);
    assertThat(node.get(field).asText()).isEqualTo(expected);
  }

  @DisplayName("NI-36 The examples of ids that no node can have are refused")
  @ParameterizedTest(name = "{0} id {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          E1 | 255 | node id 255 is above 254, the highest id that interconnect 192.168.16.0/24 and overlay 192.168.30.0/24 serve
          E1 | 256 | node id 256 is above 254
          E2 | 256 | node id 256 is above 255, the highest id that interconnect 192.168.16.0/24 and overlay 192.168.30.0/24 serve
          E2 | 257 | node id 257 is above 255
          E7 | 62  | node id 62 is above 61, the highest id that interconnect 3.4.5.192/26 serves
          """)
  void beyond(String example, String id, String problem) {
    Result result = plan(ranges(example), "--node-id=" + id).ends(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("tidemark: TM-1505 NODE_ID_OUT_OF_RANGE: " + problem)
        .contains("Use a lower id, or widen the range named.");
  }

  @DisplayName("NI-25 Capacity of the default ranges (E10), and pods per node by prefix (E9)")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --nodeInterconnectCIDR=192.168.16.0/24                                           | 254 | 252
          --nodeInterconnectCIDR=192.168.16.0/24 --node-id-excluded-addresses=192.168.16.1 | 253 | 252
          --nodeInterconnectDHCP --vxlanCIDR=192.168.28.0/22                               | 255 | 252
          --podSubnetOneNodePrefixLen=29                                                   | 254 | 4
          --podSubnetOneNodePrefixLen=28                                                   | 254 | 12
          --podSubnetOneNodePrefixLen=26                                                   | 254 | 60
          --podSubnetOneNodePrefixLen=25                                                   | 254 | 124
          --podSubnetOneNodePrefixLen=22                                                   | 63  | 1020
          --contivCIDR=10.128.0.0/14                                                       | 510 | 124
          """)
  void capacity(String options, long nodes, long pods) {
    JsonNode capacity = Reports.nodeIdPlan(plan(options, "--output=json")).get("capacity");
    assertThat(capacity.get("nodes").asLong()).isEqualTo(nodes);
    assertThat(capacity.get("podsPerNode").asLong()).isEqualTo(pods);
  }

  @DisplayName("NI-36 What is printed is what src/test/resources/node-id holds")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ranges.txt   | 0 | -
          node.txt     | 0 | --node-id=5
          node.json    | 0 | --node-id=5 --output=json
          table.txt    | 0 | --count=3
          table.json   | 3 | --count=2 --output=json --vxlanCIDR=10.1.4.0/30 --node-id-excluded-addresses=10.0.0.1
          lacking.txt  | 3 | --count=4 --vxlanCIDR=192.168.30.0/30
          overlaps.txt | 3 | --podSubnetCIDR=10.100.0.0/16 --vxlanCIDR=192.168.16.128/25
          """)
  void recorded(String name, int exitCode, String options) {
    Result result = plan(options.equals("-") ? "" : options, "--config=" + contivConf());
    assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
    assertThat(result.out()).isEqualToNormalizingNewlines(golden(name));
    assertThat(result.err()).isEmpty();
    if (name.endsWith(".json")) {
      assertThat(Reports.nodeIdPlan(result).get("nodes")).isNotEmpty();
    }
  }

  @DisplayName("NI-36 Of a dump what is printed is what src/test/resources/node-id holds")
  @ParameterizedTest(name = "{1}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodes-sound.yaml    | existing-sound    | 0 | -
          nodes-findings.yaml | existing-findings | 3 | -
          nodes-sound.yaml    | existing-lacking  | 3 | --vxlanCIDR=192.168.30.0/30 --node-id-excluded-addresses=192.168.16.2
          """)
  void existing(String dump, String name, int exitCode, String options) {
    String words = "node-id plan --nodes=- --config=" + contivConf();
    String rest = options.equals("-") ? "" : " " + options;
    Result plain = Program.runWithInput(golden(dump), (words + rest).split(" ", -1));
    Result json =
        Program.runWithInput(golden(dump), (words + " --output=json" + rest).split(" ", -1));
    Reports.assertRecorded("/node-id/" + name, exitCode, plain, json);
    assertThat(Reports.nodeIdPlan(json).get("existing")).isNotEmpty();
  }

  @DisplayName("A dump that cannot be read ends with 3, and a place that cannot be read with 2")
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NAME   STATUS\\nnode-a   Ready                    | standard input:1: the text is a table as kubectl prints it
          ''                                               | standard input:1: the file is empty
          kind: List\\nitems: []                           | standard input: holds no Node
          items:\\n- kind: Node\\n  metadata: {name: a}\\n | standard input:1: kind: the kind is missing; the list may be cut off
          kind: CiliumNode\\nmetadata: {name: a}           | standard input:1: kind: the kind is CiliumNode, not Node
          """)
  void badDumps(String input, String problem) {
    Result result =
        Program.runWithInput(input.replace("\\n", "\n"), "node-id", "plan", "--nodes=-").ends(3);
    assertThat(result.out()).contains("0 nodes in the dump").contains("refused: " + problem);
    Path missing = directory.resolve("missing");
    assertThat(plan("--nodes=" + missing).ends(2).err())
        .contains("TM-1102 STORE_UNREADABLE: " + missing + " cannot be read");
  }

  @Test
  @DisplayName("reads our YAML, the environment and the command line, the latter first")
  void places() throws IOException {
    Path file = directory.resolve("settings.yaml");
    Files.writeString(
        file,
        """
        cluster-name: prod
        node-id-pod-subnet-cidr: 10.2.0.0/16
        node-id-interconnect-dhcp: true
        podSubnetOneNodePrefixLen: 25
        vxlanCIDR: 192.168.31.0/24
        """);
    JsonNode node =
        Reports.nodeIdPlan(
                Program.run(
                    Map.of(
                        "TIDEMARK_NODE_ID_POD_SUBNET_PREFIX", "26",
                        "TIDEMARK_NODE_ID_OVERLAY_CIDR", "192.168.32.0/24"),
                    "node-id",
                    "plan",
                    "--config=" + file,
                    "--node-id=3",
                    "--output=json",
                    "--node-id-overlay-cidr=192.168.33.0/24"))
            .get("nodes")
            .get(0);
    assertThat(node.get("podSubnet").asText()).isEqualTo("10.2.0.192/26");
    assertThat(node.get("overlayAddress").asText()).isEqualTo("192.168.33.3/24");
    assertThat(node.get("nodeAddress").isNull()).isTrue();
  }

  @Test
  @DisplayName("tells all problems of all places at once, and ends with 2")
  void problems() throws IOException {
    Path file = directory.resolve("contiv.conf");
    Files.writeString(
        file,
        """
        ipamConfig:
          podSubnetCIDR: 1.2.3./19
          vppHostSubnetOneNodePrefixLen: 16
        nodeConfig:
          - gateway: router
        """);
    Result result =
        Program.run(
                Map.of("TIDEMARK_NODE_ID_OVERLAY_CIDER", "x"),
                "node-id",
                "plan",
                "--config=" + file,
                "--serviceCIDR=10.96.0.0")
            .ends(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("tidemark: TM-1000 CONFIG_REFUSED: 4 problems\n")
        .contains("Did you mean TIDEMARK_NODE_ID_OVERLAY_CIDR?")
        .contains(file + ":5: nodeConfig[0].gateway=router is not an address.")
        .contains(
            file
                + ":2 (as podSubnetCIDR): node-id-pod-subnet-cidr=1.2.3./19 is not a CIDR: in the"
                + " address, an octet is missing.")
        .contains(
            "command line (as serviceCIDR): service-cluster-ip-range=10.96.0.0 is not a CIDR: it has"
                + " no /length.");
  }

  @DisplayName("A contiv.conf that is cut off, and other files that are none, end with 2")
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ipamConfig:\\n  podSubnetCIDR: 10.1.0.0/16\\n  podSub    | :3: is not valid YAML: could not find expected ':'
          ipamConfig:\\n                                            | :1: ipamConfig has no keys; the file may be cut off
          ipamConfig: {podSubnetCIDR: 10.1.0.0/16                   | is not valid YAML
          node-id-pod-subnet: 10.1.0.0/16                           | :1: node-id-pod-subnet is not a setting. Did you mean node-id-pod-subnet-cidr?
          eni-tags: a=b                                             | :1: eni-tags is a setting of provider aws
          """)
  void badFiles(String text, String problem) throws IOException {
    Path file = directory.resolve("f");
    Files.writeString(file, text.replace("\\n", "\n"));
    assertThat(plan("--config=" + file).ends(2).err())
        .startsWith("tidemark: TM-1000 CONFIG_REFUSED: ")
        .contains(problem);
    assertThat(plan("--config=" + directory.resolve("none")).ends(2).err())
        .contains("none: does not exist");
  }

  @DisplayName("A command line that makes no sense ends with 2")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --node-id=0                   | --node-id: node id is 0; expected a number from 1 to 4294967295
          --node-id=five                | --node-id: node id is 'five'; expected a number from 1 to 4294967295
          --node-id=4294967296          | --node-id: node id is 4294967296; expected a number from 1 to 4294967295
          --count=0                     | --count is 0; expected a number from 1 to 100000
          --count=100001                | --count is 100001; expected a number from 1 to 100000
          --count=x                     | Invalid value for option '--count': 'x' is not a whole number
          --node-id=1 --count=1         | --node-id, --count and --nodes exclude each other; give one of them
          --nodes=- --count=1           | --node-id, --count and --nodes exclude each other; give one of them
          --node=dump.yaml              | there is no option --node; the nearest is --nodes
          """)
  void misused(String options, String problem) {
    Result result = plan(options).ends(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("tidemark: TM-1020 USAGE_REFUSED: ")
        .contains(problem, "See tidemark node-id plan --help.");
  }
}
