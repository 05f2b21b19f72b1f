package io.tidemark.daemon;

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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command {@code ipamd} in this process, on an instance of the emulated EC2. */
final class IpamdOnEc2 implements AutoCloseable {
  /** One instance that can have two interfaces with three addresses for pods each. */
  static final String WORLD =
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

  private static final Map<String, String> PROPERTIES =
      Map.of("aws.accessKeyId", "111111111111", "aws.secretAccessKey", "any");

  final Ec2Emulator.Listening ec2;
  final Path socket;
  final Path checkpoint;
  private final Path folder;

  /** Of the program. */
  Map<String, String> environment = Map.of();

  /** The present program. */
  private IpamdRun run = new IpamdRun(Path.of(""), Path.of(""));

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
    this.folder = folder;
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

  private IpamdRun started() {
    run =
        new IpamdRun(
            socket,
            checkpoint,
            "--ec2-api-endpoint=" + ec2.endpoint(),
            "--aws-metadata-endpoint=" + ec2.metadataEndpoint().orElseThrow(),
            "--ip-cooldown=0s");
    run.environment = environment;
    return run;
  }

  /** Serves while {@code calls} run; what it has printed. */
  String serving(IpamdRun.Calls calls, String... more) throws Exception {
    started().serve(calls, more);
    return run.errors();
  }

  /** The output of a program that does not start. */
  String refused(String... more) {
    assertThat(started().run(more)).isNotZero();
    assertThat(socket).doesNotExist();
    return run.errors();
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

  /** A hook for host networking that runs this. */
  Path hook(String script) throws IOException {
    Path hook = folder.resolve("hook");
    Files.writeString(hook, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwx------"));
    return hook;
  }

  // ---- what it and EC2 show

  /** EC2's content, by its own page. */
  String state() {
    return IpamdRun.sent(HttpRequest.newBuilder(ec2.endpoint().resolve("/_tidemark/state")).build())
        .body();
  }

  /** A document of the program. */
  String document(String path) {
    return page("introspection", path);
  }

  /** A page of the listener that the console calls so. */
  String page(String listener, String path) {
    return run.get(listener, path).body();
  }

  /** Somebody else asks EC2 for something, by the parameters of the query protocol. */
  void asked(String query) {
    HttpRequest request =
        HttpRequest.newBuilder(ec2.endpoint())
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=111111111111/20260101/eu-west-1/ec2/aws4_request,"
                    + " SignedHeaders=host, Signature=0")
            .POST(HttpRequest.BodyPublishers.ofString(query + "&Version=2016-11-15"))
            .build();
    assertThat(IpamdRun.sent(request).statusCode()).isEqualTo(200);
  }
}
