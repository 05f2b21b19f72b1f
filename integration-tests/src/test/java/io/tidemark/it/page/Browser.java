package io.tidemark.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.StreamSupport;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * Chromium without a window and with a profile of its own; it asks nobody but the page's server.
 */
final class Browser implements AutoCloseable {
  /** Would change the title of the page. */
  static final String MARKUP = "<img src=x onerror=document.title=1>";

  private static final List<String> FLAGS =
      List.of(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--window-size=1280,860");

  private final ChromeDriver driver;
  private String origin = "";

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts one. */
  static Browser start(Path profile) {
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File(program("TIDEMARK_CHROMEDRIVER")))
            .usingAnyFreePort()
            .build();
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("TIDEMARK_CHROMIUM"));
    options.addArguments(FLAGS);
    options.addArguments("--user-data-dir=" + profile);
    options.setCapability("goog:loggingPrefs", logs);
    return new Browser(new ChromeDriver(service, options));
  }

  private static String program(String variable) {
    String path = System.getenv(variable);
    if (path == null) {
      throw new IllegalStateException(
          variable + " is not set; run the tests through .ci/browser/run");
    }
    return path;
  }

  /** Opens the page of this server, and waits until it shows something. */
  Browser open(int port) {
    origin = "http://localhost:" + port + "/";
    driver.get("about:blank");
    driver.manage().logs().get(LogType.PERFORMANCE);
    driver.get(origin);
    Eventually.holds("the page shows nodes", () -> !text("count").isEmpty());
    return this;
  }

  /** Lets the system prefer {@code light} or {@code dark}. */
  void prefer(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Shows the page in a window of this width and height, in pixels. */
  void resize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Elements that are wider than what is around them, so that something is cut or scrolls. */
  List<?> tooWide() {
    return (List<?>)
        run(
            """
            const width = document.documentElement.clientWidth;
            return [...document.querySelectorAll('html, body, body *')].filter(each => each.checkVisibility()
                && !each.closest('.unseen, .skip')
                && (each.getBoundingClientRect().right > width + 0.5
                    || (each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX))))
              .map(each => each.tagName + ' ' + each.id + ' ' + each.className);
            """);
  }

  String text(String id) {
    return driver.findElement(By.id(id)).getText();
  }

  /** A number of the totals, by its word. */
  int total(String word) {
    return all("#numbers dl > div").stream()
        .filter(each -> each.findElement(By.tagName("dt")).getText().equals(word))
        .map(each -> each.findElement(By.tagName("dd")).getText().replace(",", ""))
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElse(0);
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** The rows in the document, as they stand in the list. */
  List<String> rows() {
    Object rows =
        run(
            "return [...document.querySelectorAll('#space > .row')]"
                + ".sort((a, b) => a.dataset.index - b.dataset.index).map(row => row.innerText)");
    return ((List<?>) rows).stream().map(String::valueOf).toList();
  }

  /** The name of the node whose details are shown; empty if there is none. */
  String selected() {
    return String.valueOf(
        run(
            "const row = document.querySelector('#space > [aria-selected=true]');"
                + "return row ? row.firstChild.textContent : ''"));
  }

  Object run(String script, Object... arguments) {
    Object result = driver.executeScript(script, arguments);
    return result == null ? "" : result;
  }

  /** Types into what has the focus. */
  void type(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** Moves the focus as the Tab key does, until it is on this element. */
  void tabTo(String id) {
    for (int i = 0; i < 20; i++) {
      if (focused().equals(id)) {
        return;
      }
      type(Keys.TAB);
    }
    throw new AssertionError(id + " cannot be reached by the Tab key");
  }

  String focused() {
    return String.valueOf(driver.switchTo().activeElement().getDomAttribute("id"));
  }

  /** Chooses one of a list. */
  void choose(String id, String value) {
    element(id).findElement(By.cssSelector("option[value='" + value + "']")).click();
  }

  WebElement element(String id) {
    return driver.findElement(By.id(id));
  }

  /** Keeps a picture of the page in target/page. */
  void picture(String name) throws IOException {
    Path folder = Repository.root().resolve("integration-tests/target/page");
    Files.createDirectories(folder);
    Files.write(folder.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
  }

  /** No error on the console, no request to anybody else. */
  void requireQuiet() {
    assertThat(driver.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
    List<String> requested =
        driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
            .map(Browser::requestedUrl)
            .filter(url -> !url.isEmpty())
            .toList();
    assertThat(requested).isNotEmpty().allMatch(url -> url.startsWith(origin), origin);
  }

  /** {@link #MARKUP} is nothing but text. */
  void requireNoMarkup() {
    assertThat(all("body img")).isEmpty();
    assertThat(run("return document.title")).asString().endsWith("Tidemark");
    requireQuiet();
  }

  private static String requestedUrl(LogEntry entry) {
    try {
      JsonNode message = new ObjectMapper().readTree(entry.getMessage()).path("message");
      return message.path("method").asText().equals("Network.requestWillBeSent")
          ? message.at("/params/request/url").asText()
          : "";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(entry.getMessage(), e);
    }
  }

  /** The sum of a number over the nodes of {@code /status}. */
  static int sum(JsonNode status, String key) {
    return StreamSupport.stream(status.get("nodes").spliterator(), false)
        .mapToInt(node -> node.get(key).asInt())
        .sum();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
