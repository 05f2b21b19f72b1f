package io.tidemark.kubernetes.deploy;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
@DisplayName("NI-AM17 The rights of deploy/node-id: enough, and nothing is too much")
class NodeIdRightsOnServerTest extends RightsContract {
  private static final String CLAIMS = "tidemark-node-ids";

  NodeIdRightsOnServerTest() {
    super(Manifests.NODE_ID);
  }

  @Override
  Map<String, Use> uses() {
    Use nodes =
        nodes(
            (all, node, number) ->
                all.annotate(node, Map.of(ClusterNode.ANNOTATIONS + "node-id", "" + number)));
    return Map.of(
        CLAIMS,
        this::claims,
        "nodes",
        nodes,
        "leases",
        rights.leases(),
        "events",
        complaints -> NodeCidrRightsOnServerTest.events(rights));
  }

  @Override
  String useOf(Right right) {
    return CLAIMS.equals(right.role().typed().getMetadata().getNamespace())
        ? CLAIMS
        : right.resource();
  }

  @Test
  @DisplayName("NI-AM17 no Lease of another namespace can be listed, and no other one deleted")
  void alone() {
    for (String namespace : List.of("kube-system", "default")) {
      String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
      assertThatThrownBy(() -> rights.account.client().raw(leases, "GET", null))
          .hasMessageContaining("cannot list resource");
      assertThatThrownBy(() -> rights.account.client().raw(leases + "/any", "DELETE", null))
          .hasMessageContaining("cannot delete resource");
    }
  }

  private void claims(List<String> complaints) {
    String mine = "node-id-" + rights.next();
    String theirs = "node-id-" + rights.next();
    try (LeaseClaimStore others = LeaseClaimStore.watch(rights.admin, CLAIMS, Runnable::run);
        LeaseClaimStore claims = LeaseClaimStore.watch(rights.account, CLAIMS, Runnable::run)) {
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
