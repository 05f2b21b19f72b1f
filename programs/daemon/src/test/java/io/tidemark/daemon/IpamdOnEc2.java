package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.ipamd.grpc.RpcClient;
import io.tidemark.daemon.ipamd.grpc.Wire;
import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.scenario.Ec2ScenarioYaml;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code ipamd} in this process, on an instance of the emulated EC2. */
final class IpamdOnEc2 implements AutoCloseable {
  private static final Map<String, String> PROPERTIES =
      Map.of("aws.accessKeyId", "111111111111", "aws.secretAccessKey", "any");

  final Ec2Emulator.Listening ec2;
  final Path socket;
  final Path checkpoint;

  /** Of the program. */
  Map<String, String> environment = Map.of();

  /** The output of the present program. */
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  /** The calls to the program while it serves. */
  interface Calls {
    void with(RpcClient client) throws Exception;
  }

  /**
   * Nothing runs yet.
   *
   * @param folder of its files
   * @param world of EC2, as a scenario
   */
  IpamdOnEc2(Path folder, String world) {
    this(folder, world, Ec2InstanceTypes.bundled());
  }

  /** The same with other types of instances. */
  IpamdOnEc2(Path folder, String world, Ec2InstanceTypes types) {
    PROPERTIES.forEach(System::setProperty);
    this.socket = folder.resolve("ipamd.sock");
    this.checkpoint = folder.resolve("ipam.json");
    try {
      this.ec2 =
          Ec2Emulator.listen(
              ListenOptions.of(
                      0, Ec2ScenarioYaml.read("test", world, types).scenario().orElseThrow())
                  .withMetadata(0, new Imds.Setting(Optional.empty(), Optional.empty())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    PROPERTIES.keySet().forEach(System::clearProperty);
    ec2.close();
  }

  private List<String> arguments(String... more) {
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
    for (String each : more) {
      arguments.removeIf(given -> given.startsWith(each.replaceFirst("=.*", "=")));
      arguments.add(each);
    }
    return arguments;
  }

  private int run(OutputStream printed, StopSignal stop, List<String> arguments) {
    Console console =
        new Console(
            new PrintStream(OutputStream.nullOutputStream(), true, UTF_8),
            new PrintStream(printed, true, UTF_8),
            false);
    return Main.run(console, stop, environment, arguments.toArray(String[]::new));
  }

  /** Serves while {@code calls} run; what it has printed. */
  String serving(Calls calls, String... more) throws Exception {
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
    CompletableFuture<Integer> end =
        CompletableFuture.supplyAsync(
            () -> run(watched, stop, arguments(more)), AgentRun::inThread);
    end.whenComplete((code, thrown) -> serving.countDown());
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

  /** The output of a program that does not start. */
  String refused(String... more) {
    errors.reset();
    assertThat(run(errors, new StopSignal(), arguments(more))).isNotZero();
    assertThat(socket).doesNotExist();
    return errors.toString(UTF_8);
  }

  // ---- requests

  /** The reply to an ADD. */
  static byte[] reply(RpcClient client, String container) {
    return client.call(RpcClient.ADD, Wire.addition(container));
  }

  /** The address that a pod gets; empty when it gets none. */
  static String add(RpcClient client, String container) {
    byte[] reply = reply(client, container);
    return Wire.values(reply, 2).isEmpty() ? "" : Wire.address(reply);
  }

  static byte[] del(RpcClient client, String container) {
    return client.call(
        RpcClient.DEL, new Wire().text(6, "eth0").text(7, "aws-cni").text(8, container).done());
  }

  /** As the runtime does when a pod gets no address. */
  static String addUntilGiven(RpcClient client, String container) {
    String[] given = {""};
    Eventually.holds(
        "an address of " + container,
        () -> {
          given[0] = add(client, container);
          return !given[0].isEmpty();
        });
    return given[0];
  }

  /** Requires that pods keep their addresses while EC2 is away, and that new ones wait for it. */
  void servesWhileAway(String... settings) throws Exception {
    String[] given = {""};
    serving(client -> given[0] = addUntilGiven(client, "old"), settings);
    Ec2FaultRule away =
        Ec2FaultRule.failing(
            "DescribeNetworkInterfaces", new Ec2Error("InternalError", "away", 500));
    ec2.emulator().faults(List.of(away));
    serving(
        client -> {
          assertThat(add(client, "old")).isEqualTo(given[0]);
          assertThat(add(client, "new")).isEmpty();
          ec2.emulator().faults(List.of());
          assertThat(addUntilGiven(client, "new")).isNotEqualTo(given[0]);
          assertThat(Wire.address(del(client, "old"))).isEqualTo(given[0]);
        },
        settings);
  }

  // ---- what it and EC2 show

  /** EC2's content, by its own page. */
  String state() {
    return page(ec2.endpoint().resolve("/_tidemark/state"));
  }

  /** A document of the program. */
  String document(String path) {
    return page("introspection", path);
  }

  /** A page of the listener that the console calls so. */
  String page(String listener, String path) {
    Matcher port = Pattern.compile(listener + " on port ([0-9]+)").matcher(errors.toString(UTF_8));
    assertThat(port.find()).isTrue();
    return page(URI.create("http://127.0.0.1:" + port.group(1) + path));
  }

  private static String page(URI uri) {
    return sent(HttpRequest.newBuilder(uri).build());
  }

  /** Somebody else asks EC2 for something, by the parameters of the query protocol. */
  String asked(String query) {
    return sent(
        HttpRequest.newBuilder(ec2.endpoint())
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=111111111111/20260101/eu-west-1/ec2/aws4_request,"
                    + " SignedHeaders=host, Signature=0")
            .POST(HttpRequest.BodyPublishers.ofString(query + "&Version=2016-11-15"))
            .build());
  }

  private static String sent(HttpRequest request) {
    try {
      return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
