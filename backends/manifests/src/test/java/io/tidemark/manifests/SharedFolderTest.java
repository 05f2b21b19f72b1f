package io.tidemark.manifests;

import static io.tidemark.manifests.StoreWorld.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.Backend.Environment;
import io.tidemark.config.ConfigSource;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FilePort;
import io.tidemark.file.HookedFiles;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.Hang;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(Hang.SECONDS)
@DisplayName("A directory that an operator and agents write")
class SharedFolderTest {
  private static final int WRITES = 60;

  @TempDir private Path directory;

  private final ThreadTaskScheduler timer =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private final PooledEffectRunner requests = new PooledEffectRunner("request", 2, 100, timer);

  @BeforeEach
  void node() throws IOException {
    Files.writeString(directory.resolve("a.yaml"), manifest("a"));
  }

  @AfterEach
  void end() {
    requests.close();
    timer.close();
  }

  private DirectoryNodeResourceStore open(String role) {
    return open(role, new DiskFiles());
  }

  private DirectoryNodeResourceStore open(String role, FilePort files) {
    Environment environment =
        new Environment(ConfigSource.of(Map.of()), timer, requests, new Random(1), false);
    DirectoryNodeResourceStore store =
        new DirectoryNodeResourceStore(directory, role, environment, files);
    store.load();
    return store;
  }

  private static NodeResource read(DirectoryNodeResourceStore store) {
    StoreResult read = store.get("a");
    while (!(read instanceof StoreResult.Stored)) {
      read = store.get("a");
    }
    return ((StoreResult.Stored) read).resource();
  }

  private static void specs(DirectoryNodeResourceStore store) {
    for (int i = 1; i <= WRITES; i++) {
      StoreResult result = new StoreResult.Conflict();
      while (!(result instanceof StoreResult.Stored)) {
        NodeResource node = read(store);
        assertThat(node.ipam().preAllocate()).as("my own write is there").isEqualTo(i - 1);
        result = store.update(node, node.withPreAllocate(i));
      }
    }
  }

  private static void statuses(DirectoryNodeResourceStore store) {
    for (int i = 1; i <= WRITES; i++) {
      StoreResult result = new StoreResult.Conflict();
      while (!(result instanceof StoreResult.Stored)) {
        NodeResource node = read(store);
        assertThat(node.usedEntries().values())
            .as("my own write is there")
            .extracting(UsedAddress::owner)
            .isEqualTo(i == 1 ? List.of() : List.of("pod-" + (i - 1)));
        UsedAddress used = new UsedAddress("pod-" + i, "eni-1");
        result = store.updateStatus(node, node.withUsed(Map.of(IpAddress.parse("10.0.0.1"), used)));
      }
    }
  }

  @Test
  @DisplayName("Operator and agent write the same file at once, and neither loses a write")
  void atOnce() {
    try (DirectoryNodeResourceStore operator = open(DirectoryBackend.OPERATOR);
        DirectoryNodeResourceStore agent = open(DirectoryBackend.agent("a"))) {
      List<CompletableFuture<Void>> both = new ArrayList<>();
      both.add(CompletableFuture.runAsync(() -> specs(operator)));
      both.add(CompletableFuture.runAsync(() -> statuses(agent)));
      both.forEach(CompletableFuture::join);
      NodeResource node = read(operator);
      assertThat(node.ipam().preAllocate()).isEqualTo(WRITES);
      assertThat(node.usedEntries().values())
          .extracting(UsedAddress::owner)
          .containsExactly("pod-" + WRITES);
    }
  }

  @Test
  @DisplayName("While one replaces a file, the other waits for its turn")
  void oneAtATime() {
    HookedFiles hooked = new HookedFiles();
    HookedFiles hookedAgent = new HookedFiles();
    List<CompletableFuture<StoreResult>> other = new ArrayList<>();
    CompletableFuture<Void> atTheLock = new CompletableFuture<>();
    try (DirectoryNodeResourceStore agent = open(DirectoryBackend.agent("a"), hookedAgent);
        DirectoryNodeResourceStore operator = open(DirectoryBackend.OPERATOR, hooked)) {
      NodeResource seen = read(agent);
      hookedAgent.hook(
          (call, path, content) -> {
            if (call.equals("realPath")) { // the last call before it takes the lock
              atTheLock.complete(null);
            }
          });
      UsedAddress used = new UsedAddress("pod", "eni-1");
      NodeResource changed = seen.withUsed(Map.of(IpAddress.parse("10.0.0.1"), used));
      hooked.hook(
          (call, path, content) -> {
            if (call.equals("rename") && other.isEmpty()) {
              other.add(CompletableFuture.supplyAsync(() -> agent.updateStatus(seen, changed)));
              atTheLock.orTimeout(Hang.SECONDS, TimeUnit.SECONDS).join();
              assertThatThrownBy(() -> other.get(0).get(100, TimeUnit.MILLISECONDS))
                  .isInstanceOf(TimeoutException.class);
            }
          });
      NodeResource mine = read(operator);
      assertThat(operator.update(mine, mine.withPreAllocate(7)))
          .isInstanceOf(StoreResult.Stored.class);
      assertThat(other.get(0).join()).isInstanceOf(StoreResult.Conflict.class);
      assertThat(read(agent).ipam().preAllocate()).isEqualTo(7);
    }
  }

  @Test
  @DisplayName("There is one operator, and one agent of each node")
  void roles() throws IOException {
    try (DirectoryNodeResourceStore operator = open(DirectoryBackend.OPERATOR);
        DirectoryNodeResourceStore first = open(DirectoryBackend.agent("a"));
        DirectoryNodeResourceStore second = open(DirectoryBackend.agent("b"))) {
      assertThat(List.of(operator, first, second)).allMatch(it -> it.latest("a").isPresent());
      assertThatThrownBy(() -> open(DirectoryBackend.agent("a")))
          .isInstanceOf(IpamException.class)
          .hasMessageContaining("TM-1104 STORE_IN_USE");
      assertThatThrownBy(() -> open(DirectoryBackend.OPERATOR)).isInstanceOf(IpamException.class);
    }
    assertThat(new DiskFiles().list(directory))
        .containsExactlyInAnyOrder("a.yaml", ".tidemark.write-lock");
  }

  @Test
  @DisplayName("Who opens removes the remains of a crash of its role, and what no other writes")
  void remains() throws IOException {
    Path ofOperator = Files.createFile(directory.resolve(".a.yaml.tidemark-new"));
    Path ofAgent = Files.createFile(directory.resolve(".a.yaml.tidemark-new-agent-a"));
    open(DirectoryBackend.agent("b")).close();
    assertThat(List.of(ofOperator, ofAgent)).allMatch(Files::exists);
    open(DirectoryBackend.OPERATOR).close();
    assertThat(ofOperator).doesNotExist();
    assertThat(ofAgent).exists();
    open(DirectoryBackend.agent("a")).close();
    assertThat(ofAgent).doesNotExist();
  }
}
