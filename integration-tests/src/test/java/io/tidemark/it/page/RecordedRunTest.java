package io.tidemark.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.FreePorts;
import io.tidemark.testing.Repository;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

@Tag("browser")
@DisplayName("The page of a simulated run in a browser")
class RecordedRunTest {
  private static final List<String> RUN =
      List.of(
          "simulate",
          "--scenario=" + Repository.root().resolve("examples/simulate/growth-and-release.yaml"));

  private static List<String> run(String option) {
    return Stream.concat(RUN.stream(), Stream.of(option)).toList();
  }

  @Test
  @DisplayName("ends with the clock and the counts of the report, and shows every state before")
  void slider(@TempDir Path profile) throws Exception {
    JsonNode report =
        new ObjectMapper().readTree(OperatorProcess.run(Map.of(), run("--output=json")).out());
    int port = FreePorts.next();
    try (OperatorProcess simulation = OperatorProcess.start(Map.of(), run("--serve=" + port));
        Browser browser = Browser.start(profile)) {
      simulation.awaitLog(line -> line.contains("the states of the run are"));
      browser.open(port);
      Eventually.holds("the end is shown", () -> browser.total("nodes") == 80);
      assertThat(browser.text("connection")).isEqualTo("recorded");
      assertThat(browser.text("what")).startsWith("growth-and-release, seed 7 · simulation");
      String end = browser.text("time");
      String clock = "%.3f".formatted(report.get("virtualSeconds").asDouble());
      assertThat(end).isEqualTo(clock + " of " + clock + " s");
      assertThat(browser.total("available")).isEqualTo(report.get("addresses").asInt());
      assertThat(browser.total("interfaces")).isEqualTo(report.get("interfaces").asInt());
      assertThat(requests(browser, 1)).isEqualTo(counts(report.get("calls")));
      assertThat(requests(browser, 2).values().stream().mapToInt(Integer::intValue).sum())
          .isEqualTo(report.get("throttled").asInt())
          .isPositive();
      assertThat(browser.element("now").isDisplayed()).as("a panel with nothing in it").isFalse();

      browser.tabTo("at");
      browser.type(Keys.HOME);
      Eventually.holds(
          "the first state is shown",
          () -> browser.text("time").startsWith("10.000 of") && browser.total("ok") < 80);
      String first = browser.text("time");
      browser.type(Keys.ARROW_RIGHT);
      Eventually.holds("the next one is shown", () -> !browser.text("time").equals(first));
      assertThat(browser.element("at").getDomAttribute("aria-valuetext")).isEqualTo("20.000 s");
      browser.type(Keys.END);
      Eventually.holds("the end is shown again", () -> browser.text("time").equals(end));
      assertThat(browser.total("nodes")).isEqualTo(80);
      browser.requireQuiet();
      assertThat(simulation.stop()).isZero();
    }
  }

  /** A number of each operation in the table of requests. */
  private static Map<String, Integer> requests(Browser browser, int column) {
    return browser.all("#requests tbody tr").stream()
        .map(row -> row.findElements(By.tagName("td")))
        .collect(
            Collectors.toMap(
                cells -> cells.get(0).getText(),
                cells -> Integer.valueOf(cells.get(column).getText().replace(",", ""))));
  }

  private static Map<String, Integer> counts(JsonNode calls) {
    return calls.properties().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().asInt()));
  }
}
