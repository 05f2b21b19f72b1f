package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.daemon.ipamd.grpc.Wire;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command ipamd on an instance of EC2")
class IpamdOnEc2Test {
  @TempDir Path folder;
  private IpamdOnEc2 node;

  @BeforeEach
  void world() {
    node = new IpamdOnEc2(folder, IpamdOnEc2.WORLD);
  }

  @AfterEach
  void close() {
    node.close();
  }

  private long interfaces() {
    Matcher ids = Pattern.compile("eni-attach-[0-9a-f]+").matcher(node.state());
    return ids.results().map(each -> each.group()).distinct().count();
  }

  /** Private addresses that are not the primary ones of their interfaces. */
  private long secondaries() {
    return Pattern.compile("10\\.0\\.\\d+\\.\\d+\"").matcher(node.state()).results().count();
  }

  @Test
  @DisplayName(
      "D121 The pool grows and shrinks in EC2 with the pods; a restart keeps what they have")
  void grows() throws Exception {
    Path events = folder.resolve("events");
    Path hook =
        node.hook(
            "echo \"$TIDEMARK_EVENT $TIDEMARK_DEVICE $TIDEMARK_TABLE $TIDEMARK_GATEWAY"
                + " $TIDEMARK_MAC\" >> "
                + events
                + "\n");
    String[] settings = {
      "--warm-ip-target=1", "--minimum-ip-target=2", "--host-network-hook=" + hook
    };
    List<String> given = new ArrayList<>();
    node.serving(
        client -> {
          for (int pod = 0; pod < 5; pod++) {
            given.add(IpamdOnEc2.addUntilGiven(client, "pod-" + pod));
          }
          assertThat(given).doesNotHaveDuplicates().allMatch(text -> text.startsWith("10.0."));
        },
        settings);
    assertThat(interfaces()).as("three addresses on each").isEqualTo(2);
    assertThat(Files.readString(events))
        .containsPattern("attached 0 254 10.0.0.1 [0-9a-f:]{17}")
        .containsPattern("attached 1 2 10.0.0.1 [0-9a-f:]{17}");
    node.serving(
        client -> {
          for (int pod = 0; pod < 5; pod++) {
            assertThat(IpamdOnEc2.add(client, "pod-" + pod)).isEqualTo(given.get(pod));
          }
          long held = secondaries();
          assertThat(Wire.address(IpamdOnEc2.del(client, "pod-4"))).isEqualTo(given.get(4));
          for (int pod = 0; pod < 4; pod++) {
            assertThat(IpamdOnEc2.del(client, "pod-" + pod)).isNotEmpty();
          }
          Eventually.holds("some are given back", () -> secondaries() < held);
        },
        settings);
  }

  @Test
  @DisplayName("With demand the node keeps as many spare addresses as its pods are seen to need")
  void demand() throws Exception {
    node.environment = Map.of("TIDEMARK_PRE_ALLOCATE_MODE", "demand");
    node.serving(
        client -> {
          Eventually.holds(
              "two are free", () -> node.document("/v1/plan").contains("\"usable\":2,"));
          assertThat(node.document("/v1/plan"))
              .contains(
                  "\"spare\":{\"low\":2,\"target\":2,\"high\":2,\"leadTimeSeconds\":",
                  "\"basis\":\"static\"}");
          assertThat(node.page("metrics", "/metrics"))
              .contains("awscni_spare_target_ips{card=\"0\"} 2.0")
              .containsPattern("awscni_lead_time_seconds\\{card=\"0\"} [0-9.]*[1-9]");
          IpamdOnEc2.addUntilGiven(client, "pod");
          Eventually.holds(
              "two are free again", () -> node.document("/v1/plan").contains("\"usable\":2,"));
        },
        "--demand-spare-max=2");
    node.environment = Map.of("TIDEMARK_PRE_ALLOCATE_MODE", "demand", "WARM_IP_TARGET", "3");
    assertThat(node.refused()).contains("TM-1004", "warm-ip-target=3", "pre-allocate-mode=demand");
  }

  @Test
  @DisplayName("AM21 Without a hook only addresses of the primary interface are assigned")
  void primaryOnly() throws Exception {
    String said =
        node.serving(
            client -> {
              for (int pod = 0; pod < 3; pod++) {
                IpamdOnEc2.addUntilGiven(client, "pod-" + pod);
              }
              assertThat(IpamdOnEc2.add(client, "pod-3")).isEmpty();
              Eventually.holds(
                  "it cannot grow", () -> node.document("/v1/plan").contains("exhausted"));
              assertThat(IpamdOnEc2.add(client, "pod-3")).isEmpty();
            },
            "--warm-ip-target=1");
    assertThat(interfaces()).isEqualTo(1);
    assertThat(said).contains("host-network-hook");
  }

