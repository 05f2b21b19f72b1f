package io.tidemark.kubernetes.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.migration.MigrationFacts.Fact;
import io.tidemark.kubernetes.migration.MigrationFacts.LeaseHolder;
import io.tidemark.kubernetes.server.MockCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a cluster shows before a migration")
class MigrationFactsTest {
  private static final Instant NOW = Instant.parse("2026-11-27T02:00:00Z");

  @RegisterExtension private final MockCluster mock = MockCluster.start();

  private final ClusterConnection cluster = mock.connection();

  private void lease(String namespace, String name) {
    cluster
        .client()
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("pod-1")
                .withRenewTime(NOW.minusSeconds(3).atZone(ZoneOffset.UTC))
                .endSpec()
                .build())
        .create();
  }

  private static Fact<Optional<LeaseHolder>> held(String place) {
    return new Fact.Known<>(Optional.of(new LeaseHolder(place, "pod-1", Duration.ofSeconds(3))));
  }

  @Test
  @DisplayName("leases are looked for in kube-system, whatever the namespace of the context is")
  void usual() {
    lease("kube-system", "tidemark-operator");
    lease("kube-system", "cilium-operator-resource-lock");

    MigrationFacts facts = MigrationFacts.read(cluster, Optional.empty(), NOW);

    assertThat(facts.ourLease()).isEqualTo(held("kube-system/tidemark-operator"));
    assertThat(facts.theirLease()).isEqualTo(held("kube-system/cilium-operator-resource-lock"));
  }

  @Test
  @DisplayName("our lease is looked for in the namespace that is set for it")
  void named() {
    lease("pools", "tidemark-operator");

    assertThat(MigrationFacts.read(cluster, Optional.of("pools"), NOW).ourLease())
        .isEqualTo(held("pools/tidemark-operator"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "complete, 2, 2, 2, 2, true",
    "not yet seen, 2, 1, 2, 2, false",
    "Pods of before are left, 2, 2, 2, 3, false",
    "Pods are not replaced yet, 2, 2, 1, 2, false",
    "Pods are missing, 2, 2, 1, 1, false",
    "scaled to zero, 0, 2, , , true",
    "scaled to zero with a Pod left, 0, 2, 1, 1, false",
    "no status, 2, , , , false"
  })
  @DisplayName("a rollout is complete when the status shows the Pods of the spec and no other")
  void rollout(
      String what,
      int replicas,
      Long observed,
      Integer updated,
      Integer existing,
      boolean complete) {
    Deployment deployment =
        new DeploymentBuilder()
            .withNewMetadata()
            .withNamespace("cilium")
            .withName("cilium-operator")
            .withGeneration(2L)
            .endMetadata()
            .withNewSpec()
            .withReplicas(replicas)
            .withNewTemplate()
            .withNewSpec()
            .addNewContainer()
            .withName("cilium-operator")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .withNewStatus()
            .withObservedGeneration(observed)
            .withUpdatedReplicas(updated)
            .withReplicas(existing)
            .endStatus()
            .build();

    assertThat(OperatorDeployment.of(deployment).rolledOut()).isEqualTo(complete);
  }
}
