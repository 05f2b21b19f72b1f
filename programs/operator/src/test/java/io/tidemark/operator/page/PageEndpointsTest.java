package io.tidemark.operator.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The files of the page")
class PageEndpointsTest {
  private final PageStreams feed = new PageStreams(new FakeSource().with(2), "e1");

  private HttpResponse answer(String method, String path) {
    List<HttpResponse> answers = new ArrayList<>();
    HttpReply reply =
        new HttpReply() {
          @Override
          public void send(HttpResponse response) {
            answers.add(response);
          }

          @Override
          public void breakOff() {
            throw new IllegalStateException("broken off");
          }
        };
    HttpRequest request =
        new HttpRequest(method, path, "", Map.of(), InetAddress.getLoopbackAddress(), "");
    Objects.requireNonNull(PageEndpoints.of(feed::respond).get(path), path).handle(request, reply);
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }

  private String text(String path) {
    return ((HttpResponse.Text) answer("GET", path).body()).text();
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "/, text/html; charset=utf-8",
    "/page.css, text/css; charset=utf-8",
    "/page.js, text/javascript; charset=utf-8",
    "/model.js, text/javascript; charset=utf-8",
    "/list.js, text/javascript; charset=utf-8",
    "/page.svg, image/svg+xml; charset=utf-8",
    "/events, text/event-stream; charset=utf-8",
  })
  @DisplayName("have a type that browsers do not guess, a policy against others, and no cookie")
  void headers(String path, String type) {
    HttpResponse answer = answer("GET", path);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers())
        .containsEntry("Content-Type", type)
        .containsEntry("X-Content-Type-Options", "nosniff")
        .containsEntry("Cache-Control", "no-store")
        .doesNotContainKey("Set-Cookie");
    assertThat(answer.headers().get("Content-Security-Policy"))
        .startsWith("default-src 'none'; script-src 'self';")
        .doesNotContain("unsafe", "http", "*", "data:");
  }

  @Test
  @DisplayName("name no other place, and have no script or style in the markup")
  void ownResources() {
    assertThat(text("/"))
        .doesNotContain("http:", "https:", "//", "style=", "<style")
        .doesNotContainPattern(" on[a-z]+=")
        .containsPattern("<script type=\"module\" src=\"page.js\"></script>")
        .contains("<noscript>", "This page needs JavaScript. <a href=\"/status\">/status</a>");
    for (String file : List.of("/page.js", "/model.js", "/list.js")) {
      assertThat(text(file))
          .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
          .doesNotContain("http:", "https:");
    }
    assertThat(text("/page.css")).doesNotContain("url(", "@import");
  }

  @Test
  @DisplayName("HEAD of the events opens no stream, and one stream too many is refused with 503")
  void streams() {
    for (int i = 0; i <= PageStreams.STREAMS_MOST; i++) {
      assertThat(answer("HEAD", "/events").body()).isInstanceOf(HttpResponse.Text.class);
    }
    for (int i = 0; i < PageStreams.STREAMS_MOST; i++) {
      assertThat(answer("GET", "/events").body()).isInstanceOf(HttpResponse.Feed.class);
    }
    assertThat(answer("GET", "/events").status()).isEqualTo(503);
  }
}
