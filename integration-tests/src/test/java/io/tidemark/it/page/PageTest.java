package io.tidemark.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.kubernetes.server.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

@Tag("browser")
@DisplayName("The operator's page in a browser")
class PageTest {
  private static final int NODES = PagedOperator.NODES;
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private static Path folder;
  private static NodeFolder nodes;
  private static PagedOperator operator;

  @AutoClose private Browser browser;

  @BeforeAll
  static void start() throws IOException {
    nodes = new NodeFolder(folder);
    operator = PagedOperator.settled(nodes, "2");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    int exitCode = operator.stop();
    operator.close();
    assertThat(exitCode).isZero();
  }

  @BeforeEach
  void openPage(@TempDir Path profile) {
    browser = Browser.start(profile);
    browser.open(operator.port());
  }

  @Test
  @DisplayName("shows the totals of /status, subnets, requests, and asks nobody else")
  void totals() throws Exception {
    JsonNode status = operator.status();
    int used = Browser.sum(status, "used");
    int hand = Browser.sum(status, "inHandshake");

    assertThat(browser.total("nodes")).isEqualTo(NODES);
    assertThat(browser.total("used")).isEqualTo(used);
    assertThat(browser.total("spare")).isEqualTo(Browser.sum(status, "available") - used);
    assertThat(browser.total("of these in release handshake")).isEqualTo(hand);
    assertThat(browser.total("needed")).isEqualTo(Browser.sum(status, "needed"));
    assertThat(browser.total("interfaces")).isEqualTo(Browser.sum(status, "interfaces"));
    status
        .at("/summary/states")
        .properties()
        .forEach(
            state ->
                assertThat(browser.total(state.getKey()))
                    .as(state.getKey())
                    .isEqualTo(state.getValue().asInt()));
    JsonNode subnet = status.at("/cloud/subnets/0");
    assertThat(browser.text("subnets"))
        .contains(subnet.get("id").asText(), "%,d".formatted(subnet.get("free").asInt()))
        .containsPattern("%,d \\([0-9]+ %%\\)".formatted(subnet.get("freeBlocks").asInt()));
    assertThat(browser.text("requests")).contains("AssignPrivateIpAddresses");
    assertThat(browser.text("under-way")).isEqualTo("No change of the cloud is under way.");
    browser.resize(1280, 860);
    pictures("page");
    browser.resize(400, 860);
    browser.run("document.querySelector('#space > .row').click(); scrollTo(0, 0)");
    pictures("page-narrow");
    browser.requireQuiet();
  }

  private void pictures(String name) throws IOException {
    for (String scheme : List.of("light", "dark")) {
      browser.prefer(scheme);
      browser.picture(name + "-" + scheme);
    }
  }

  @Test
  @DisplayName(
      "lists blocked nodes first, with code, reason, remedy and the addresses that they need")
  void blocked() throws Exception {
    JsonNode status = operator.status();
    int problems = 0;
    for (JsonNode node : status.get("nodes")) {
      problems += node.get("reason").isNull() ? 0 : 1;
    }
    List<String> rows = browser.rows();

    assertThat(rows.subList(0, problems)).allMatch(row -> row.contains("TM-"));
    assertThat(rows.get(problems)).doesNotContain("TM-");
    String odd = rows.stream().filter(row -> row.startsWith("odd-1")).findFirst().orElseThrow();
    assertThat(odd.lines().toList()).as("8 are needed").contains("8", "blocked");
    assertThat(odd)
        .contains(
            "NO_SUBNET: no subnet matches VPC vpc-1, zone eu-central-1b, subnet-ids [subnet-none]")
        .contains("Select a subnet with free addresses in the cloud section of the node.");
    browser.requireQuiet();
  }

  @Test
  @DisplayName("shows markup in a reason and in a refusal as text")
  void markup() {
    nodes.write("type.yaml", PagedOperator.subnetless("odd-2", Browser.MARKUP));
    nodes.write(
        "broken.yaml", "kind: CiliumNode\nmetadata: {name: '" + Browser.MARKUP + "'}\nspec: 7\n");

    Eventually.holds(
        "the texts arrive",
        () ->
            browser.text("notices").contains(Browser.MARKUP)
                && browser.rows().toString().contains("[" + Browser.MARKUP + "]"));
    browser.requireNoMarkup();
    nodes.remove("broken.yaml");
    nodes.remove("type.yaml");
    Eventually.holds(
        "they go", () -> browser.text("notices").isEmpty() && browser.total("nodes") == NODES);
  }

