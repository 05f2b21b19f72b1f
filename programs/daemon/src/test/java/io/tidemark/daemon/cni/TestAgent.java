package io.tidemark.daemon.cni;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.CrashingFiles;
import io.tidemark.http.HttpResponse;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.TestMeters;
import io.tidemark.time.EffectModel;
import io.tidemark.time.Lanes;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** An agent in virtual time with its file in memory; it can end and start again. */
public final class TestAgent {
  /** Of its state. */
  public static final Path FILE = Path.of("/state/attachments.json");

  static final Duration WRITE = Duration.ofMillis(2);
  static final Duration ADD_WAIT = Duration.ofSeconds(10);

  final VirtualTime world = new VirtualTime(1_700_000_000_000L);
  final TestMeters measured = new TestMeters();
  final CrashingFiles files = new CrashingFiles();
  private final List<Cidr> blocks;
  private final CoolingRule cooling;
  ResultForm.Prefix prefix = ResultForm.Prefix.SUBNET;
  GatewayChoice gateway = GatewayChoice.ROUTER;
  NodeNetworks networks;
  boolean health;
  String boot = "boot-1";
  private CompletableFuture<Reply> last = new CompletableFuture<>();
  Ipam ipam;
  CniHandler server;

  TestAgent(String... blocks) {
    this(CoolingRule.DEFAULT, blocks);
  }

  TestAgent(CoolingRule cooling, String... blocks) {
    this.blocks = Stream.of(blocks).map(Cidr::parse).toList();
    this.cooling = cooling;
    this.networks = NodeNetworks.of(this.blocks);
    this.ipam = ipam();
    this.server = start();
  }

  private Ipam ipam() {
    IpamBuilder builder = Ipam.builder(world, new Random(7)).cooling(cooling);
    blocks.forEach(block -> builder.allocator(HostRange.of(block, 17)));
    return builder.build();
  }

  private CniHandler start() {
    CompletableFuture<CniStartup.Started> started =
        new CniStartup(
                new Lanes(world, 1).lane(),
                world,
                world.effects(EffectModel.reliable(WRITE, Duration.ZERO)),
                "n1")
            .start(
                new AtomicFile(FILE, files),
                boot,
                ipam,
                measured.meters,
                new CniStartup.Service(
                    networks,
                    new PoolName("default"),
                    prefix,
                    gateway,
                    health,
                    ADD_WAIT,
                    cooling.pause(),
                    new PoolName("default"),
                    memory -> {}))
            .toCompletableFuture();
    pass(Duration.ofMillis(10));
    return started.join().handler();
  }

  /** Ends without a word, and starts again with the same file. */
  void restart() {
    ipam = ipam();
    server = start();
  }

  void pass(Duration time) {
    world.runUntil(world.nanos() + time.toNanos());
  }

  /** The agent's output. */
  public record Reply(boolean succeeded, String output) {
    /** Whether a plugin succeeds, then what it prints. */
    public static Reply of(HttpResponse response) {
      return new Reply(response.status() == 200, ((HttpResponse.Text) response.body()).text());
    }

    /** The output. */
    public JsonNode json() {
      try {
        return new ObjectMapper().readTree(output);
      } catch (JsonProcessingException e) {
        throw new AssertionError(output, e);
      }
    }

    /** Of the error. */
    public int code() {
      return json().path("code").asInt();
    }

    List<String> addresses() {
      return json().path("ips").findValuesAsText("address");
    }

    /** The first address, without its length. */
    public String address() {
      return json().path("ips").path(0).path("address").asText().replaceFirst("/.*", "");
    }

    /** That of the first address. */
    public String gateway() {
      return json().path("ips").path(0).path("gateway").asText();
    }
  }

  CompletableFuture<Reply> send(byte[] request) {
    return server.answer(new String(request, UTF_8)).thenApply(Reply::of).toCompletableFuture();
  }

  /** Sends and lets time pass until the answer is there. */
  Reply ask(String request) {
    last = send(request.getBytes(UTF_8));
    pass(Duration.ofMillis(50));
    return answered();
  }

  /** The answer to the last request, if there is one, even when the agent ended just after it. */
  Reply answered() {
    return last.getNow(new Reply(false, "no answer"));
  }

  Reply add(String container) {
    return ask(request("ADD", container, "1.1.0", ""));
  }

  Reply delete(String container) {
    return ask(request("DEL", container, "1.1.0", ""));
  }

  Reply status() {
    return ask(request("STATUS", "x", "1.1.0", ""));
  }

  /** A whole request; {@code more} is added to its configuration. */
  static String request(String command, String container, String version, String more) {
    return "TIDEMARK-CNI/1\nCNI_COMMAND="
        + command
        + "\nCNI_CONTAINERID="
        + container
        + "\nCNI_NETNS=/var/run/netns/x\nCNI_IFNAME=eth0\n"
        + "CNI_ARGS=IgnoreUnknown=1;K8S_POD_NAMESPACE=ns;K8S_POD_NAME=pod-"
        + container
        + "\n\n"
        + config(version, "net", more);
  }

  static String config(String version, String network, String more) {
    return "{\"cniVersion\":\""
        + version
        + "\",\"name\":\""
        + network
        + "\",\"type\":\"ptp\",\"ipam\":{\"type\":\"tidemark-ipam\"}"
        + more
        + "}";
  }

  /** The content of the file. */
  String fileText() {
    return content(files);
  }

  /** The content of its file there. */
  public static String content(CrashingFiles files) {
    try {
      return new String(new AtomicFile(FILE, files).read(1 << 20).orElseThrow(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many addresses are in use, gateways included. */
  int inUse() {
    return ipam.snapshot().stream().mapToInt(each -> each.counts().inUse()).sum();
  }
}
