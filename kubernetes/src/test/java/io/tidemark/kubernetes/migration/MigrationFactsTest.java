package io.tidemark.kubernetes.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.migration.MigrationFacts.Fact;
import io.tidemark.kubernetes.migration.MigrationFacts.LeaseHolder;
import io.tidemark.kubernetes.server.MockCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What a cluster shows before a migration")
class MigrationFactsTest {
  private static final Instant NOW = Instant.parse("2026-11-27T02:00:00Z");

  @TempDir private Path folder;

  private final MockCluster mock = MockCluster.start();
  private ClusterConnection cluster;

  @BeforeEach
  void connect() throws Exception {
    cluster = mock.connect(folder, Duration.ofSeconds(5));
  }

  @AfterEach
  void stop() {
    cluster.close();
    mock.close();
  }

  private void lease(String namespace, String name) {
    Object unused =
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
}
