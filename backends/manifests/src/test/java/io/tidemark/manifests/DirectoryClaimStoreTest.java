package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClaimStoreContract;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.error.IpamException;
import io.tidemark.resource.CatchUp;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Claims in files (node-id 19.1 AM3)")
class DirectoryClaimStoreTest extends ClaimStoreContract {
  @TempDir private Path home;

  private final VirtualTime time = new VirtualTime(0);

  private DirectoryClaimStore open(long seed) {
    return new DirectoryClaimStore(home, environment(seed, false));
  }

  @Override
  protected World world() {
    DirectoryClaimStore store = open(1);
    DirectoryClaimStore other = open(2);
    return new World() {
      @Override
      public ClaimStore store() {
        return store;
      }

      @Override
      public ClaimStore other() {
        return other;
      }

      @Override
      public void eventually(String what, BooleanSupplier holds) {
        for (int i = 0; i < 30 && !holds.getAsBoolean(); i++) {
          time.runUntil(time.nanos() + 1_000_000_000L);
        }
        assertThat(holds.getAsBoolean()).as(what).isTrue();
      }
    };
  }

  private Path file(String name) {
    return home.resolve("claims").resolve(name + ".json");
  }

  private Backend.Environment environment(long seed, boolean readOnly) {
    return new Backend.Environment(
        ConfigSource.of(Map.of()),
        time,
        time.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)),
        new Random(seed),
        readOnly);
  }

  @Test
  @DisplayName("NI-35 Where the folder of claims cannot be made nothing is locked")
  void noFolder() throws IOException {
    Files.writeString(home.resolve("claims"), "in the way");
    Backend.Environment environment = environment(1, false);

    assertThatThrownBy(() -> DirectoryBackend.withClaims(home).open(environment))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-")
        .hasMessageContaining("claims");
    try (ClusterNodeBackend nodes = DirectoryBackend.ofClusterNodes(home).open(environment)) {
      assertThat(nodes.refused()).isEmpty();
    }
  }

  @Test
  @DisplayName("NI-35 Where the nodes are not there no folder of claims is made")
  void noNodes() {
    Path missing = home.resolve("missing");
    assertThatThrownBy(
            () -> DirectoryBackend.withClaims(missing.resolve("nodes")).open(environment(1, false)))
        .hasMessageContaining("STORE_UNREADABLE");
    assertThat(missing).doesNotExist();
  }

  @Test
  @DisplayName("NI-33 A claim is a file that reads as a Lease, and nothing is left beside it")
  void file() throws IOException {
    DirectoryClaimStore store = open(1);
    ClaimChange end = store.create("node-id-5", "n1", "u-1");
    Claim claim = ((ClaimChange.Stored) end).claim();
    assertThat(Files.readString(file("node-id-5")))
        .isEqualTo(
            """
            {
              "apiVersion": "coordination.k8s.io/v1",
              "kind": "Lease",
              "metadata": {
                "name": "node-id-5",
                "uid": "%s",
                "labels": {
                  "app.kubernetes.io/managed-by": "tidemark"
                },
                "annotations": {
                  "tidemark.io/node-uid": "u-1"
                }
              },
              "spec": {
                "holderIdentity": "n1"
              }
            }
            """
                .formatted(claim.uid()));
    try (Stream<Path> files = Files.list(home.resolve("claims"))) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("node-id-5.json", ".tidemark.write-lock");
    }
  }

  @Test
  @DisplayName("NI-35 A file that cannot be read is a claim of nobody: its name is taken")
  void unreadable() throws IOException {
    DirectoryClaimStore store = open(1);
    Files.writeString(file("node-id-5"), "{\"kind\": ");
    assertThat(store.list()).isEqualTo(new CatchUp.Done());
    assertThat(store.latest("node-id-5").map(Claim::holder)).contains("");
    assertThat(store.create("node-id-5", "n1", "u-1")).isEqualTo(new ClaimChange.Exists());
  }

  @Test
  @DisplayName("read-only, claims are read and not written")
  void readOnly() {
    DirectoryClaimStore writer = open(1);
    assertThat(writer.create("node-id-1", "n1", "u-1")).isInstanceOf(ClaimChange.Stored.class);
    DirectoryClaimStore dry = new DirectoryClaimStore(home, environment(2, true));
    assertThat(dry.list()).isEqualTo(new CatchUp.Done());
    assertThat(dry.create("node-id-2", "n2", "u-2")).isInstanceOf(ClaimChange.Refused.class);
    assertThat(dry.delete(dry.latest("node-id-1").orElseThrow()))
        .isInstanceOf(ClaimChange.Refused.class);
    assertThat(dry.list()).isEqualTo(new CatchUp.Done());
    assertThat(dry.names()).containsExactly("node-id-1");
    assertThat(writer.list()).isEqualTo(new CatchUp.Done());
    assertThat(writer.names()).containsExactly("node-id-1");
  }
}
