package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchTrouble;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.store.CiliumNodeJson.Content;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An object of a watch, and what is kept of it")
class KnownObjectJsonTest {
  private static final String NODE =
      """
      {"apiVersion":"cilium.io/v2","kind":"CiliumNode",
       "metadata":{"name":"n1","uid":"u1","resourceVersion":"7"},
       "spec":{"ipam":{"pre-allocate":8}},"status":{}}
      """;

  @TempDir private Path folder;
  private final KnownObjects<Content> known = new KnownObjects<>();

  private static CiliumNodeJson watched(String text) throws Exception {
    return new ObjectMapper().readValue(text, CiliumNodeJson.class);
  }

  @ParameterizedTest
  @ValueSource(classes = {CiliumNodeJson.class, NodeObjectJson.class})
  @DisplayName("a bookmark has a version, from which a broken watch goes on, and no name")
  void bookmark(Class<? extends KnownObjectJson<?>> type) throws Exception {
    String bookmark =
        """
        {"kind":"Node","apiVersion":"v1","metadata":{"resourceVersion":"12746"},"spec":{}}
        """;

    KnownObjectJson<?> read = new ObjectMapper().readValue(bookmark, type);

    assertThat(read.getMetadata().getResourceVersion()).isEqualTo("12746");
    assertThat(read.getMetadata().getName()).isEmpty();
    assertThat(read.known().problems()).isNotEmpty();
  }

  @Test
  @DisplayName("an answer and the event of the same version are kept once, whichever comes first")
  void once() throws Exception {
    KnownObject<Content> answer = known.learn(CiliumNodeJson.read(NODE));
    CiliumNodeJson event = watched(NODE);
    event.share(known.learn(event.known()));
    assertThat(event.known()).isSameAs(answer);
    assertThat(known.find("n1")).containsSame(answer);

    String next = NODE.replace("\"7\"", "\"8\"");
    CiliumNodeJson earlier = watched(next);
    KnownObject<Content> first = known.learn(earlier.known());
    assertThat(first).isSameAs(earlier.known());
    assertThat(known.learn(CiliumNodeJson.read(next))).isSameAs(first);
  }

  @Test
  @DisplayName("an object that a second list shows unchanged is kept once, too")
  void listedAgain() throws Exception {
    KnownObject<Content> first = known.learn(CiliumNodeJson.read(NODE));
    CiliumNodeJson page = watched(NODE);
    CiliumNodeJson listed = watched(NODE);
    try (MockCluster cluster = MockCluster.start();
        ClusterConnection connection = cluster.connect(folder)) {
      InformerHandler<CiliumNodeJson, Content> handler =
          new InformerHandler<>(
              new WatchTrouble(connection, "CiliumNodes"),
              known,
              new ObjectInformer.Kind<>(
                  "CiliumNodes", CiliumNodeJson::known, CiliumNodeJson::share, (a, b) -> false),
              name -> {},
              () -> {});
      handler.shareUnchanged(page);
      handler.readFrom(InformerHandlerTest.informerOf(List.of(listed)));
      handler.onList("9", false);
    }
    assertThat(page.known()).as("with its page").isSameAs(first);
    assertThat(listed.known()).isSameAs(first);
  }

  @Test
  @DisplayName("a version is not taken for a newer one, nor an unreadable one for the one before")
  void apart() throws Exception {
    CiliumNodeJson older = watched(NODE);
    known.learn(CiliumNodeJson.read(NODE.replace("\"7\"", "\"8\"")));
    older.share(known.learn(older.known()));
    assertThat(older.known().version()).isEqualTo("7");

    CiliumNodeJson unreadable = watched(NODE.replace("\"7\"", "\"9\"").replace("8", "\"x\""));
    KnownObject<Content> kept = known.learn(unreadable.known());
    unreadable.share(kept);
    assertThat(kept.payload()).isPresent();
    assertThat(unreadable.known().payload()).isEmpty();
    assertThat(unreadable.known().problems().get(0).where()).isEqualTo("CiliumNode n1");
  }

  @Test
  @DisplayName("equal versions with other contents, as after a restore, are two")
  void restored() throws Exception {
    known.learn(CiliumNodeJson.read(NODE));
    KnownObject<Content> other = CiliumNodeJson.read(NODE.replace("8", "9"));
    assertThat(known.learn(other)).isSameAs(other);
  }
}
