package io.tidemark.daemon.ipamd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.ipamd.RpcOutcome.Cause;
import io.tidemark.datastore.Assignment;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.Removal;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the plugin of the VPC CNI is answered")
class CniBackendTest {
  private static final VpcRouting ROUTING =
      new VpcRouting(false, List.of("10.0.0.0/16"), List.of());

  private final VirtualTime time = new VirtualTime(0);
  private final CrashingFiles files = new CrashingFiles();
  private final DataStore first = store(CidrKind.SECONDARY, files, Duration.ofMillis(5));
  private final CniBackend backend = backend(first, PluginVersions.all(), CniBackend.Pool.FIXED);

  CniBackendTest() {
    addresses(first, "10.0.0.1", "10.0.0.2");
  }

  private DataStore store(CidrKind mode, CrashingFiles on, Duration write) {
    return DataStore.durable(
        time,
        mode,
        CooldownRule.DEFAULT,
        time.effects(EffectModel.reliable(write, Duration.ZERO)),
        new CheckpointFile(Path.of("/run/ipam.json"), on),
        "boot-1");
  }

  private DataStore other() {
    return store(CidrKind.SECONDARY, new CrashingFiles(), Duration.ofMillis(5));
  }

  private void addresses(DataStore store, String... addresses) {
    assertThat(store.addEni(new StoreEniSpec("eni-1", 1, false, false, false, 2, ""))).isEmpty();
    for (String each : addresses) {
      assertThat(store.addCidr("eni-1", Cidr.single(IpAddress.parse(each)), CidrKind.SECONDARY))
          .isEmpty();
    }
    ended(store.recover(CheckpointData.EMPTY, RecoveryRules.of(IpFamily.IPV4)));
  }

  private CniBackend backend(DataStore store, PluginVersions versions, CniBackend.Pool pool) {
    return new CniBackend(store, IpFamily.IPV4, versions, ROUTING, NodeFacts.UNKNOWN, time, pool);
  }

  private <T> T ended(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    for (int i = 0; i < 10_000 && !future.isDone(); i++) {
      time.runUntil(time.nanos() + 5_000_000);
    }
    assertThat(future).isCompleted();
    return future.getNow(null);
  }

  private static IpamKey key(String container) {
    return new IpamKey("aws-cni", container, "eth0");
  }

  private static PodRequest of(IpamKey key, String version) {
    return new PodRequest(key, "default", "web", version);
  }

  private static PodRequest of(String container) {
    return of(key(container), "v1.23.1");
  }

  private PodReply add(String container) {
    return reply(backend.add(of(container)));
  }

  private PodReply reply(CompletionStage<RpcOutcome<PodReply>> stage) {
    RpcOutcome<PodReply> outcome = ended(stage);
    assertThat(outcome).isInstanceOf(RpcOutcome.Replied.class);
    return ((RpcOutcome.Replied<PodReply>) outcome).reply();
  }

  private static String address(PodReply reply) {
    assertThat(reply.assignments()).hasSize(1);
    return reply.assignments().get(0).address().toString();
  }

  private RpcOutcome<PodReply> del(IpamKey key, String version) {
    return ended(backend.del(of(key, version)));
  }

  private RpcOutcome<PodReply> del(String container) {
    return del(key(container), "v1.23.1");
  }

  private static <T> RpcOutcome<T> failed(Cause cause, String text) {
    return new RpcOutcome.Failed<>(cause, text);
  }

  @Test
  @DisplayName("D10 D22 An ADD gives an address with its device and table, a repeated one the same")
  void addTwice() {
    PodReply reply = add("a");
    assertThat(reply.success()).isTrue();
    assertThat(reply.form()).isEqualTo(WireForm.ADDRESS_LIST);
    assertThat(backend.routing()).isEqualTo(ROUTING);
    assertThat(reply.assignments())
        .singleElement()
        .extracting(Assignment::deviceNumber, Assignment::routeTableId)
        .containsExactly(1, 2);
    assertThat(add("a")).isEqualTo(reply);
    assertThat(address(add("b"))).isNotEqualTo(address(reply));
  }

