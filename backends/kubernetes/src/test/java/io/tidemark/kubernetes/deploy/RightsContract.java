package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.NodeChange;
import io.tidemark.kubernetes.deploy.Rights.Right;
import io.tidemark.kubernetes.deploy.Rights.Use;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With the roles of a folder of {@code deploy} all that is asked for is allowed, and no more. */
@Tag("kubernetes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RightsContract {
  private final Manifests manifests;
  @AutoClose Rights rights;

  RightsContract(Manifests manifests) {
    this.manifests = manifests;
  }

  /**
   * The uses of each resource; the key is its name, with that of the namespace where two differ.
   */
  abstract Map<String, Use> uses();

  /** The use that needs this right. */
  String useOf(Right right) {
    return right.resource();
  }

  @BeforeAll
  final void start(@TempDir Path folder) throws IOException {
    rights = new Rights(manifests, folder);
  }

  Stream<Right> rights() throws IOException {
    return Rights.all(manifests).stream();
  }

  @Test
  @DisplayName("with the roles bound everything works and nobody complains")
  void enough() throws Exception {
    for (Map.Entry<String, Use> each : uses().entrySet()) {
      assertThat(rights.complaints(each.getValue())).as(each.getKey()).isEmpty();
    }
    assertThat(rights().map(this::useOf).distinct())
        .containsExactlyInAnyOrderElementsOf(uses().keySet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rights")
  @DisplayName("one right less, and what needs it says which")
  void needed(Right right) throws Exception {
    rights.assertNeeded(right, Optional.ofNullable(uses().get(useOf(right))).orElseThrow());
  }

  static void note(StoreResult result, List<String> complaints) {
    if (result instanceof StoreResult.Failed failed) {
      complaints.add(failed.detail());
    } else {
      assertThat(result).isInstanceOf(StoreResult.Stored.class);
    }
  }

  /** A program's write to a node. */
  interface Change {
    NodeChange of(ClusterNodes nodes, ClusterNode node, int number);
  }

  /** A Node is listed, watched, read and changed. */
  Use nodes(Change change) {
    return complaints -> {
      String name = "n" + rights.next();
      try (ClusterNodes nodes =
          ClusterNodes.watch(rights.account, SystemTime.instance(), Runnable::run, changed -> {})) {
        Eventually.holds("listed", () -> rights.hasWarned() || nodes.exists(name).isPresent());
        rights.make("/api/v1/nodes", "Node", "\"name\":\"" + name + '"', "\"unschedulable\":true");
        Eventually.holds("it is cordoned", () -> rights.hasWarned() || nodes.isClosed(name));
        if (rights.hasWarned()) {
          return;
        }
        if (nodes.get(name) instanceof Reading.Failed failed) {
          complaints.add(failed.detail());
        }
        ClusterNode seen = nodes.latest(name).orElseThrow();
        if (change.of(nodes, seen, rights.next()) instanceof NodeChange.Refused refused) {
          complaints.add(refused.detail());
        }
      }
    };
  }
}