  @Test
  @DisplayName("shows a new node, its change of state and its end without being loaded again")
  void live() {
    Object loaded = browser.run("return performance.timeOrigin");
    nodes.write("new.yaml", PagedOperator.node("zz-new", "b", "m5.large", 5));
    Eventually.holds(
        "the new node is there",
        () -> browser.total("nodes") == NODES + 1 && browser.text("recent").contains("zz-new"));
    browser.element("filter").sendKeys("zz-new");
    Eventually.holds(
        "it alone is shown, and filled",
        () -> browser.rows().size() == 1 && browser.rows().toString().contains("ok"));
    assertThat(browser.text("count")).isEqualTo("1 of " + (NODES + 1));
    Eventually.holds(
        "the live region has the new count",
        LONG,
        () -> announced().startsWith(NODES + 1 + " nodes, "));

    nodes.remove("new.yaml");
    Eventually.holds("it is gone", () -> browser.total("nodes") == NODES);
    assertThat(browser.text("recent")).contains("gone");
    assertThat(browser.run("return performance.timeOrigin")).isEqualTo(loaded);
    browser.requireQuiet();
  }

  @Test
  @DisplayName("is used by keys alone, and tells screen readers where one is")
  void keyboard() {
    browser.tabTo("grid");
    browser.type(Keys.END);
    String last = browser.selected();
    assertThat(last).isEqualTo(PagedOperator.name(NODES - 5));
    assertThat(active("aria-rowindex")).isEqualTo(String.valueOf(NODES + 1));
    assertThat(active("aria-selected")).isEqualTo("true");
    browser.type(Keys.ARROW_UP);
    assertThat(browser.selected()).isEqualTo(PagedOperator.name(NODES - 6));
    browser.type(Keys.PAGE_UP);
    browser.type(Keys.HOME);
    assertThat(active("aria-rowindex")).isEqualTo("2");
    assertThat(browser.text("details-remedy")).isNotEmpty();
    browser.type(Keys.ARROW_DOWN);
    assertThat(active("aria-rowindex")).isEqualTo("3");
    browser.type(Keys.PAGE_DOWN);
    assertThat(Integer.parseInt(active("aria-rowindex"))).isGreaterThan(5);

    browser.type("/");
    assertThat(browser.focused()).isEqualTo("filter");
    browser.type("IP-10-241-17-");
    Eventually.holds("it filters", () -> browser.rows().size() == 1);
    browser.type(Keys.ESCAPE);
    assertThat(browser.focused()).isEqualTo("grid");
    Eventually.holds("the filter is empty", () -> browser.rows().size() > 10);

    assertThat(browser.element("grid").getAriaRole()).isEqualTo("grid");
    assertThat(browser.element("grid").getDomAttribute("aria-rowcount"))
        .isEqualTo(String.valueOf(NODES + 1));
    assertThat(
            browser.run("return document.querySelector('#space .bar').getAttribute('aria-label')"))
        .asString()
        .containsPattern("[0-9]+ used, [0-9]+ spare");
    assertThat(announced()).startsWith(NODES + " nodes, ");
    browser.requireQuiet();
  }

  private String announced() {
    return browser.run("return document.getElementById('announce').textContent").toString();
  }

  private String active(String attribute) {
    return browser
        .run(
            "const grid = document.getElementById('grid');"
                + "return document.getElementById(grid.getAttribute('aria-activedescendant'))"
                + ".getAttribute(arguments[0])",
            attribute)
        .toString();
  }

  @Test
  @DisplayName("follows the system's colours and the reader's choice, with enough contrast in both")
  void colours() {
    for (String scheme : List.of("light", "dark")) {
      browser.prefer(scheme);
      assertThat(dark()).isEqualTo(scheme.equals("dark"));
      assertThat(Contrast.least(browser)).as(scheme).isGreaterThanOrEqualTo(4.5);
    }
    browser.choose("theme", "light");
    assertThat(dark()).isFalse();
    browser.prefer("light");
    browser.choose("theme", "dark");
    assertThat(dark()).isTrue();
    browser.open(operator.port());
    assertThat(dark()).as("the choice is kept").isTrue();
  }

  private boolean dark() {
    String back = Contrast.background(browser);
    return Contrast.luminance(back) < 0.5;
  }

  @Test
  @DisplayName("says without scripts where the state is")
  void withoutScripts() throws Exception {
    assertThat(operator.get("/").body()).contains("<noscript>").contains("/status");
    assertThat(operator.get("/").headers().map().keySet())
        .contains("content-security-policy")
        .doesNotContain("set-cookie");
    for (String path : List.of("/events2", "/page", "/page.js/")) {
      assertThat(operator.get(path).statusCode()).as(path).isEqualTo(404);
    }
  }
}
