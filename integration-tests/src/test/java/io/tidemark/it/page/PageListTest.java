package io.tidemark.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.it.program.NodeFolder;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The list of nodes and what belongs to it, of a cloud without request limits. */
@Tag("browser")
@DisplayName("The list of nodes on the operator's page in a browser")
class PageListTest {
  @TempDir private static Path folder;
  @AutoClose private static PagedOperator operator;

  private Browser browser;

  @BeforeAll
  static void start() throws IOException {
    operator = PagedOperator.settled(new NodeFolder(folder), "off");
  }

  @BeforeEach
  void openPage(@TempDir Path profile) {
    browser = Browser.start(profile);
    browser.open(operator.port());
  }

  @AfterEach
  void closePage() {
    browser.requireQuiet();
    browser.close();
  }

  private List<Integer> values(int column) {
    return browser.rows().stream()
        .map(row -> row.lines().toList())
        .map(lines -> Integer.valueOf(lines.get(column)))
        .toList();
  }

  private void sortBy(String key) {
    browser
        .element("headings")
        .findElement(By.cssSelector("[data-key=" + key + "] button"))
        .click();
  }

  @Test
  @DisplayName("sorts by a heading, in both directions, and again by problems")
  void sorting() {
    String usual = browser.rows().toString();
    int spare = 2; // the pool has no text
    sortBy("spare");
    Eventually.holds("the most first", () -> values(spare).equals(sorted(values(spare), true)));
    assertThat(browser.all("[aria-sort=descending]")).hasSize(1);
    int most = values(spare).get(0);
    sortBy("spare");
    Eventually.holds("the fewest first", () -> values(spare).equals(sorted(values(spare), false)));
    assertThat(values(spare).get(0)).isLessThan(most);
    sortBy("spare");
    Eventually.holds("problems first", () -> browser.rows().toString().equals(usual));
    assertThat(browser.all("[aria-sort]")).isEmpty();

    browser.element("headings").findElement(By.tagName("button")).sendKeys(Keys.ENTER, Keys.ENTER);
    Eventually.holds(
        "by keys, the last name first", () -> browser.rows().get(0).startsWith("odd-1"));
    assertThat(browser.rows().get(1)).startsWith(PagedOperator.name(43));
  }

  private static List<Integer> sorted(List<Integer> values, boolean down) {
    return values.stream().sorted((a, b) -> down ? b - a : a - b).toList();
  }

  @Test
  @DisplayName("says that no node matches a filter")
  void noHits() {
    browser.element("filter").sendKeys("worker-99");
    Eventually.holds(
        "it says so", () -> browser.text("none").startsWith("No node matches “worker-99”."));
    assertThat(browser.text("count")).isEqualTo("0 of 48");
    browser.type(Keys.ESCAPE);
    Eventually.holds("all are back", () -> browser.text("none").isEmpty());
  }

  @Test
  @DisplayName("leads from a code to its remedy, and from there to the nodes with it")
  void codes() {
    WebElement code = browser.element("space").findElement(By.linkText("TM-1203"));
    code.click();
    WebElement problem = browser.element("TM-1203");
    Eventually.holds("it is marked", () -> !browser.all("#TM-1203.marked").isEmpty());
    assertThat(problem.getText())
        .contains("SUBNET_EXHAUSTED", "1 node")
        .contains("Free addresses in the subnet, or select another one");
    assertThat(browser.selected()).isEmpty();

    browser.element("TM-1203").findElement(By.tagName("button")).click();
    Eventually.holds("they alone are listed", () -> browser.text("count").equals("1 of 48"));
    assertThat(browser.rows().get(0)).startsWith("batch-");
  }

  @Test
  @DisplayName("shows details below the row, in the words of the glossary")
  void details() {
    browser.element("filter").sendKeys("odd-1");
    Eventually.holds("it alone is listed", () -> browser.rows().size() == 1);
    WebElement row = browser.all("#space > .row").get(0);
    row.click();
    Eventually.holds("details are shown", () -> browser.selected().equals("odd-1"));
    WebElement details = browser.element("details");
    int bottom = row.getRect().y + row.getRect().height;
    assertThat(details.getRect().y).isBetween(bottom - 1, bottom + 1);
    assertThat(browser.text("details-remedy")).startsWith("Select a subnet with free");

    String glossary = Repository.text("docs/glossary.md");
    List<String> words =
        details.findElements(By.tagName("dt")).stream().map(WebElement::getText).toList();
    assertThat(words)
        .contains("available", "in release handshake", "pod capacity")
        .allMatch(word -> glossary.contains("| " + word.replaceFirst("faces$", "face") + " |"));
    row.click();
    Eventually.holds("they are closed", () -> browser.selected().isEmpty());
    assertThat(details.isDisplayed()).isFalse();
  }

  @Test
  @DisplayName(
      "gives names the room at 1280 pixels, breaks no operation, and names cluster and limits")
  void wide() {
    browser.resize(1280, 860);
    assertThat(browser.tooWide()).isEmpty();
    WebElement row = browser.all("#space > .row").get(0);
    int name = row.findElement(By.cssSelector("div:first-child")).getRect().width;
    assertThat(row.findElement(By.className("bar")).getRect().width * 4).isLessThan(name);
    for (WebElement operation : browser.all("#requests td:first-child")) {
      assertThat(operation.getRect().height).as(operation.getText()).isLessThan(30);
    }
    assertThat(browser.text("requests")).contains("no limit").doesNotContain("000,000");
    assertThat(browser.text("what")).startsWith(PagedOperator.CLUSTER + " · mock");
    assertThat(browser.run("return document.title"))
        .isEqualTo(PagedOperator.CLUSTER + " – Tidemark");
  }

  @Test
  @DisplayName("scrolls nothing sideways at 400 pixels, and has the details at the row")
  void narrow() {
    browser.resize(400, 860);
    assertThat(browser.tooWide()).isEmpty();
    WebElement row =
        browser.all("#space > .row").stream()
            .filter(each -> each.getText().startsWith("batch-"))
            .findFirst()
            .orElseThrow();
    row.click();
    Eventually.holds("details are shown", () -> browser.selected().startsWith("batch-"));
    assertThat(browser.tooWide()).isEmpty();
    assertThat(browser.element("details").getRect().y)
        .isBetween(row.getRect().y + 40, row.getRect().y + row.getRect().height + 1);
  }
}
