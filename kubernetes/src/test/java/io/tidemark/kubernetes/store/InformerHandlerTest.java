package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Store;
import io.tidemark.cluster.Claim;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchTrouble;
import io.tidemark.kubernetes.server.MockCluster;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A list of objects that were watched before")
class InformerHandlerTest {
  private static final Claim OURS = new Claim("id-1", "u", "280", "n", "v");

  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private final KnownObjects<Claim> known = new KnownObjects<>();
  private final List<String> changed = new ArrayList<>();
  private int read;
  private ClusterConnection connection;
  private InformerHandler<Lease, Claim> handler;

  @BeforeEach
  void watch() throws Exception {
    connection = cluster.connect(folder);
    handler =
        new InformerHandler<>(
            new WatchTrouble(connection, "Leases"),
            known,
            new ObjectInformer.Kind<>(
                "Leases",
                lease -> {
                  read++;
                  return LeaseClaimJson.known(lease);
                },
                null,
                Claim::isSameAs),
            changed::add,
            () -> {});
    handler.readFrom(informerOf(List.of()));
  }

  @AfterEach
  void close() {
    connection.close();
    cluster.close();
  }

  /** An informer whose store has these objects. */
  @SuppressWarnings("unchecked")
  static <T> SharedIndexInformer<T> informerOf(List<T> objects) {
    ClassLoader loader = InformerHandlerTest.class.getClassLoader();
    Object store =
        Proxy.newProxyInstance(
            loader, new Class<?>[] {Store.class}, (self, method, values) -> objects);
    return (SharedIndexInformer<T>)
        Proxy.newProxyInstance(
            loader, new Class<?>[] {SharedIndexInformer.class}, (self, method, values) -> store);
  }

  private boolean isKnown() {
    return known.find(OURS.name()).filter(each -> !each.gone()).isPresent();
  }

  private void answered() {
    KnownObject<Claim> unused =
        known.learn(
            new KnownObject<>(
                OURS.name(), OURS.version(), OURS.uid(), Optional.of(OURS), List.of(), false));
  }

  @Test
  @DisplayName("does not take away what a request answered while the list was on its way")
  void first() {
    answered();
    handler.onBeforeList(null);
    handler.onList("261", true);

    assertThat(isKnown()).isTrue();
    assertThat(changed).isEmpty();
  }

  @Test
  @DisplayName("after a watch does not do so either")
  void again() {
    answered();
    handler.onBeforeList("260");
    handler.onList("261", true);

    assertThat(isKnown()).isTrue();
    assertThat(changed).isEmpty();
  }

  @Test
  @DisplayName("is not read again where an object keeps no version that could be shared")
  void nothingShared() {
    handler.readFrom(informerOf(List.of(new Lease())));
    handler.onBeforeList("260");
    handler.onList("261", false);

    assertThat(read).isZero();
  }

  @Test
  @DisplayName("is the truth when it is older than what was watched: the server was restored")
  void restored() {
    answered();
    handler.onBeforeList("281");
    handler.onList("200", true);

    assertThat(isKnown()).isFalse();
    assertThat(changed).containsExactly("id-1");
  }

  @Test
  @DisplayName("is the truth when it is older than a page of a first list that failed")
  void restoredDuringFirstList() {
    handler.onBeforeList(null);
    handler.onAdd(
        new LeaseBuilder()
            .withNewMetadata()
            .withName(OURS.name())
            .withUid(OURS.uid())
            .withResourceVersion(OURS.version())
            .endMetadata()
            .build());
    assertThat(isKnown()).isTrue();
    handler.onList("200", true);

    assertThat(isKnown()).isFalse();
  }

  @Test
  @DisplayName("is not undone by a watch that is behind it and tells of an object at its version")
  void late() {
    KnownObject<Claim> unused = known.learn(KnownObject.gone(OURS.name(), OURS.version()));
    answered();

    assertThat(isKnown()).isFalse();
  }
}
