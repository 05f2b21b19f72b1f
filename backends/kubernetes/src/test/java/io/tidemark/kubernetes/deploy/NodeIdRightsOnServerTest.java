package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.kubernetes.deploy.Rights.Right;
import io.tidemark.kubernetes.deploy.Rights.Use;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.LeaseClaimStore;
import io.tidemark.resource.CatchUp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kubernetes")
@Tag("long")
@DisplayName(
    "The rights of deploy/node-id: all that is asked for is allowed, and nothing is too much")
class NodeIdRightsOnServerTest {
  private static final String CLAIMS = "tidemark-node-ids";

  private static NodesRights program;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    program =
        new NodesRights(
            Manifests.NODE_ID,
            folder,
            (nodes, node, number) ->
                nodes.annotate(node, Map.of(ClusterNode.ANNOTATIONS + "node-id", "" + number)));
  }

  @AfterAll
  static void stop() {
    program.close();
  }

  static Stream<Right> all() throws IOException {
    return Rights.all(Manifests.NODE_ID).stream();
  }

  private static Use use(Right right) {
    return CLAIMS.equals(right.role().typed().getMetadata().getNamespace())
        ? NodeIdRightsOnServerTest::claims
        : program.use(right.resource());
  }

  @Test
  @DisplayName("NI-AM17 allow everything that is done with claims, nodes, the lease and Events")
  void enough() throws Exception {
    for (Right each : Rights.all(Manifests.NODE_ID)) {
      assertThat(program.rights.complaints(use(each))).as(each.toString()).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  @DisplayName("NI-AM17 each is needed, and its lack is named in words")
  void needed(Right right) throws Exception {
    program.rights.assertNeeded(right, use(right));
  }

  @Test
  @DisplayName("NI-AM17 no Lease of another namespace can be listed, and no other one deleted")
  void alone() {
    for (String namespace : List.of("kube-system", "default")) {
      String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
      assertThatThrownBy(() -> program.account.client().raw(leases, "GET", null))
          .hasMessageContaining("cannot list resource");
      assertThatThrownBy(() -> program.account.client().raw(leases + "/any", "DELETE", null))
          .hasMessageContaining("cannot delete resource");
    }
  }

  private static void claims(List<String> complaints) {
    Rights rights = program.rights;
    String mine = "node-id-" + (1 + program.next());
    String theirs = "node-id-" + (1 + program.next());
    try (LeaseClaimStore others = LeaseClaimStore.watch(rights.admin, CLAIMS, Runnable::run);
        LeaseClaimStore claims = LeaseClaimStore.watch(program.account, CLAIMS, Runnable::run)) {
      others.create(theirs, "n", "u");
      Eventually.holds(
          "it is watched", () -> rights.hasWarned() || claims.latest(theirs).isPresent());
      if (rights.hasWarned()) {
        return;
      }
      if (claims.list() instanceof CatchUp.Failed failed) {
        complaints.add(failed.detail());
      }
      if (claims.get(theirs) instanceof ClaimStore.Reading.Failed failed) {
        complaints.add(failed.detail());
      }
      refusal(claims.create(mine, "n", "u")).ifPresent(complaints::add);
      Claim seen = claims.latest(theirs).orElseThrow();
      refusal(claims.update(seen, "n", "u2")).ifPresent(complaints::add);
      refusal(claims.delete(claims.latest(theirs).orElseThrow())).ifPresent(complaints::add);
    }
    rights.admin.client().leases().inNamespace(CLAIMS).delete();
  }

  private static Optional<String> refusal(ClaimChange end) {
    return end instanceof ClaimChange.Refused refused
        ? Optional.of(refused.detail())
        : Optional.empty();
  }
}
