package io.tidemark.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.file.DiskFiles;
import io.tidemark.it.engine.Happening.Kind;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.manifests.DirectoryNodeResourceStore;
import io.tidemark.manifests.FolderAccess;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeReport;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("NM-J4 a node whose object another program wrote again without changing its meaning")
class RewrittenObjectTest {
  private static final String NODE = "n1";

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  @DisplayName("is not taken for one that a second operator owns when it is a file")
  void inAFile(RewrittenYaml writer) throws IOException {
    Path file = directory.resolve(NODE + ".yaml");
    NodeResource made = MockAccount.introduced(NODE, IpamSpec.of(8, 0, 0, 0));
    Files.writeString(file, NodeResourceJson.printPretty(made));
    VirtualTime time = new VirtualTime(1_700_000_000_000L);
    EffectRunner line = time.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO));
    try (DirectoryNodeResourceStore store =
            new DirectoryNodeResourceStore(
                directory, FolderAccess.OPERATOR, time, line, new DiskFiles());
        NodeManager manager =
            new MockAccount(time, List.of(NODE))
                .engine(
                    EngineConfig.defaults(), store, time, time, line, line, ObjectEvents.NONE)) {
      manager.start();
      store.watch(manager.watcher());
      pass(time, manager, 60);
      int size = store.latest(NODE).orElseThrow().pool().size();
      assertThat(size).isGreaterThanOrEqualTo(8);

      String text = Files.readString(file);
      String again = writer.of(text);
      assertThat(again).isNotEqualTo(text);
      Files.writeString(file, again);
      pass(time, manager, 10);

      String more = again.replaceFirst("(pre-allocate['\"]?: *)8", "$116");
      assertThat(more).isNotEqualTo(again);
      Files.writeString(file, more);
      pass(time, manager, 60);
      assertThat(store.latest(NODE).orElseThrow().pool().size()).isGreaterThanOrEqualTo(16);
    }
  }

  /** Lets seconds pass in each of which the node is free to work. */
  private static void pass(VirtualTime time, NodeManager manager, int seconds) {
    for (int i = 0; i < seconds; i++) {
      time.runUntil(time.nanos() + Duration.ofSeconds(1).toNanos());
      assertThat(manager.report(NODE).flatMap(NodeReport::blocked)).isEmpty();
    }
  }

  @Test
  @Tag("kubernetes")
  @Tag("long")
  @DisplayName("is not taken for one that a second operator owns when it is in a cluster")
  void inACluster() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection cluster = server.connect(User.ADMIN)) {
      ServerHome home = new ServerHome(cluster);
      try (SequenceWorld world = new SequenceWorld(home, List.of(NODE))) {
        world.happen(new Happening(Kind.CREATED, NODE, 1));
        for (RewrittenYaml writer :
            List.of(RewrittenYaml.ZEROS_ADDED, RewrittenYaml.GO, RewrittenYaml.REVERSED)) {
          NodeResource before = Objects.requireNonNull(home.all().get(NODE));
          assertThat(before.pool().size()).isPositive();
          home.replaceAs("another-client", writer.of(before));
          world.pass();
          assertThat(world.report(NODE).blocked()).as("after %s", writer).isEmpty();
          assertThat(world.report(NODE).state()).isEqualTo(NodeState.OK);
        }
      }
    }
  }
}
