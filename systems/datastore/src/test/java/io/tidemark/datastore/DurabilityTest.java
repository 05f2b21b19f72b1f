package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.CheckpointFile.DataLoss;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.file.DiskFiles;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectModel;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.TimeSource;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Durable assignments")
class DurabilityTest {
  /** The calls of one write, from the second one on. */
  private static final List<String> CALLS =
      List.of(
          "write .ipam.json.tidemark-new",
          "link .ipam.json.bak",
          "rename ipam.json.bak",
          "rename ipam.json",
          "sync run");

  @TempDir private Path folder;

  private static TestStore node() {
    return TestStore.addresses().with("eni-1", 1, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");
  }

  @Test
  @DisplayName(
      "D76 D113 One write: beside the file, forced, the old one kept, renamed, the folder forced")
  void calls() {
    TestStore node = node();
    int before = node.files.changes().size();
    node.assign("a");
    assertThat(node.files.changes().subList(before, before + CALLS.size())).isEqualTo(CALLS);
    assertThat(node.files.names())
        .containsExactlyInAnyOrder(TestStore.PATH, Path.of("/run/ipam.json.bak"));
  }

  @Test
  @DisplayName("D76 DI4 A failure of any of these calls leaves memory as it was and no file beside")
  void failures() {
    for (int call = 0; call < CALLS.size(); call++) {
      TestStore node = node();
      node.assign("a");
      node.files.fault(node.files.changes().size() + call, Fault.FAILS, 0);
      assertThat(node.assigning("b")).as(CALLS.get(call)).isInstanceOf(AssignOutcome.Refused.class);
      assertThat(node.assigned()).isEqualTo(1);
      assertThat(node.files.names())
          .containsExactlyInAnyOrder(TestStore.PATH, Path.of("/run/ipam.json.bak"));
      node.assign("b");
      assertThat(node.addressesInFile()).containsExactly("10.0.0.1", "10.0.0.2");
    }
  }

  @Test
  @DisplayName("D112 Requests that come during a write share the next one, and end in their order")
  void batch() {
    TestStore node = node();
    int before = node.files.changes().size();
    List<String> ends = new ArrayList<>();
    for (String pod : List.of("a", "b", "c", "d")) {
      node.store
          .assign(TestStore.key(pod), TestStore.POD, IpFamily.IPV4)
          .thenAccept(outcome -> ends.add(pod));
    }
    node.pass(Duration.ofSeconds(1));
    assertThat(ends).containsExactly("a", "b", "c", "d");
    assertThat(node.files.changes().subList(before, node.files.changes().size()))
        .filteredOn(each -> each.startsWith("write"))
        .hasSize(2);
  }

  @Test
  @DisplayName("D112 DI4 A batch that fails is undone as a whole, the last request first")
  void failedBatch() {
    TestStore node = node();
    List<String> ends = new ArrayList<>();
    for (String pod : List.of("a", "b", "c")) {
      node.store
          .assign(TestStore.key(pod), TestStore.POD, IpFamily.IPV4)
          .thenAccept(it -> ends.add(pod + (it instanceof AssignOutcome.Granted)));
    }
    node.files.fault(node.files.changes().size() + CALLS.size(), Fault.FAILS, 0);
    node.pass(Duration.ofSeconds(1));
    assertThat(ends).containsExactly("atrue", "cfalse", "bfalse");
    assertThat(node.assigned()).isEqualTo(1);
    assertThat(node.stats()).isEqualTo(new DatastoreStats(4, 0, 1, 0));
    assertThat(node.ip("b")).isEqualTo("10.0.0.2");
  }

  @Test
  @DisplayName(
      "D114 A disk that hangs holds up requests, not the rest, and is reported; then they end")
  void hung() {
    VirtualTime time = new VirtualTime(0);
    CrashingFiles files = new CrashingFiles();
    DataStore store =
        DataStore.durable(
            time,
            CidrKind.SECONDARY,
            CooldownRule.DEFAULT,
            time.effects(EffectModel.reliable(Duration.ofMinutes(1), Duration.ZERO)),
            new CheckpointFile(TestStore.PATH, files),
            "");
    assertThat(store.addEni(TestStore.eni("eni-1", 1))).isEmpty();
    CompletableFuture<RecoveryOutcome> recovered =
        store.recover(CheckpointData.EMPTY, RecoveryRules.of(IpFamily.IPV4)).toCompletableFuture();
    time.runUntil(Duration.ofMinutes(2).toNanos());
    assertThat(recovered).isCompleted();
    Cidr one = TestStore.cidr("10.0.0.1");
    assertThat(store.addCidr("eni-1", one, CidrKind.SECONDARY)).isEmpty();

    IpamKey key = TestStore.key("a");
    var first = store.assign(key, TestStore.POD, IpFamily.IPV4).toCompletableFuture();
    time.runUntil(time.nanos() + Duration.ofSeconds(10).toNanos());
    assertThat(first).isNotCompleted();
    assertThat(store.unhealthy()).hasValueSatisfying(it -> assertThat(it).contains("for 5 s"));
    assertThat(store.assign(key, TestStore.POD, IpFamily.IPV4)).isSameAs(first);
    Cidr other = TestStore.cidr("10.0.0.2");
    assertThat(store.addCidr("eni-1", other, CidrKind.SECONDARY)).isEmpty();
    assertThat(store.view().stats(IpFamily.IPV4)).isEqualTo(new DatastoreStats(2, 0, 1, 0));
    time.runUntil(time.nanos() + Duration.ofMinutes(1).toNanos());
    assertThat(first).isCompleted();
    assertThat(store.unhealthy()).isEmpty();
  }

  @Test
  @DisplayName(
      "D40 DI1 DI2 Many threads never have one address twice, and the file is what memory is")
  void threads() throws IOException, InterruptedException {
    TimeSource time = SystemTime.instance();
    Path path = folder.resolve("ipam.json");
    CheckpointFile file = new CheckpointFile(path, new DiskFiles());
    try (ThreadTaskScheduler timer = ThreadTaskScheduler.start("store", time);
        PooledEffectRunner effects = new PooledEffectRunner("store", 2, 2, timer)) {
      DataStore store =
          DataStore.durable(
              time,
              CidrKind.SECONDARY,
              new CooldownRule(Duration.ZERO, Duration.ZERO),
              effects,
              file,
              "");
      for (int eni = 0; eni < 10; eni++) {
        assertThat(store.addEni(TestStore.eni("eni-" + eni, eni))).isEmpty();
        for (int i = 0; i < 50; i++) {
          Cidr cidr = Cidr.single(IpAddress.parse("10.0." + eni + "." + i));
          assertThat(store.addCidr("eni-" + eni, cidr, CidrKind.SECONDARY)).isEmpty();
        }
      }
      RecoveryOutcome recovered =
          store
              .recover(CheckpointData.EMPTY, RecoveryRules.of(IpFamily.IPV4))
              .toCompletableFuture()
              .join();
      assertThat(recovered).isInstanceOf(RecoveryOutcome.Recovered.class);
      Map<IpAddress, String> holders = new ConcurrentHashMap<>();
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int number = 0; number < 64; number++) {
        String name = "t" + number;
        Thread thread =
            new Thread(
                () -> {
                  try {
                    assignAndRelease(store, name, holders);
                  } catch (AssertionError | RuntimeException e) {
                    failures.add(e);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      Map<IpAddress, String> found = new HashMap<>();
      store
          .assigned()
          .forEach(
              each -> found.put(each.assignment().address(), each.entry().key().containerId()));
      assertThat(found).isEqualTo(holders).hasSize(64);
      Set<String> inFile = new HashSet<>();
      TestStore.read(file.read(DataLoss.REFUSED))
          .allocations()
          .forEach(each -> inFile.add(each.key().containerId()));
      assertThat(inFile).isEqualTo(new HashSet<>(holders.values()));
    }
  }

  /** Twenty pods, of which the last one stays. */
  private static void assignAndRelease(
      DataStore store, String name, Map<IpAddress, String> holders) {
    for (int i = 0; i < 20; i++) {
      String pod = name + "-" + i;
      IpAddress ip =
          TestStore.granted(
                  store
                      .assign(TestStore.key(pod), TestStore.POD, IpFamily.IPV4)
                      .toCompletableFuture()
                      .join())
              .assignment()
              .address();
      assertThat(holders.putIfAbsent(ip, pod)).isNull();
      if (i < 19) {
        assertThat(holders.remove(ip)).isEqualTo(pod);
        assertThat(store.release(TestStore.key(pod)).toCompletableFuture().join())
            .isInstanceOf(StoreReleaseOutcome.Released.class);
      }
    }
  }
}
