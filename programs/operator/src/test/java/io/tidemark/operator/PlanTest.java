package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("tidemark plan")
class PlanTest {
  private static final String ROLE = "--aws-network-role-arn=arn:aws:iam::222222222222:role/net";

  /** Words are {@code NODES PODS TYPE}, then options. */
  private static Result plan(String words, String... more) {
    String[] size = words.replace("ROLE", ROLE).split(" ", 4);
    List<String> all = new ArrayList<>(List.of("plan", "--nodes=" + size[0]));
    all.addAll(List.of("--pods-per-node=" + size[1], "--instance-type=" + size[2]));
    if (size.length > 3) {
      all.addAll(List.of(size[3].split(" ", -1)));
    }
    all.addAll(List.of(more));
    return Program.run(all.toArray(String[]::new));
  }

  @DisplayName("counts the addresses, interfaces, blocks and requests of a node")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1000 20  m5.large                                     | 20  | 27  | 3 | 0 | 30  | Assign 2 Attach 2 Create 2 Modify 2
          10   27  m5.large                                     | 27  | 27  | 3 | 0 | 30  | Assign 1 Attach 2 Create 2 Modify 2
          10   28  m5.large                                     | 27  | 27  | 3 | 0 | 30  | Assign 1 Attach 2 Create 2 Modify 2
          100  110 m5.large --enable-prefix-delegation          | 110 | 128 | 1 | 8 | 129 | Assign 2
          10   20  m4.large --enable-prefix-delegation          | 18  | 18  | 2 | 0 | 20  | Assign 1 Attach 1 Create 1 Modify 1
          200  30  c5.xlarge --first-interface-index=1          | 30  | 38  | 4 | 0 | 42  | Assign 1 Attach 3 Create 3 Modify 3
          10   5   m5.large --pre-allocate=2                    | 5   | 7   | 1 | 0 | 8   | Assign 2
          10   1   t3.micro                                     | 1   | 2   | 2 | 0 | 4   | Assign 1 Attach 1 Create 1 Modify 1
          1000 20  m5.large ROLE                                | 20  | 27  | 3 | 0 | 30  | Assign 2 Attach 2 Create 2 CreatePermission 2 Modify 2
          10   4   own.type --aws-instance-limit-mapping=own.type=2,6,6 | 4 | 10 | 2 | 0 | 12 | Assign 1 Attach 1 Create 1 Modify 1
          1000 60  Standard_D4s_v5                              | 60  | 68  | 1 | 0 | 69  | VirtualMachineScaleSetVMs.Update 2
          10   60  standard_d4s_v5                              | 60  | 68  | 1 | 0 | 69  | VirtualMachineScaleSetVMs.Update 2
          10   300 Standard_D4s_v5                              | 255 | 255 | 1 | 0 | 256 | VirtualMachineScaleSetVMs.Update 1
          1000 60  any --provider=azure --flexible --enable-prefix-delegation | 60 | 80 | 1 | 5 | 81 | Interfaces.CreateOrUpdate 2
          """)
  void ofOneNode(
      String words,
      int served,
      int addresses,
      int interfaces,
      int blocks,
      int subnetAddresses,
      String requests) {
    JsonNode plan = Reports.clusterPlan(plan(words.replaceAll(" +", " "), "--output=json"));
    JsonNode node = plan.get("node");
    assertThat(node.get("served").asInt()).isEqualTo(served);
    assertThat(node.get("addresses").asInt()).isEqualTo(addresses);
    assertThat(node.get("interfaces").asInt()).isEqualTo(interfaces);
    assertThat(node.get("blocks").asInt()).isEqualTo(blocks);
    assertThat(node.get("subnetAddresses").asInt()).isEqualTo(subnetAddresses);
    List<String> sent = new ArrayList<>();
    node.get("requests")
        .properties()
        .forEach(
            each ->
                sent.add(
                    each.getKey().replaceAll("(PrivateIp|Network).*?(?=Permission|$)", "")
                        + " "
                        + each.getValue()));
    assertThat(String.join(" ", sent)).isEqualTo(requests);
    assertThat(plan.get("cluster").get("subnetAddresses").asLong())
        .isEqualTo((long) subnetAddresses * plan.get("nodes").asInt());
  }

  @DisplayName("counts subnets of each size, and tells the limit that bounds the time")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1000 20  m5.large                            | /17 1 /20 8 /22 31 /24 125                 | 390  | AttachNetworkInterface
          100  110 m5.large --enable-prefix-delegation | /18 1 /20 4 /22 15 /24 100                 | 20   | AssignPrivateIpAddresses
          10   1   t3.micro                            | /20 1 /22 1 /24 1 /26 1                    | 11   | the requests of one node
          10   5   m5.large --limit-ipam-api-qps=2 --limit-ipam-api-burst=4 | /20 1 /22 1 /24 1     | 23   | limit-ipam-api-qps
          1000 20  m5.large --ec2-api-share=0.07       | /17 1 /20 8 /22 31 /24 125                 | 5706 | AttachNetworkInterface, 0.35 requests a second
          1000 20  m5.large --ec2-api-share=0.5        | /17 1 /20 8 /22 31 /24 125                 | 790  | AttachNetworkInterface
          50   20  m5.large --parallel-alloc-workers=2 | /20 1 /21 1 /22 2 /24 7                    | 199  | parallel-alloc-workers, 2 workers
          1000 20  m5.large ROLE                       | /17 1 /20 8 /22 31 /24 125                 | 390  | CreateNetworkInterfacePermission
          60000 50 m5.24xlarge                         | /20 883 /22 3750 /24 15000 | 23980 | AssignPrivateIpAddresses
          1000 60  Standard_D4s_v5                     | /15 1 /20 17 /22 72 /24 334                | 181  | ResourceManager.Writes
          10   300 Standard_D4s_v5                     | /20 1 /22 4 /24 0                          | 10   | the requests of one node
          10   60  Standard_D4s_v5 --azure-subnet-reserve=200 | /20 1 /22 1 /24 0                   | 20   | the requests of one node
          1    60  x --provider=azure --flexible --enable-prefix-delegation --azure-subnet-reserve=200  | /20 1 /22 1 /23 1 /24 0 | 20 | the requests of one node
          10   60  x --provider=azure --flexible --enable-prefix-delegation --azure-subnet-reserve=1000 | /20 1 /21 1 /22 0 /24 0 | 20 | the requests of one node
          3    3   m5.large --first-interface-index=9  | /20 1 /22 1 /24 1 /28 1                    | 0    | the requests of one node
          1000 60  any --provider=azure --flexible --enable-prefix-delegation | /15 1 /20 20 /22 84 /24 500 | 1500 | Interfaces.CreateOrUpdate
          """)
  void ofTheCluster(String words, String subnets, long seconds, String bound) {
    JsonNode plan = Reports.clusterPlan(plan(words.replaceAll(" +", " "), "--output=json"));
    List<String> found = new ArrayList<>();
    for (JsonNode each : plan.get("subnets")) {
      found.add("/" + each.get("prefix") + " " + each.get("count"));
    }
    assertThat(String.join(" ", found)).isEqualTo(subnets);
    assertThat(plan.get("seconds").asLong()).isEqualTo(seconds);
    assertThat(plan.get("boundBy").asText()).contains(bound);
  }

  @DisplayName(
      "prints tables and sentences, and ends with 3 where pods get no address, or a network is too small")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fits    | 0 | 1000 20 m5.large
          blocks  | 0 | 100 110 m5.large --enable-prefix-delegation
          lacking | 3 | 100 110 m5.large
          large   | 3 | 1899 60 Standard_D4s_v5
          """)
  void asRecorded(String name, int exitCode, String words) {
    Reports.assertRecorded("/plan/" + name, exitCode, plan(words), plan(words, "--output=json"));
  }

  @DisplayName("refuses with 2 what it cannot plan, all wrong numbers at once")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x 0 m5.large --pre-allocate=-1   | TM-1020 USAGE_REFUSED: --nodes is x; expected a number from 1 to 100000; --pods-per-node is 0; expected a number from 1 to 100000; --pre-allocate is -1; expected a number from 0 to 100000.
          1 1 m5.lagre                     | TM-1205 LIMITS_UNKNOWN: no limits of instance type 'm5.lagre' are shipped or set; the nearest are m5.large,
          1 1 m5.large --provider=mock     | provider=mock (command line) has no plan of addresses; set --provider to aws or azure
          1 1 m5.large --flexible          | TM-1020 USAGE_REFUSED: --flexible is for azure only; remove it, or set --provider=azure
          0 1 Standard_D4s_v5 --first-interface-index=1 | --nodes is 0; expected a number from 1 to 100000; --first-interface-index=1 is for aws only; remove it, or set --provider=aws
          1 1 m5.large --ipam=node-id      | ipam=node-id (command line) has no plan of addresses
          1 1 m5.large --ec2-api-share=99  | ec2-api-share=99
          """)
  void refused(String words, String problem) {
    Result result = plan(words).ends(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(problem);
  }
}
