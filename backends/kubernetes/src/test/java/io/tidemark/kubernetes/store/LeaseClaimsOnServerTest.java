package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClaimStoreContract;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.CatchUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@DisplayName("Claims as Leases in a real API server (node-id 19.2 AM4, AM11)")
class LeaseClaimsOnServerTest extends ClaimStoreContract {
  private static final String NAMESPACE = "tidemark-node-ids";
  private static final int AGENTS = 64;

  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();

  private ClusterConnection connection;
  private LeaseClaimStore one;
  private LeaseClaimStore two;

  @BeforeAll
  static void start() throws Exception {
    server.createNamespace(NAMESPACE);
  }

  @BeforeEach
  void open() throws Exception {
    connection = server.connect(ApiServer.User.ADMIN);
    one = LeaseClaimStore.watch(connection, NAMESPACE, Runnable::run);
    two = LeaseClaimStore.watch(server.admin(), NAMESPACE, Runnable::run);
  }

  @AfterEach
  void clear() {
    one.close();
    two.close();
    connection.close();
    server.admin().client().leases().inNamespace(NAMESPACE).delete();
  }

  @Override
  protected World world() {
    return new World() {
      @Override
      public ClaimStore store() {
        return one;
      }

      @Override
      public ClaimStore other() {
        return two;
      }

      @Override
      public void eventually(String what, BooleanSupplier holds) {
        Eventually.holds(what, holds::getAsBoolean);
      }
    };
  }

  /** As an agent without an operator: the lowest id that nobody else has. */
  private static Claim claim(ClaimStore store, String node) {
    for (int id = 1; id <= AGENTS; id++) {
      ClaimChange end = store.create("node-id-" + id, node, "u-" + node);
      if (end instanceof ClaimChange.Stored stored) {
        return stored.claim();
      }
      assertThat(end).isEqualTo(new ClaimChange.Exists());
    }
    throw new AssertionError(node + " has no id");
  }

  @Test
  @DisplayName("NI-33 64 agents that claim at once get the 64 lowest ids")
  void agents() throws Exception {
    List<Callable<Claim>> agents = new ArrayList<>();
    for (int i = 0; i < AGENTS; i++) {
      String node = "n" + i;
      ClaimStore store = i % 2 == 0 ? one : two;
      agents.add(() -> claim(store, node));
    }
    ExecutorService threads = Executors.newFixedThreadPool(AGENTS);
    Set<String> names = new TreeSet<>();
    for (Future<Claim> end : threads.invokeAll(agents)) {
      names.add(end.get().name());
    }
    threads.shutdown();
    assertThat(names)
        .isEqualTo(
            IntStream.rangeClosed(1, AGENTS)
                .mapToObj(id -> "node-id-" + id)
                .collect(Collectors.toCollection(TreeSet::new)));
    assertThat(one.list()).isEqualTo(new CatchUp.Done());
    assertThat(one.names()).hasSize(AGENTS);
    assertThat(names.stream().map(name -> one.latest(name).orElseThrow().holder()))
        .hasSize(AGENTS)
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("NI-27 Two operators that delete and change one claim: one succeeds")
  void twoOperators() {
    Claim seen = claim(one, "n1");
    ClaimStore.Reading theirs = two.get(seen.name());
    assertThat(theirs).isInstanceOf(ClaimStore.Reading.Found.class);
    assertThat(one.update(seen, "n1", "u-again")).isInstanceOf(ClaimChange.Stored.class);
    assertThat(two.delete(((ClaimStore.Reading.Found) theirs).claim()))
        .isEqualTo(new ClaimChange.Conflict());
    assertThat(one.latest(seen.name()).map(Claim::holderUid)).contains("u-again");
  }

  @Test
  @DisplayName("NI-27 A claim has no duration, no time of renewal and no owner")
  void object() {
    Claim seen = claim(one, "n1");
    Lease lease =
        server.admin().client().leases().inNamespace(NAMESPACE).withName(seen.name()).get();
    assertThat(lease.getSpec().getLeaseDurationSeconds()).isNull();
    assertThat(lease.getSpec().getRenewTime()).isNull();
    assertThat(lease.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(lease.getMetadata().getLabels())
        .containsEntry("app.kubernetes.io/managed-by", "tidemark");
  }

  @Test
  @DisplayName("NI-35 Who lacks the right, or the namespace, is refused with the server's words")
  void refused() throws Exception {
    try (ClusterConnection nobody = server.connect(ApiServer.User.NOBODY)) {
      LeaseClaimStore theirs = LeaseClaimStore.watch(nobody, NAMESPACE, Runnable::run);
      assertThat(theirs.create("node-id-1", "n1", "u-1"))
          .isInstanceOfSatisfying(
              ClaimChange.Refused.class,
              refused ->
                  assertThat(refused.detail()).contains("cannot create resource \"leases\""));
      theirs.close();
    }
    LeaseClaimStore nowhere = LeaseClaimStore.watch(server.admin(), "absent", Runnable::run);
    assertThat(nowhere.create("node-id-1", "n1", "u-1")).isInstanceOf(ClaimChange.Refused.class);
    nowhere.close();
  }
}