  @Test
  @DisplayName(
      "D30 An IPv6 pod gets an address of a prefix, and the CIDRs of the VPC in IPv6 alone")
  void ipv6() {
    DataStore store = store(CidrKind.PREFIX, files, Duration.ofMillis(5));
    assertThat(store.addEni(new StoreEniSpec("eni-0", 0, true, false, false, 254, ""))).isEmpty();
    for (String each : List.of("10.0.0.16/28", "2001:db8:0:0:1::/80")) {
      assertThat(store.addCidr("eni-0", Cidr.parse(each), CidrKind.PREFIX)).isEmpty();
    }
    ended(store.recover(CheckpointData.EMPTY, RecoveryRules.of(IpFamily.IPV6)));
    CniBackend served =
        new CniBackend(
            store,
            IpFamily.IPV6,
            PluginVersions.all(),
            new VpcRouting(true, List.of("10.0.0.0/16"), List.of())
                .plus(List.of(Cidr.parse("10.1.0.0/16"), Cidr.parse("2001:db8::/56"))),
            NodeFacts.UNKNOWN,
            time,
            CniBackend.Pool.FIXED);
    PodReply reply = reply(served.add(of("a")));
    assertThat(served.routing())
        .isEqualTo(new VpcRouting(false, List.of(), List.of("2001:db8::/56")));
    assertThat(address(reply)).isEqualTo("2001:db8:0:0:1::");
    assertThat(reply.assignments())
        .singleElement()
        .extracting(Assignment::deviceNumber, Assignment::routeTableId)
        .containsExactly(0, 254);
    assertThat(reply(served.add(of("a")))).isEqualTo(reply);
    assertThat(address(reply(served.add(of(key("b"), "v1.19.6"))))).isEqualTo("2001:db8::1:0:0:1");
    assertThat(ended(served.del(of("a")))).isEqualTo(new RpcOutcome.Replied<>(reply));
  }

  @Test
  @DisplayName(
      "D10 D26 A DEL says what the pod had; the second one fails with the text by which the plugin"
          + " ends with success")
  void delTwice() {
    PodReply reply = add("a");
    assertThat(del("a")).isEqualTo(new RpcOutcome.Replied<>(reply));
    assertThat(del("a")).isEqualTo(failed(Cause.UNKNOWN, "datastore: unknown pod"));
    assertThat(del("never")).isEqualTo(failed(Cause.UNKNOWN, "datastore: unknown pod"));
  }

  @Test
  @DisplayName("A DEL after the address left the node still says what the pod had")
  void delOfLost() {
    PodReply reply = add("a");
    assertThat(first.removeEni("eni-1", Removal.FORCED)).isEmpty();
    RpcOutcome<PodReply> outcome = del("a");
    assertThat(outcome).isEqualTo(new RpcOutcome.Replied<>(reply));
    assertThat(del("a")).isEqualTo(failed(Cause.UNKNOWN, "datastore: unknown pod"));
  }

  @Test
  @DisplayName("An ADD without an address left is replied to without success")
  void noAddress() {
    for (String each : List.of("a", "b")) {
      assertThat(add(each).success()).isTrue();
    }
    assertThat(add("d")).isEqualTo(new PodReply(WireForm.ADDRESS_LIST, false, List.of()));
  }

