package io.tidemark.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.FreePorts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

@Tag("browser")
@DisplayName("The page of a simulated run in a browser")
class RecordedRunTest {
  @Test
  @DisplayName("shows the end, and by the slider's keys every state from the beginning on")
  void slider(@TempDir Path profile) throws Exception {
    int port = FreePorts.next();
    try (OperatorProcess simulation =
            OperatorProcess.start(
                Map.of(), List.of("simulate", "--nodes=40", "--seed=4", "--serve=" + port));
        Browser browser = Browser.start(profile)) {
      String unusedLine = simulation.awaitLog(line -> line.contains("the states of the run are"));
      browser.open(port);
      Eventually.holds("the end is shown", () -> browser.total("Nodes") == 40);
      assertThat(browser.text("connection")).isEqualTo("recorded");
      String end = browser.text("time");
      assertThat(end).matches("(\\d\\d:\\d\\d:\\d\\d) of \\1");

      browser.tabTo("at");
      browser.type(Keys.HOME);
      Eventually.holds(
          "the first state is shown",
          () -> browser.text("time").startsWith("00:00:") && browser.total("ok") < 40);
      String first = browser.text("time");
      browser.type(Keys.ARROW_RIGHT);
      Eventually.holds("the next one is shown", () -> !browser.text("time").equals(first));
      assertThat(browser.element("at").getDomAttribute("aria-valuetext"))
          .isEqualTo(browser.text("time").substring(0, 8));
      browser.prefer("light");
      browser.picture("page-recorded");
      browser.type(Keys.END);
      Eventually.holds("the end is shown again", () -> browser.text("time").equals(end));
      assertThat(browser.total("Nodes")).isEqualTo(40);
      browser.requireQuiet();
      assertThat(simulation.stop()).isZero();
    }
  }
}
