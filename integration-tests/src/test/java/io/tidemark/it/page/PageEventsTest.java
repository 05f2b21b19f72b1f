package io.tidemark.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.HttpHandler;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.operator.page.PageEndpoints;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page in a browser, with events that no operator sends. */
@Tag("browser")
@DisplayName("The operator's page, with events that a test sends,")
class PageEventsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @AutoClose private Browser browser;

  @BeforeEach
  void start(@TempDir Path profile) {
    browser = Browser.start(profile);
  }

  @Test
  @DisplayName("shows markup in a name as text, should a server ever have such a node")
  void markupInName() throws Exception {
    String message =
        """
        event: snapshot
        data: {"facts":{"summary":{"provider":"%1$s","kind":"%1$s","lacking":"%1$s",
        data: "leading":"leader","unhealthy":["%1$s"],"unready":[]},
        data: "cloud":{"subnets":[{"id":"%1$s","zone":"%1$s","free":1,"daysLeft":9.8,"blockRefused":true}],
        data: "requests":[{"operation":"%1$s","sent":1,"throttled":0}],
        data: "changesUnderWay":{"count":1,"oldest":["%1$s"]}},
        data: "refusedCount":0,"refused":[],"recording":null},
        data: "nodes":[{"name":"%1$s","podCIDRs":["%1$s"],"state":"%1$s","reason":"TM-1","problem":"P",
        data: "detail":"%1$s","remedy":"%1$s","stops":true,"missing":1,"columns":["podCIDRs"]}]}

        """
            .formatted(Browser.MARKUP);
    try (HttpListener server =
        serve(request -> HttpResponse.of(200, "text/event-stream", message))) {
      browser.open(server.port());
      Eventually.holds("the node is shown", () -> browser.rows().size() == 1);
      assertThat(browser.rows().get(0).split(Pattern.quote(Browser.MARKUP), -1)).hasSize(6);
      browser.tabTo("grid");
      browser.type(Keys.HOME);
      assertThat(browser.selected()).isEqualTo(Browser.MARKUP);
      assertThat(browser.text("details") + browser.text("problems")).contains(Browser.MARKUP);
      assertThat(browser.text("subnets")).contains(Browser.MARKUP, "at this rate: 9 days");
      assertThat(browser.text("under-way-list")).contains(Browser.MARKUP);
      browser.requireNoMarkup();
    }
  }

  /** A server of the page whose events the test makes. */
  private static HttpListener serve(Function<HttpRequest, HttpResponse> events) throws IOException {
    Map<String, HttpHandler> pages = PageEndpoints.of(events);
    return HttpListener.start(
        "page-test",
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        new HttpLimits(64, 8192, 0, LONG, LONG, LONG, Duration.ZERO),
        (request, reply) ->
            Objects.requireNonNull(pages.get(request.path())).handle(request, reply));
  }

  @Test
  @DisplayName("connects again when the server says nothing for 60 seconds")
  void silence() throws Exception {
    String message =
        """
        event: snapshot
        data: {"facts":{"summary":{"provider":"p","kind":"node","lacking":"addresses",
        data: "leading":"alone","unhealthy":[],"unready":[]},
        data: "cloud":{"subnets":[],"requests":[],"changesUnderWay":null},
        data: "refusedCount":0,"refused":[],"recording":null},"nodes":[]}

        """;
    AtomicInteger connections = new AtomicInteger();
    try (HttpListener server =
        serve(
            request -> {
              connections.incrementAndGet();
              return HttpResponse.of(200, "text/event-stream", new OnlyOnce(message));
            })) {
      browser.open(server.port());
      Eventually.holds("it is live", () -> browser.text("connection").equals("live"));
      assertThat(connections.get()).isEqualTo(1);
      browser.run("const now = Date.now; Date.now = () => now.call(Date) + 60000");
      Eventually.holds("it asked again", () -> connections.get() == 2);
      browser.requireQuiet();
    }
  }

  /** One message, and then silence. */
  private static final class OnlyOnce implements HttpResponse.Feed {
    private final String message;
    private boolean sent;

    OnlyOnce(String message) {
      this.message = message;
    }

    @Override
    public CompletionStage<?> ready() {
      return sent ? new CompletableFuture<Void>() : CompletableFuture.completedStage(null);
    }

    @Override
    public Optional<String> next() {
      sent = true;
      return Optional.of(message);
    }

    @Override
    public void ended() {}
  }
}
