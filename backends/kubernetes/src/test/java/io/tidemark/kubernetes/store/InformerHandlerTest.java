package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Store;
import io.tidemark.cluster.Claim;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LogRecord;
import io.tidemark.kubernetes.WatchTrouble;
import io.tidemark.kubernetes.server.MockCluster;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A list of objects that were watched before")
class InformerHandlerTest {
  private static final Claim OURS = new Claim("id-1", "u", "280", "n", "v");

  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();
  private final KnownObjects<Claim> known = new KnownObjects<>();
  private final List<String> changed = new ArrayList<>();
  @RegisterExtension private final LogRecord log = new LogRecord();
  private final InformerHandler<Lease, Claim> handler =
      new InformerHandler<>(
          new WatchTrouble(connection, "Leases"),
          known,
          new ObjectInformer.Kind<>("Leases", LeaseClaimJson::known, null, Claim::isSameAs),
          changed::add,
          () -> {});

  @BeforeEach
  void watch() throws Exception {
    handler.readFrom(informerOf(List.of()));
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
    known.learn(
        new KnownObject<>(
            OURS.name(), OURS.version(), OURS.uid(), Optional.of(OURS), List.of(), false));
  }

  /** An answer to a request. */
  private void answered(String version, String uid) {
    Claim claim = new Claim(OURS.name(), uid, version, "n", "v");
    known.learn(new KnownObject<>(OURS.name(), version, uid, Optional.of(claim), List.of(), false));
  }

  /** An object of the list. */
  private static Lease listed(String version, String uid) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName(OURS.name())
        .withUid(uid)
        .withResourceVersion(version)
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity("n")
        .endSpec()
        .build();
  }

  private void list(String watched, String version, Lease... has) {
    handler.readFrom(informerOf(List.of(has)));
    handler.onBeforeList(watched);
    handler.onList(version, has.length == 0);
  }

  private String version() {
    return known.find(OURS.name()).orElseThrow().version();
  }

  @Test
  @DisplayName("does not take away what a request answered while the list was on its way")
  void first() {
    handler.beforeList();
    answered();
    handler.onBeforeList(null);
    handler.onList("261", true);

    assertThat(isKnown()).isTrue();
    assertThat(changed).isEmpty();
  }

  @Test
  @DisplayName("after a watch does not do so either, nor makes it older")
  void again() {
    answered("100", "u");
    handler.beforeList();
    answered();
    list("260", "261", listed("270", "u"));

    assertThat(version()).isEqualTo(OURS.version());
    assertThat(changed).isEmpty();
  }

  @Test
  @DisplayName("is the truth when it is older than what was watched: the server was restored")
  void restored() {
    answered();
    handler.beforeList();
    handler.onBeforeList("281");
    handler.onList("200", true);

    assertThat(isKnown()).isFalse();
    assertThat(changed).containsExactly("id-1");
    assertThat(log.messages(Level.WARN)).anyMatch(each -> each.contains("older state"));

    handler.onAdd(listed("201", "u2"));
    assertThat(isKnown()).as("what is created then").isTrue();
  }

  @Test
  @DisplayName("is the truth about an object that was deleted and is back with an older version")
  void back() {
    list("", "250");
    known.learn(KnownObject.gone(OURS.name(), "280"));
    handler.beforeList();
    list("281", "1000000281", listed("120", "u"));

    assertThat(version()).isEqualTo("120");
    assertThat(changed).containsExactly("id-1");
    assertThat(log.messages(Level.WARN)).anyMatch(each -> each.contains("olderObjects=1"));
  }

  @Test
  @DisplayName("is the truth about an object that nobody remembers")
  void backUnknown() {
    list("", "250");
    handler.beforeList();
    handler.onAdd(listed("120", "u"));
    list("281", "1000000281", listed("120", "u"));

    assertThat(version()).isEqualTo("120");
    assertThat(changed).containsExactly("id-1");
    assertThat(log.messages(Level.WARN)).anyMatch(each -> each.contains("olderObjects=1"));
  }

  @Test
  @DisplayName("is the truth about the content of an object, and about who has its name")
  void otherUid() {
    answered();
    handler.beforeList();
    list("281", "1000000281", listed("120", "u-before"));

    assertThat(known.find(OURS.name()).orElseThrow().uid()).isEqualTo("u-before");
    assertThat(changed).containsExactly("id-1");
  }

  @Test
  @DisplayName("in which nothing is new changes nothing and says nothing")
  void same() {
    answered();
    handler.beforeList();
    list("281", "290", listed(OURS.version(), OURS.uid()));

    assertThat(version()).isEqualTo(OURS.version());
    assertThat(log.messages(Level.WARN)).isEmpty();
  }

  @Test
  @DisplayName("is the truth when it is older than a page of a first list that failed")
  void restoredDuringFirstList() {
    handler.beforeList();
    handler.onAdd(listed(OURS.version(), OURS.uid()));
    assertThat(isKnown()).isTrue();
    handler.beforeList();
    handler.onBeforeList(null);
    handler.onList("200", true);

    assertThat(isKnown()).isFalse();
  }

  @Test
  @DisplayName("may have shown what the watch changes back: that is an event, too")
  void changedBack() {
    answered("300", "other");
    handler.onUpdate(listed("280", OURS.uid()), listed("310", OURS.uid()));

    assertThat(changed).containsExactly("id-1");
  }

  @Test
  @DisplayName("is not undone by a watch that is behind it and tells of an object at its version")
  void late() {
    known.learn(KnownObject.gone(OURS.name(), OURS.version()));
    answered();

    assertThat(isKnown()).isFalse();
  }
}
