package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.kubernetes.store.CiliumNodeJson.Content;
import io.tidemark.kubernetes.store.ConsistentList.Page;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Pages of a list")
class PagedListerTest {
  /** The form of an API server for its own kinds, which gives a list's metadata first. */
  private static final String METADATA_FIRST =
      """
      {"kind":"CiliumNodeList","apiVersion":"cilium.io/v2",
       "metadata":{"resourceVersion":"9","continue":"NEXT"},"items":[ITEMS]}
      """;

  /** The form of an API server for custom resources. */
  private static final String METADATA_LAST =
      """
      {"apiVersion":"cilium.io/v2","items":[ITEMS],"kind":"CiliumNodeList",\
      "metadata":{"continue":"NEXT","resourceVersion":"9"}}
      """;

  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();
  private final PagedLister<CiliumNodeJson, CiliumNodeJson.Page> lister =
      new PagedLister<>(
          connection,
          CiliumNodeJson.class,
          CiliumNodeJson.Page.class,
          CiliumNodes.PATH,
          Optional.empty());

  private static MockResponse list(String form, String next, String name) {
    return MockCluster.json(form.replace("NEXT", next).replace("ITEMS", node(name)));
  }

  /** With a label that looks like a list's token. */
  private static String node(String name) {
    return """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode",
         "metadata":{"name":"NAME","uid":"u","resourceVersion":"5","labels":{"continue":"wrong"}},
         "spec":{}}
        """
        .replace("NAME", name);
  }

  private void answer(String token, MockResponse answer) {
    cluster.answerOnce(asked -> asked.path().endsWith("?limit=500" + token), answer);
  }

  private List<String> requests(String token) {
    return cluster.requests("GET").stream()
        .map(Asked::path)
        .filter(path -> path.endsWith(token))
        .toList();
  }

  private static List<String> names(Page<Content> page) {
    return page.objects().stream().map(KnownObject::name).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {METADATA_FIRST, METADATA_LAST})
  @DisplayName("the next page is requested once, before it is asked for")
  void ahead(String form) {
    answer("", list(form, "more", "n1"));
    answer("&continue=more", list(form, "", "n2"));
    Page<Content> first = lister.page("", CiliumNodeJson::known);
    Eventually.holds("the next is requested", () -> !requests("more").isEmpty());
    assertThat(names(first)).containsExactly("n1");
    assertThat(first.next()).isEqualTo("more");
    assertThat(names(lister.page(first.next(), CiliumNodeJson::known))).containsExactly("n2");
    assertThat(requests("more")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {METADATA_FIRST, METADATA_LAST})
  @DisplayName("the next page is requested before the one that arrived is parsed")
  void beforeParsing(String form) {
    MockResponse broken =
        MockCluster.json(form.replace("NEXT", "more").replace("ITEMS", "no JSON"));
    answer("", broken);
    assertThatThrownBy(() -> lister.page("", CiliumNodeJson::known))
        .isInstanceOf(KubernetesClientException.class);
    Eventually.holds("the next is requested", () -> !requests("more").isEmpty());
  }

  @Test
  @DisplayName("two lists at a time do not take each other's pages")
  void twoLists() {
    for (int i = 0; i < 2; i++) {
      answer("", list(METADATA_LAST, "more", "n1"));
      answer("&continue=more", list(METADATA_LAST, "", "n2"));
    }
    PagedLister<CiliumNodeJson, CiliumNodeJson.Page> other = lister.another();
    List<Page<Content>> pages =
        List.of(
            lister.page("", CiliumNodeJson::known),
            other.page("", CiliumNodeJson::known),
            lister.page("more", CiliumNodeJson::known),
            other.page("more", CiliumNodeJson::known));
    assertThat(pages)
        .extracting(PagedListerTest::names)
        .map(List::toString)
        .containsExactly("[n1]", "[n1]", "[n2]", "[n2]");
    assertThat(requests("more")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {METADATA_FIRST, METADATA_LAST})
  @DisplayName("a page that was requested by what only looks like a token is not used")
  void lookalike(String form) {
    answer("", list(form, "", "n1"));
    answer("&continue=wrong", list(form, "", "n2"));
    answer("", list(form, "", "n3"));
    Page<Content> first = lister.page("", CiliumNodeJson::known);
    assertThat(first.next()).isEmpty();
    assertThat(names(lister.page("", CiliumNodeJson::known))).containsExactly("n3");
  }

  @Test
  @DisplayName("a page that was requested ahead and failed fails when it is asked for, and once")
  void failedAhead() {
    answer("", list(METADATA_LAST, "more", "n1"));
    answer("&continue=more", MockCluster.status(410, "Expired", "the continue token is too old"));
    answer("&continue=more", list(METADATA_LAST, "", "n2"));
    assertThat(names(lister.page("", CiliumNodeJson::known))).containsExactly("n1");
    assertThatThrownBy(() -> lister.page("more", CiliumNodeJson::known))
        .isInstanceOf(KubernetesClientException.class)
        .extracting(thrown -> ((KubernetesClientException) thrown).getCode())
        .isEqualTo(410);
    assertThat(names(lister.page("more", CiliumNodeJson::known))).containsExactly("n2");
  }
}
