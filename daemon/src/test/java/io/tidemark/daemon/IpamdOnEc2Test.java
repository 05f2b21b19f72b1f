package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.ipamd.grpc.RpcClient;
import io.tidemark.daemon.ipamd.grpc.Wire;
import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.pace.FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.scenario.ScenarioYaml;
import io.tidemark.emulator.ec2.types.InstanceTypes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command ipamd on an instance of EC2")
class IpamdOnEc2Test {

  private static final String WORLD =
      """
      account: "111111111111"
      region: eu-west-1
      throttle: false
      delays: {visibility: 0, read-lag: 0, start: 0, attach: 100ms, detach: 100ms}
      vpcs:
        - {name: v, cidr: 10.0.0.0/16, subnets: [{name: s, zone: eu-west-1a, cidr: 10.0.0.0/20}]}
      instances:
        - {name: node, subnet: s, type: t3.small}
      imds: {instance: node}
      """;

  @TempDir Path folder;
  private final Map<String, String> properties =
      Map.of("aws.accessKeyId", "111111111111", "aws.secretAccessKey", "any");
  private final Ec2Emulator.Listening ec2 = listen();

  /** What the present program prints. */
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  private Path socket = Path.of("");
  private Path checkpoint = Path.of("");

  private static Ec2Emulator.Listening listen() {
    try {
      return Ec2Emulator.listen(
          ListenOptions.of(
                  0,
                  ScenarioYaml.read("test", WORLD, InstanceTypes.bundled())
                      .scenario()
                      .orElseThrow())
              .withMetadata(0, new Imds.Setting(Optional.empty(), Optional.empty())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void prepare() {
    properties.forEach(System::setProperty);
    socket = folder.resolve("ipamd.sock");
    checkpoint = folder.resolve("ipam.json");
  }

  @AfterEach
  void close() {
    properties.keySet().forEach(System::clearProperty);
    ec2.close();
  }

  private interface Calls {
    void with(RpcClient client) throws Exception;
  }

  /** Serves while {@code calls} run. */
  private String serving(Calls calls, String... more) throws Exception {
    StopSignal stop = new StopSignal();
    CountDownLatch serving = new CountDownLatch(1);
    errors.reset();
    OutputStream watched =
        new OutputStream() {
          @Override
          public synchronized void write(int b) {
            errors.write(b);
            if (b == '\n' && errors.toString(UTF_8).contains("serving the plugin")) {
              serving.countDown();
            }
          }
        };
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "ipamd",
                "--ipamd-socket=" + socket,
                "--checkpoint-path=" + checkpoint,
                "--check-pod-links=false",
                "--introspection-address=127.0.0.1:0",
                "--metrics-address=127.0.0.1:0",
                "--ec2-api-endpoint=" + ec2.endpoint(),
                "--aws-metadata-endpoint=" + ec2.metadataEndpoint().orElseThrow(),
                "--ip-cooldown=0s"));
    arguments.addAll(List.of(more));
    Console console =
        new Console(
            new PrintStream(OutputStream.nullOutputStream(), true, UTF_8),
            new PrintStream(watched, true, UTF_8),
            false);
    CompletableFuture<Integer> end =
        CompletableFuture.supplyAsync(
            () -> Main.run(console, stop, Map.of(), arguments.toArray(String[]::new)),
            AgentRun::inThread);
    Object unused = end.whenComplete((code, thrown) -> serving.countDown());
    serving.await();
    assertThat(end).as(errors.toString(UTF_8)).isNotDone();
    try (RpcClient client = RpcClient.of(socket)) {
      calls.with(client);
    } finally {
      stop.request();
    }
    assertThat(end.get()).isZero();
    return errors.toString(UTF_8);
  }

  private static String add(RpcClient client, String container) {
    byte[] reply =
        client.call(
            RpcClient.ADD,
            new Wire()
                .text(1, container)
                .text(2, "default")
                .text(5, "eth0")
                .text(6, "aws-cni")
                .text(7, container)
                .text(8, "v1.23.1")
                .done());
    return Wire.values(reply, 2).isEmpty() ? "" : Wire.address(reply);
  }

  private static byte[] del(RpcClient client, String container) {
    return client.call(
        RpcClient.DEL, new Wire().text(6, "eth0").text(7, "aws-cni").text(8, container).done());
  }

  /** As the runtime does when a pod gets no address. */
  private static String addUntilGiven(RpcClient client, String container) {
    String[] given = {""};
    Eventually.holds(
        "an address of " + container,
        () -> {
          given[0] = add(client, container);
          return !given[0].isEmpty();
        });
    return given[0];
  }

  /** What EC2 has, as its own page says. */
  private String state() {
    return page(ec2.endpoint().resolve("/_tidemark/state"));
  }

  /** What the program gets next. */
  private String plan() {
    return page("introspection", "/v1/plan");
  }

  /** A page of the listener that the console calls so. */
  private String page(String listener, String path) {
    Matcher port = Pattern.compile(listener + " on port ([0-9]+)").matcher(errors.toString(UTF_8));
    assertThat(port.find()).isTrue();
    return page(URI.create("http://127.0.0.1:" + port.group(1) + path));
  }

  private static String page(URI uri) {
    try {
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private long interfaces() {
    Matcher ids = Pattern.compile("eni-attach-[0-9a-f]+").matcher(state());
    return ids.results().map(each -> each.group()).distinct().count();
  }

  /** Private addresses that are not the primary ones of their interfaces. */
  private long secondaries() {
    return Pattern.compile("10\\.0\\.\\d+\\.\\d+\"").matcher(state()).results().count();
  }

  private Path hook(String script) throws IOException {
    Path hook = folder.resolve("hook");
    Files.writeString(hook, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwx------"));
    return hook;
  }

  @Test
  @DisplayName(
      "D121 The pool grows and shrinks in EC2 with the pods; a restart keeps what they have")
  void grows() throws Exception {
    Path events = folder.resolve("events");
    Path hook =
        hook(
            "echo \"$TIDEMARK_EVENT $TIDEMARK_DEVICE $TIDEMARK_TABLE $TIDEMARK_GATEWAY"
                + " $TIDEMARK_MAC\" >> "
                + events
                + "\n");
    String[] settings = {
      "--warm-ip-target=1", "--minimum-ip-target=2", "--host-network-hook=" + hook
    };
    List<String> given = new ArrayList<>();
    serving(
        client -> {
          for (int pod = 0; pod < 5; pod++) {
            given.add(addUntilGiven(client, "pod-" + pod));
          }
          assertThat(given).doesNotHaveDuplicates().allMatch(text -> text.startsWith("10.0."));
        },
        settings);
    assertThat(interfaces()).as("three addresses on each").isEqualTo(2);
    assertThat(Files.readString(events))
        .containsPattern("attached 0 254 10.0.0.1 [0-9a-f:]{17}")
        .containsPattern("attached 1 2 10.0.0.1 [0-9a-f:]{17}");
    serving(
        client -> {
          for (int pod = 0; pod < 5; pod++) {
            assertThat(add(client, "pod-" + pod)).isEqualTo(given.get(pod));
          }
          assertThat(Wire.address(del(client, "pod-4"))).isEqualTo(given.get(4));
          for (int pod = 0; pod < 4; pod++) {
            assertThat(del(client, "pod-" + pod)).isNotEmpty();
          }
          long held = secondaries();
          Eventually.holds("some are given back", () -> secondaries() < held);
        },
        settings);
  }

  @Test
  @DisplayName("AM21 Without a hook only addresses of the primary interface are assigned")
  void primaryOnly() throws Exception {
    String said =
        serving(
            client -> {
              for (int pod = 0; pod < 3; pod++) {
                addUntilGiven(client, "pod-" + pod);
              }
              assertThat(add(client, "pod-3")).isEmpty();
              Eventually.holds("it cannot grow", () -> plan().contains("exhausted"));
              assertThat(add(client, "pod-3")).isEmpty();
            },
            "--warm-ip-target=1");
    assertThat(interfaces()).isEqualTo(1);
    assertThat(said).contains("host-network-hook");
  }

  @Test
  @DisplayName("An interface is not for pods until its hook ends with 0")
  void failingHook() throws Exception {
    Path allowed = folder.resolve("allowed");
    Path runs = Files.createFile(folder.resolve("runs"));
    String other = "[ -e " + allowed + " ] || { printf x >>" + runs + "; exit 1; }";
    Path hook = hook("[ \"$TIDEMARK_DEVICE\" = 0 ] || " + other + "\n");
    serving(
        client -> {
          for (int pod = 0; pod < 3; pod++) {
            addUntilGiven(client, "pod-" + pod);
          }
          Eventually.holds("it failed twice", () -> Files.readString(runs).length() >= 2);
          assertThat(interfaces()).isEqualTo(2);
          assertThat(add(client, "pod-3")).isEmpty();
          Files.createFile(allowed);
          assertThat(addUntilGiven(client, "pod-3")).isNotEmpty();
        },
        "--warm-ip-target=1",
        "--host-network-hook=" + hook);
  }

  @Test
  @DisplayName("D128 While EC2 is away pods keep their addresses, and new ones wait for it")
  void away() throws Exception {
    String[] given = {""};
    serving(client -> given[0] = addUntilGiven(client, "old"), "--warm-ip-target=2");
    ec2.emulator()
        .faults(
            List.of(
                FaultRule.failing(
                    "DescribeNetworkInterfaces", new Ec2Error("InternalError", "away", 500))));
    serving(
        client -> {
          assertThat(add(client, "old")).isEqualTo(given[0]);
          assertThat(add(client, "new")).isEmpty();
          ec2.emulator().faults(List.of());
          assertThat(addUntilGiven(client, "new")).isNotEqualTo(given[0]);
          assertThat(Wire.address(del(client, "old"))).isEqualTo(given[0]);
        },
        "--warm-ip-target=2");
  }

  @Test
  @DisplayName("D118 The scraped metrics are those of docs/metrics.md, with what happens in EC2")
  void metrics() throws Exception {
    serving(
        client -> {
          String given = addUntilGiven(client, "pod-0");
          assertThat(Wire.address(del(client, "pod-0"))).isEqualTo(given);
          assertThat(add(client, "pod-1")).as("nothing cools").isEqualTo(given);
          Eventually.holds(
              "one is free",
              () ->
                  page("metrics", "/metrics")
                      .contains("awscni_total_ip_addresses{card=\"0\"} 2.0"));
          ec2.emulator()
              .faults(
                  List.of(
                      FaultRule.failing(
                          "AssignPrivateIpAddresses", new Ec2Error("AnyProblem", "no", 400))));
          assertThat(add(client, "pod-2")).isNotEmpty();
          Eventually.holds(
              "more is refused",
              () ->
                  page("metrics", "/metrics")
                      .contains("fn=\"increaseIPPoolAllocIPAddressesFailed\""));
          String scraped = page("metrics", "/metrics");
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
        "--warm-ip-target=1");
  }

  /** The names of the tables of the stores and of calls in the document, and what follows them. */
  private static List<String> documented() throws IOException {
    String page = Files.readString(Path.of("../docs/metrics.md"));
    String tables =
        page.substring(page.indexOf("The library `datastore`"), page.indexOf("## The process"));
    return Pattern.compile("(?m)^\\| `([a-z0-9_]+)` \\| ([a-z]+) \\|")
        .matcher(tables)
        .results()
        .map(each -> "awscni_" + each.group(1) + (each.group(2).equals("histogram") ? "_sum" : ""))
        .filter(name -> !name.equals("awscni_checkpoint_failures_total"))
        .toList();
  }

  @Test
  @DisplayName("AM12 Without metadata nothing is served, and the reason is printed")
  void noMetadata() {
    Console console =
        new Console(
            new PrintStream(OutputStream.nullOutputStream(), true, UTF_8),
            new PrintStream(errors, true, UTF_8),
            false);
    int code =
        Main.run(
            console,
            new StopSignal(),
            Map.of(),
            "ipamd",
            "--ipamd-socket=" + socket,
            "--checkpoint-path=" + checkpoint,
            "--check-pod-links=false",
            "--aws-metadata-endpoint=http://127.0.0.1:1");
    assertThat(code).isNotZero();
    assertThat(errors.toString(UTF_8)).contains("TM-1808", "127.0.0.1:1");
    assertThat(socket).doesNotExist();
  }
}