  @Test
  @DisplayName("An ADD that cannot be written has no success, a DEL fails and can be repeated")
  void notWritten() {
    files.fault(files.changes().size(), Fault.FAILS, 0);
    assertThat(add("a").success()).isFalse();
    assertThat(first.assigned()).isEmpty();
    assertThat(add("a").success()).isTrue();
    files.fault(files.changes().size(), Fault.FAILS, 0);
    assertThat(del("a"))
        .isInstanceOfSatisfying(
            RpcOutcome.Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.UNKNOWN));
    assertThat(first.assigned()).hasSize(1);
    assertThat(del("a")).isInstanceOf(RpcOutcome.Replied.class);
  }

  @Test
  @DisplayName("A request without container, interface or network changes nothing")
  void incomplete() {
    for (IpamKey key :
        List.of(
            new IpamKey("", "c", "eth0"),
            new IpamKey("aws-cni", "", "eth0"),
            new IpamKey("aws-cni", "c", ""))) {
      assertThat(reply(backend.add(of(key, ""))))
          .isEqualTo(new PodReply(WireForm.ADDRESS_LIST, false, List.of()));
      assertThat(del(key, "v1.19.6"))
          .isEqualTo(
              new RpcOutcome.Replied<>(new PodReply(WireForm.ONE_ADDRESS, false, List.of())));
    }
    assertThat(first.assigned()).isEmpty();
  }

  @Test
  @DisplayName("D116 A version that is not served is refused before anything changes")
  void version() {
    CniBackend strict = backend(first, PluginVersions.only("v1.23.1"), CniBackend.Pool.FIXED);
    String text = "wrong client version \"v1.22.4\" (!= \"v1.23.1\")";
    assertThat(ended(strict.add(of(key("a"), "v1.22.4"))))
        .isEqualTo(failed(Cause.FAILED_PRECONDITION, text));
    assertThat(ended(strict.del(of(key("a"), "v1.22.4"))))
        .isEqualTo(failed(Cause.FAILED_PRECONDITION, text));
    assertThat(first.assigned()).isEmpty();
    assertThat(reply(backend.add(of(key("a"), "v1.19.6"))).form()).isEqualTo(WireForm.ONE_ADDRESS);
  }

  @Test
  @DisplayName("A request that hangs ends after 10 seconds, and a repeated one joins it")
  void deadline() {
    DataStore slow = store(CidrKind.SECONDARY, new CrashingFiles(), Duration.ofSeconds(12));
    addresses(slow, "10.0.9.1");
    CniBackend waiting = backend(slow, PluginVersions.all(), CniBackend.Pool.FIXED);
    long begun = time.nanos();
    assertThat(ended(waiting.add(of(key("a"), ""))))
        .isEqualTo(failed(Cause.DEADLINE_EXCEEDED, "no answer within 10 s; it can be repeated"));
    assertThat(Duration.ofNanos(time.nanos() - begun)).isEqualTo(CniBackend.LONGEST);
    assertThat(address(reply(waiting.add(of(key("a"), ""))))).isEqualTo("10.0.9.1");
    assertThat(time.runUntilIdle(time.nanos() + 60_000_000_000L)).isTrue();
    assertThat(time.pending()).as("timers that are left").isZero();
  }

  @Test
  @DisplayName("Before the checkpoint was read nothing is served, and the reason is known")
  void notRecovered() {
    CniBackend early = backend(other(), PluginVersions.all(), CniBackend.Pool.FIXED);
    assertThat(early.unhealthy()).contains("the checkpoint has not been read yet");
    assertThat(backend.unhealthy()).isEmpty();
    assertThat(reply(early.add(of(key("a"), ""))).success()).isFalse();
  }

  /** A node that has one interface, and by its file these pods; EC2 does not answer. */
  private CniBackend away(DataStore store, String... entries) {
    assertThat(store.addEni(new StoreEniSpec("eni-0", 0, true, false, false, 254, ""))).isEmpty();
    Cidr here = Cidr.single(IpAddress.parse("10.0.0.9"));
    assertThat(store.addCidr("eni-0", here, CidrKind.SECONDARY)).isEmpty();
    List<CheckpointEntry> all = new ArrayList<>();
    for (int i = 0; i < entries.length; i += 2) {
      all.add(
          CheckpointEntry.of(
              key(entries[i]),
              IpAddress.parse(entries[i + 1]),
              1_000 - i,
              new IpamMetadata("default", entries[i], 1)));
    }
    CheckpointData data = new CheckpointData(all, Optional.empty(), "");
    ended(store.recover(data, RecoveryRules.of(IpFamily.IPV4)));
    CniBackend.Pool waiting =
        new CniBackend.Pool() {
          @Override
          public Optional<String> waits() {
            return Optional.of("EC2 has not answered since the start");
          }

          @Override
          public void changed() {}
        };
    return backend(store, PluginVersions.all(), waiting);
  }

  private RpcOutcome<PodReply> del(CniBackend from, String container) {
    return ended(from.del(of(container)));
  }

  @Test
  @DisplayName(
      "D140 While EC2 is away a pod has the address of the file, by repeated ADD and by DEL")
  void orphan() {
    DataStore store = other();
    CniBackend away = away(store, "pod", "10.0.0.5");
    assertThat(store.orphans()).hasSize(1);
    PodReply again = reply(away.add(of("pod")));
    assertThat(again.success()).isTrue();
    assertThat(again.assignments())
        .containsExactly(
            new Assignment(
                IpAddress.parse("10.0.0.5"),
                "eni-0",
                0,
                254,
                Cidr.single(IpAddress.parse("10.0.0.5"))));
    assertThat(reply(away.add(of("new"))).success()).isFalse();
    PodReply deleted = ((RpcOutcome.Replied<PodReply>) del(away, "pod")).reply();
    assertThat(deleted.success()).isTrue();
    assertThat(deleted.assignments().get(0).address()).hasToString("10.0.0.5");
    assertThat(deleted.assignments().get(0).routeTableId()).as("rules of all tables").isZero();
    assertThat(store.orphans()).isEmpty();
    assertThat(del(away, "pod")).isInstanceOf(RpcOutcome.Failed.class);
  }

  @Test
  @DisplayName("D140 Of two pods with one address the older one is answered nothing that it had")
  void duplicate() {
    for (String address : List.of("10.0.0.9", "10.0.0.5")) {
      DataStore store = other();
      CniBackend away = away(store, "newer", address, "older", address);
      assertThat(reply(away.add(of("older"))).success()).isFalse();
      assertThat(del(away, "older"))
          .as("rules of the newer one stay")
          .isInstanceOf(RpcOutcome.Failed.class);
    }
  }
}
