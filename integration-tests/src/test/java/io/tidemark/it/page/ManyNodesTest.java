package io.tidemark.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.it.program.NodeFolder;
import io.tidemark.kubernetes.server.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

@Tag("browser")
@DisplayName("The operator's page with 10,000 nodes")
class ManyNodesTest {
  private static final int NODES = 10_000;
  private static final int ROWS_MOST = 80;
  private static final Duration START = Duration.ofMinutes(5);

  @Test
  @DisplayName("has few rows in the document, scrolls and types to the last node, and stays live")
  void many(@TempDir Path folder, @TempDir Path profile) throws Exception {
    NodeFolder nodes = new NodeFolder(folder);
    for (int i = 0; i < NODES; i++) {
      String name = "node-%05d".formatted(i);
      nodes.write(name + ".yaml", PagedOperator.node(name, i % 2 == 0 ? "a" : "b", "m5.large", 1));
    }
    try (PagedOperator operator = PagedOperator.start(nodes, "1000");
        Browser browser = Browser.start(profile)) {
      browser.open(operator.port());
      Eventually.holds("all are served", START, () -> browser.total("ok") == NODES);
      assertThat(browser.text("count")).isEqualTo("10,000");
      assertThat(browser.rows()).hasSizeBetween(5, ROWS_MOST);

      browser.run(
          "window.longest = 0; new PerformanceObserver(list => list.getEntries().forEach(each => "
              + "window.longest = Math.max(window.longest, each.duration))).observe({type: 'longtask'})");
      Object scrolled =
          browser.run(
              "const v = document.getElementById('view');"
                  + "v.scrollTop = v.scrollHeight; return v.scrollTop");
      assertThat(((Number) scrolled).intValue()).isGreaterThan(200_000);
      Eventually.holds(
          "the last node is shown", () -> browser.rows().toString().contains("node-09999"));
      assertThat(browser.rows()).hasSizeBetween(5, ROWS_MOST);

      browser.tabTo("grid");
      browser.type(Keys.HOME);
      assertThat(browser.selected()).isEqualTo("node-00000");
      browser.type(Keys.END);
      assertThat(browser.selected()).isEqualTo("node-09999");

      nodes.write("new.yaml", PagedOperator.node("zz-new", "b", "m5.large", 1));
      Eventually.holds("a new node arrives", () -> browser.total("nodes") == NODES + 1);
      assertThat(browser.selected()).as("the same node is active").isEqualTo("node-09999");
      browser.element("filter").sendKeys("node-0777");
      Eventually.holds("it filters", () -> browser.rows().size() == 10);
      double longest = ((Number) browser.run("return window.longest")).doubleValue();
      System.out.printf("the page was busy for at most %.0f ms at a time%n", longest);
      assertThat(longest).as("a list that draws all rows takes seconds").isLessThan(1000);
      browser.requireQuiet();
      assertThat(operator.stop()).isZero();
    }
  }
}
