package io.tidemark.daemon.ipamd.grpc;

import static io.tidemark.daemon.ipamd.grpc.Wire.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.daemon.DaemonError;
import io.tidemark.daemon.ipamd.CniBackend;
import io.tidemark.daemon.ipamd.NodeFacts;
import io.tidemark.daemon.ipamd.PluginVersions;
import io.tidemark.daemon.ipamd.VpcRouting;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.error.IpamException;
import io.tidemark.file.CrashingFiles;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.testing.Hang;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectModel;
import io.tidemark.time.SystemTime;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The plugin's calls over sockets")
class IpamdServerTest {
  /** Tasks that run when a test says so. */
  private static final class Timers implements TaskScheduler {
    final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public Cancellable at(long nanos, Runnable task) {
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    @Override
    public TimeSource time() {
      return SystemTime.instance();
    }

    void runAll() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }
  }

  @TempDir Path folder;
  private final Timers timers = new Timers();
  private final TestMeters measured = new TestMeters();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private <T extends AutoCloseable> T closing(T each) {
    opened.add(each);
    return each;
  }

  private Path socket() {
    return folder.resolve("run/ipamd.sock");
  }

  private CniBackend backend(DataStore store) {
    return new CniBackend(
        store,
        IpFamily.IPV4,
        PluginVersions.all(),
        VpcRouting.NONE,
        new NodeFacts("10.0.0.1", "", "i-1", "eu-central-1"),
        timers,
        CniBackend.Pool.FIXED);
  }

  /** With 64 addresses, 10.0.0.0 and on. */
  private static DataStore store() {
    DataStore store =
        DataStore.inMemory(SystemTime.instance(), CidrKind.PREFIX, CooldownRule.DEFAULT);
    assertThat(store.addEni(new StoreEniSpec("eni-1", 0, true, false, false, 254, ""))).isEmpty();
    for (int i = 0; i < 4; i++) {
      Cidr prefix = Cidr.parse("10.0.0." + 16 * i + "/28");
      assertThat(store.addCidr("eni-1", prefix, CidrKind.PREFIX)).isEmpty();
    }
    return store;
  }

  private IpamdServer serve(Listening listening) {
    return closing(IpamdServer.start(listening, backend(store()), timers, measured.meters));
  }

  private RpcClient served() {
    serve(new Listening(Optional.of(socket()), OptionalInt.empty()));
    return closing(RpcClient.of(socket()));
  }

  /** Its calls are sent in the order of their start, as they are not while it connects. */
  private RpcClient connected() {
    RpcClient client = served();
    assertThat(client.call(RpcClient.HEALTH, new byte[0])).as("connects").isNotEmpty();
    return client;
  }

  private static byte[] add(String container, String version) {
    return Wire.addition("web", container, version);
  }

  private static byte[] del(String container, String version) {
    return new Wire().text(6, "eth0").text(7, "aws-cni").text(8, container).text(9, version).done();
  }

