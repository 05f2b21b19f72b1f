package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClaimStoreContract;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.resource.CatchUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Claims in files (node-id 19.1 AM3)")
class DirectoryClaimStoreTest extends ClaimStoreContract {
  @TempDir private Path home;

  private StoreWorld files;

  @BeforeEach
  void files() {
    files = new StoreWorld(home);
  }

  private DirectoryClaimStore open(long seed) {
    return new DirectoryClaimStore(home, files.environment(seed));
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
        files.eventually(what, holds);
      }
    };
  }

  private Path file(String name) {
    return home.resolve("claims").resolve(name + ".json");
  }

  @Test
  @DisplayName("NI-35 Where the folder of claims cannot be made nothing is locked")
  void noFolder() throws IOException {
    Files.writeString(home.resolve("claims"), "in the way");
    assertThatThrownBy(() -> DirectoryBackend.withClaims(home).open(files.environment(1)))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-")
        .hasMessageContaining("claims");
    try (ClusterNodeBackend nodes =
        DirectoryBackend.ofClusterNodes(home).open(files.environment(1))) {
      assertThat(nodes.refused()).isEmpty();
    }
  }

  @Test
  @DisplayName("NI-35 Where the nodes are not there no folder of claims is made")
  void noNodes() {
    Path missing = home.resolve("missing");
    assertThatThrownBy(
            () -> DirectoryBackend.withClaims(missing.resolve("nodes")).open(files.environment(1)))
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
    assertThat(new DiskFiles().list(home.resolve("claims")))
        .containsExactlyInAnyOrder("node-id-5.json", ".tidemark.write-lock");
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
    files.readOnly = true;
    DirectoryClaimStore dry = open(2);
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