  @Test
  @DisplayName("With max-eni the node has no more interfaces, though its type carries more")
  void interfacesMax() throws Exception {
    Path hook = node.hook("exit 0\n");
    node.serving(
        client -> {
          for (int pod = 0; pod < 6; pod++) {
            IpamdOnEc2.addUntilGiven(client, "pod-" + pod);
          }
          assertThat(IpamdOnEc2.add(client, "pod-6")).isEmpty();
          Eventually.holds("it cannot grow", () -> node.document("/v1/plan").contains("exhausted"));
          assertThat(IpamdOnEc2.add(client, "pod-6")).isEmpty();
        },
        "--warm-ip-target=1",
        "--max-eni=2",
        "--host-network-hook=" + hook);
    assertThat(interfaces()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "D138 A hook that fails costs one interface, and is the reason that is shown; once it"
          + " succeeds pods use the interface")
  void hookFailsAlways() throws Exception {
    Path runs = Files.createFile(folder.resolve("runs"));
    Path allowed = folder.resolve("allowed");
    String other = "[ -e " + allowed + " ] || { printf x >>" + runs + "; exit 1; }";
    Path hook = node.hook("[ \"$TIDEMARK_DEVICE\" = 0 ] || " + other + "\n");
    node.serving(
        client -> {
          for (int pod = 0; pod < 3; pod++) {
            assertThat(IpamdOnEc2.addUntilGiven(client, "pod-" + pod)).isNotEmpty();
          }
          assertThat(IpamdOnEc2.add(client, "pod-3")).isEmpty();
          Eventually.holds("it failed three times", () -> Files.readString(runs).length() >= 3);
          IpamdOnEc2.add(client, "pod-3");
          Eventually.holds("it waits", () -> node.document("/v1/plan").contains("waits"));
          assertThat(node.document("/v1/plan")).containsPattern("\"interfaces\" ?: ?\\[ ?\"eni-");
          assertThat(interfaces()).isEqualTo(2);
          Files.createFile(allowed);
          assertThat(IpamdOnEc2.addUntilGiven(client, "pod-3")).isNotEmpty();
        },
        "--host-network-hook=" + hook);
  }

  @Test
  @DisplayName("D138 While the hook fails for every interface none is created, and it is not ready")
  void hookFailsForAll() throws Exception {
    Path runs = Files.createFile(folder.resolve("runs"));
    Path hook = node.hook("printf x >>" + runs + "\nexit 1\n");
    node.serving(
        client -> {
          assertThat(IpamdOnEc2.add(client, "pod")).isEmpty();
          Eventually.holds("it failed three times", () -> Files.readString(runs).length() >= 3);
          Eventually.holds(
              "it is not ready",
              () -> node.document("/readyz").contains("host-network-hook has not succeeded"));
          assertThat(interfaces()).isEqualTo(1);
        },
        "--host-network-hook=" + hook);
  }

  @Test
  @DisplayName("D139 After the AWS VPC CNI no interface is created because its addresses cool")
  void takeOver() throws Exception {
    String[] settings = {"--host-network-hook=" + node.hook("exit 0\n"), "--ip-cooldown=130s"};
    node.serving(
        client ->
            Eventually.holds(
                "the interface is filled", () -> node.document("/v1/plan").contains("\"none\"")),
        settings);
    assertThat(interfaces()).isEqualTo(1);
    Files.writeString(node.checkpoint, "{\"version\":\"vpc-cni-ipam/1\",\"allocations\":[]}\n");
    node.serving(
        client -> {
          assertThat(IpamdOnEc2.add(client, "pod")).isEmpty();
          Eventually.holds(
              "the pool was looked at", () -> node.document("/v1/plan").contains("\"short\""));
          assertThat(node.document("/v1/plan")).containsPattern("\"cooling\" ?: ?3");
          assertThat(interfaces()).isEqualTo(1);
        },
        settings);
    assertThat(interfaces()).isEqualTo(1);
  }

  @Test
  @DisplayName("AWS-101 Of a type that the table lacks the limits are waited for, then pods served")
  void newerType() throws Exception {
    List<String> types =
        new ArrayList<>(Files.readAllLines(Repository.root().resolve("data/instance-types.csv")));
    types.add(
        types.stream()
            .filter(line -> line.startsWith("t3.small,"))
            .findFirst()
            .orElseThrow()
            .replace("t3.small", "zz9.small"));
    try (IpamdOnEc2 newer =
        new IpamdOnEc2(
            folder,
            IpamdOnEc2.WORLD.replace("t3.small", "zz9.small"),
            Ec2InstanceTypes.parse(types))) {
      newer.serving(
          client -> assertThat(IpamdOnEc2.addUntilGiven(client, "pod")).startsWith("10.0."),
          "--enable-prefix-delegation");
    }
  }

  @Test
  @DisplayName("D128 While EC2 is away pods keep their addresses, and new ones wait for it")
  void away() throws Exception {
    node.servesWhileAway("--warm-ip-target=2");
  }

  @Test
  @DisplayName("D118 The scraped metrics are those of docs/metrics.md, with what happens in EC2")
  void metrics() throws Exception {
    node.serving(
        client -> {
          String given = IpamdOnEc2.addUntilGiven(client, "pod-0");
          Eventually.holds(
              "one is free",
              () ->
                  node.page("metrics", "/metrics")
                      .contains("awscni_total_ip_addresses{card=\"0\"} 2.0"));
          node.ec2
              .emulator()
              .faults(
                  List.of(
                      Ec2FaultRule.failing(
                          "AssignPrivateIpAddresses", new Ec2Error("AnyProblem", "no", 400))));
          assertThat(Wire.address(IpamdOnEc2.del(client, "pod-0"))).isEqualTo(given);
          assertThat(List.of(IpamdOnEc2.add(client, "pod-1"), IpamdOnEc2.add(client, "pod-2")))
              .as("nothing cools")
              .contains(given)
              .doesNotContain("");
          Eventually.holds(
              "more is refused",
              () ->
                  node.page("metrics", "/metrics")
                      .contains("fn=\"increaseIPPoolAllocIPAddressesFailed\""));
          String scraped = node.page("metrics", "/metrics");
          assertThat(scraped)
              .contains(
                  "awscni_eni_max{card=\"0\"} 1.0",
                  "awscni_ip_max{card=\"0\"} 3.0",
                  "awscni_reconcile_count{card=\"0\",fn=\"eniReconcileAdd\"} 0.0",
                  "awscni_ipamd_action_inprogress{fn=\"nodeIPPoolReconcile\"} 0.0",
                  "awscni_ipamd_action_inprogress{fn=\"increaseDatastorePool\"} 0.0",
                  "awscni_checkpoint_batch_size_count{card=\"0\"} ",
                  "awscni_reuse_distance_seconds_count{card=\"0\"} 1");
          List<String> missing = new ArrayList<>(documented());
          scraped.lines().forEach(line -> missing.removeIf(line::startsWith));
          assertThat(missing).as("metrics without a sample").isEmpty();
        },
        "--warm-ip-target=1",
        "--minimum-ip-target=2");
  }

  /** The names of the tables of the stores and of calls in the document, and what follows them. */
  private static List<String> documented() throws IOException {
    String page = Repository.text("docs/metrics.md");
    String tables =
        page.substring(page.indexOf("The library `datastore`"), page.indexOf("## CIDRs of nodes"));
    return Pattern.compile("(?m)^\\| `([a-z0-9_]+)` \\| ([a-z]+) \\|")
        .matcher(tables)
        .results()
        .map(each -> "awscni_" + each.group(1) + (each.group(2).equals("histogram") ? "_sum" : ""))
        .filter(name -> !name.equals("awscni_checkpoint_failures_total"))
        .filter(name -> !name.matches("awscni_(spare_target_ips|lead_time_seconds)"))
        .toList();
  }

  @Test
  @DisplayName(
      "D137 Where the manifest forbids changes in EC2, nothing is served and nothing changed")
  void provisioningForbidden() {
    for (String variable :
        List.of("DISABLE_NETWORK_RESOURCE_PROVISIONING", "ENABLE_IMDS_ONLY_MODE")) {
      node.environment = Map.of(variable, "true");
      assertThat(node.refused()).contains("TM-1000", variable + "=true", "--interfaces");
    }
    assertThat(node.state()).as("requests to EC2").contains("\"calls\" : { }");
  }

  @Test
  @DisplayName("AM12 Without metadata nothing is served, and the reason is printed")
  void noMetadata() {
    assertThat(node.refused("--aws-metadata-endpoint=http://127.0.0.1:1"))
        .contains("TM-1808", "127.0.0.1:1");
  }

  @Test
  @DisplayName("AM12 A metadata service that names no instance is the reason that is printed")
  void metadataWithoutInstance() throws Exception {
    HttpServer metadata =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    metadata.createContext(
        "/",
        exchange -> {
          boolean id = exchange.getRequestURI().getPath().endsWith("/instance-id");
          byte[] body = (id ? "\n" : "any").getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    metadata.start();
    try {
      String at = "http://127.0.0.1:" + metadata.getAddress().getPort();
      assertThat(node.refused("--aws-metadata-endpoint=" + at))
          .contains("TM-1808", "the instance's metadata have no instance-id")
          .doesNotContain("Exception");
    } finally {
      metadata.stop(0);
    }
  }
}