  private static Status refused(RpcClient client, String method, byte[] request) {
    try {
      byte[] reply = client.call(method, request);
      throw new AssertionError("replied to with bytes: " + reply.length);
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  @Test
  @DisplayName("D117 Over the Unix socket: ADD, the same again, DEL, DEL again")
  void overSocket() {
    RpcClient client = served();
    byte[] reply = client.call(RpcClient.ADD, add("a", "v1.23.1"));
    byte[] inner = new Wire().text(1, "10.0.0.0").number(4, 254).done();
    assertThat(reply).isEqualTo(new Wire().number(1, 1).bytes(2, inner).done());
    assertThat(client.call(RpcClient.ADD, add("a", "v1.23.1"))).isEqualTo(reply);
    assertThat(client.call(RpcClient.DEL, del("a", "v1.23.1")))
        .isEqualTo(new Wire().number(1, 1).bytes(2, inner).done());
    Status again = refused(client, RpcClient.DEL, del("a", "v1.23.1"));
    assertThat(again.getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(again.getDescription()).isEqualTo("datastore: unknown pod");
    assertThat(timers.tasks).as("timers that are left").isEmpty();
  }

  @Test
  @DisplayName(
      "D116 D117 Over the port, a client before 1.20 is served in its form, an old one not")
  void overPort() {
    IpamdServer server = serve(new Listening(Optional.of(socket()), OptionalInt.of(0)));
    RpcClient client = closing(RpcClient.of(server.port().getAsInt()));
    assertThat(client.call(RpcClient.ADD, add("a", "v1.19.6")))
        .isEqualTo(new Wire().number(1, 1).text(2, "10.0.0.0").done());
    assertThat(address(closing(RpcClient.of(socket())).call(RpcClient.ADD, add("a", "v1.23.1"))))
        .as("the same store behind both")
        .isEqualTo("10.0.0.0");
    Status old = refused(client, RpcClient.ADD, add("b", "v1.6.0"));
    assertThat(old.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(old.getDescription())
        .isEqualTo("wrong client version \"v1.6.0\" (!= \"1.7.0 or newer\")");
  }

  @Test
  @DisplayName("D115 A request that cannot be read, or is too long, is an invalid argument")
  void invalid() {
    RpcClient client = served();
    for (String method : List.of(RpcClient.ADD, RpcClient.DEL, RpcClient.HEALTH)) {
      Status broken = refused(client, method, new byte[] {0x0a, 5, 'x'});
      assertThat(broken.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      Status tooLong = refused(client, method, new byte[RpcCodec.BYTES_MAX + 1]);
      assertThat(tooLong.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(tooLong.getDescription()).contains("65537 bytes");
    }
    assertThat(refused(client, RpcClient.CONFIGS, new byte[] {0x0c}).getCode())
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(address(client.call(RpcClient.ADD, add("a", "")))).isEqualTo("10.0.0.0");
  }

  @Test
  @DisplayName("64 pods at once have 64 addresses")
  void atOnce() throws Exception {
    RpcClient client = served();
    List<Future<byte[]>> calls = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      calls.add(client.start(RpcClient.ADD, add("pod-" + i, "v1.23.1")));
    }
    Set<String> addresses = new HashSet<>();
    for (Future<byte[]> each : calls) {
      addresses.add(address(each.get(Hang.SECONDS, TimeUnit.SECONDS)));
    }
    assertThat(addresses).hasSize(64);
    assertThat(client.call(RpcClient.ADD, add("one-more", "v1.23.1"))).isEmpty();
  }

  @Test
  @DisplayName("D117 A socket that nobody listens on is taken over; a live one and a file are not")
  void socket_takenOver() throws IOException {
    Files.createDirectories(socket().getParent());
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket()));
    }
    assertThat(socket()).exists();
    Listening listening = new Listening(Optional.of(socket()), OptionalInt.empty());
    IpamdServer server = serve(listening);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
        .isEqualTo("rw-rw----");
    assertRefused(listening, "is listened on by another program");
    assertThat(closing(RpcClient.of(socket())).call(RpcClient.HEALTH, new byte[0])).isNotEmpty();
    server.close();
    assertThat(socket()).doesNotExist();
    Files.writeString(socket(), "a file");
    assertRefused(listening, "is not a socket");
    server.close();
    assertThat(socket()).hasContent("a file");
  }

  @Test
  @DisplayName("D117 A port that is taken is refused, and no socket stays behind")
  void port_taken() {
    IpamdServer server = serve(new Listening(Optional.empty(), OptionalInt.of(0)));
    assertRefused(new Listening(Optional.of(socket()), server.port()), "cannot be listened on");
    assertThat(socket()).doesNotExist();
    assertThatThrownBy(() -> new Listening(Optional.empty(), OptionalInt.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void assertRefused(Listening listening, String why) {
    assertThatThrownBy(() -> serve(listening))
        .isInstanceOfSatisfying(
            IpamException.class,
            refused -> assertThat(refused.code()).isEqualTo(DaemonError.SOCKET_REFUSED))
        .hasMessageContaining(why);
  }

  @Test
  @DisplayName(
      "D118 Both service names have the health, which is bad until the checkpoint was read")
  void health() {
    RpcClient client = served();
    byte[] own = new Wire().text(1, "grpc.health.v1.aws-node").done();
    for (byte[] request : List.of(own, new byte[0])) {
      assertThat(client.call(RpcClient.HEALTH, request)).isEqualTo(new Wire().number(1, 1).done());
    }
    assertThat(refused(client, RpcClient.HEALTH, new Wire().text(1, "other").done()).getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
    VirtualTime time = new VirtualTime(0);
    DataStore closed =
        DataStore.durable(
            time,
            CidrKind.SECONDARY,
            CooldownRule.DEFAULT,
            time.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)),
            new CheckpointFile(Path.of("/run/ipam.json"), new CrashingFiles()),
            "");
    Path other = folder.resolve("other.sock");
    closing(
        IpamdServer.start(
            new Listening(Optional.of(other), OptionalInt.empty()),
            backend(closed),
            timers,
            Meters.none()));
    assertThat(closing(RpcClient.of(other)).call(RpcClient.HEALTH, own))
        .isEqualTo(new Wire().number(1, 2).done());
  }

  @Test
  @DisplayName("Each call is measured once by its method and its end, whatever the plugin sends")
  void measured() {
    RpcClient client = served();
    client.call(RpcClient.ADD, add("a", "v1.23.1"));
    byte[] del = new Wire().text(5, "PodDeleted").text(6, "eth0").text(7, "aws-cni").done();
    client.call(RpcClient.DEL, del);
    byte[] other = new Wire().text(5, "x".repeat(99)).text(6, "eth0").text(8, "a").done();
    client.call(RpcClient.DEL, other);
    assertThatThrownBy(() -> client.call(RpcClient.ADD, new byte[] {1}))
        .hasMessageContaining("INVALID_ARGUMENT");
    client.call(RpcClient.HEALTH, new byte[0]);
    assertThat(measured.value(Metric.RPC_ADD_REQUESTS)).isEqualTo(1);
    assertThat(measured.all(Metric.RPC_DEL_REQUESTS))
        .isEqualTo(Map.of("PodDeleted", 1.0, "other", 1.0));
    assertThat(measured.all(Metric.RPC_DURATION))
        .isEqualTo(
            Map.of(
                "AddNetwork OK", 1.0,
                "DelNetwork OK", 2.0,
                "AddNetwork INVALID_ARGUMENT", 1.0,
                "Check OK", 1.0));
  }

  @Test
  @DisplayName("Other programs get the facts of the node, without a mode of network policies")
  void nodeFacts() {
    assertThat(Wire.read(served().call(RpcClient.CONFIGS, new byte[0])))
        .isEqualTo(Map.of(3, List.of("10.0.0.1"), 5, List.of("i-1"), 6, List.of("eu-central-1")));
  }

  /** How a call ended that a test opened by hand. */
  private static final class Ending extends ClientCall.Listener<byte[]> {
    final CompletableFuture<Status> status = new CompletableFuture<>();

    @Override
    public void onClose(Status end, Metadata trailers) {
      status.complete(end);
    }

    Status.Code code() throws Exception {
      return status.get(Hang.SECONDS, TimeUnit.SECONDS).getCode();
    }
  }

  private static ClientCall<byte[], byte[]> opened(RpcClient client, Ending ending) {
    ClientCall<byte[], byte[]> call = client.open(RpcClient.ADD);
    call.start(ending, new Metadata());
    call.request(2);
    return call;
  }

  private static boolean isFull(RpcClient client) {
    try {
      return client.call(RpcClient.HEALTH, new byte[0]).length == 0;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED;
    }
  }

  @Test
  @DisplayName("Of more than 256 calls at once the last ones are refused, until others have gone")
  void tooMany() {
    RpcClient first = connected();
    RpcClient second = closing(RpcClient.of(socket()));
    List<ClientCall<byte[], byte[]>> calls = new ArrayList<>();
    for (int i = 0; i < RpcServices.CALLS_MAX - 1; i++) {
      calls.add(opened(first, new Ending()));
    }
    assertThat(first.call(RpcClient.HEALTH, new byte[0])).as("sends what waits").isNotEmpty();
    ClientCall<byte[], byte[]> last = opened(second, new Ending());
    Eventually.holds("all have a place", () -> isFull(second));
    calls.forEach(each -> each.cancel("the client has gone", null));
    Eventually.holds("served again", () -> first.call(RpcClient.HEALTH, new byte[0]).length > 0);
    assertThat(address(second.call(RpcClient.ADD, add("a", "")))).isEqualTo("10.0.0.0");
    last.cancel("the client has gone", null);
  }

  @Test
  @DisplayName("A call whose request does not arrive within 10 seconds is ended")
  void slowClient() throws Exception {
    RpcClient client = connected();
    Ending ending = new Ending();
    opened(client, ending);
    assertThat(client.call(RpcClient.HEALTH, new byte[0])).as("sends what waits").isNotEmpty();
    Eventually.holds("it has begun", () -> timers.tasks.size() == 1);
    timers.runAll();
    assertThat(ending.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  @DisplayName("A call without a request is an invalid argument, one with two is ended")
  void requests() throws Exception {
    RpcClient client = served();
    Ending none = new Ending();
    opened(client, none).halfClose();
    assertThat(none.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    Ending two = new Ending();
    ClientCall<byte[], byte[]> call = opened(client, two);
    call.sendMessage(add("a", ""));
    call.sendMessage(add("b", ""));
    assertThat(two.code()).as("gRPC ends it").isEqualTo(Status.Code.CANCELLED);
    Eventually.holds("no timer is left", timers.tasks::isEmpty);
    assertThat(address(client.call(RpcClient.ADD, add("c", "")))).isEqualTo("10.0.0.0");
  }
}
