package io.tidemark.it.walk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.testing.Repository;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Pods take addresses of a node of AWS, others arrive: every request that leaves, in order, and the
 * files that are executed from the event to the written status.
 */
class NodeWalkTest {
  private static final int DECIDING_FILES_MAX = 50;

  /** Stand-ins for threads, for the API server and for EC2. */
  private static final Pattern STAND_IN =
      Pattern.compile(".*\\.emulator\\..*|.*\\.(Virtual|InMemory)\\w+");

  /** The layers of the walk, then the ground below them, by packages. */
  private enum Layer {
    ENGINE("engine", "node"),
    SPI("spi", "spi"),
    KIT("provider-kit", "provider\\.kit"),
    AWS("provider-aws", "provider\\.aws"),
    RESILIENCE("resilience", "resilience"),
    RESOURCE("resource", "resource"),
    CORE("the rest of core", "cluster|config|demand|metrics"),
    BASE("base", "error|ip|time");

    private final String title;
    private final Pattern packages;

    Layer(String title, String packages) {
      this.title = title;
      this.packages = Pattern.compile("io\\.tidemark\\.(" + packages + ")\\..*");
    }

    boolean isOfWalk() {
      return compareTo(AWS) <= 0;
    }

    static Layer of(String file) {
      return Stream.of(values())
          .filter(each -> each.packages.matcher(file).matches())
          .findFirst()
          .orElseThrow(() -> new AssertionError(file + " is of no layer"));
    }
  }

  @Test
  @DisplayName("The walk: upsert, plan, one request to EC2, status, then spec; 50 files decide")
  @SuppressWarnings("unchecked")
  void walk() throws Exception {
    ExecutedFiles files = new ExecutedFiles();
    Function<Map<String, Runnable>, List<String>> walk =
        (Function<Map<String, Runnable>, List<String>>)
            files.loadClass(NodeWalk.class.getName()).getConstructor().newInstance();
    Map<String, Boolean> executed = new TreeMap<>();

    List<String> requests =
        walk.apply(
            Map.of("upsert", files::reset, "written", () -> executed.putAll(files.executed())));

    requests.forEach(System.out::println);
    assertEquals(
        List.of("AssignPrivateIpAddresses", "updateStatus", "update"),
        requests.stream().map(step -> step.substring(step.lastIndexOf(' ') + 1)).toList());
    executed.keySet().removeIf(name -> STAND_IN.matcher(name).matches());
    String table = table(executed);
    System.out.println(table);
    List<String> deciding =
        executed.entrySet().stream()
            .filter(file -> file.getValue() && Layer.of(file.getKey()).isOfWalk())
            .map(Map.Entry::getKey)
            .toList();
    System.out.println(deciding);
    assertTrue(
        deciding.size() <= DECIDING_FILES_MAX,
        () -> deciding.size() + " files decide: " + deciding);
    assertTrue(
        Repository.text("docs/internals/walk.md").contains(table),
        () -> "docs/internals/walk.md has not\n" + table);
  }

  private static String table(Map<String, Boolean> executed) {
    Map<Layer, int[]> layers = new EnumMap<>(Layer.class);
    executed.forEach(
        (name, decided) -> {
          int[] files = layers.computeIfAbsent(Layer.of(name), key -> new int[2]);
          files[0]++;
          files[1] += decided ? 1 : 0;
        });
    StringBuilder table =
        new StringBuilder("| Layer | Files executed | Of which decide |\n|---|---|---|\n");
    layers.forEach((layer, files) -> table.append(row(layer.title, files)));
    table.append(row("the walk: the first four", sum(layers, Layer::isOfWalk)));
    return table.append(row("all", sum(layers, layer -> true))).toString();
  }

  private static int[] sum(Map<Layer, int[]> layers, Predicate<Layer> chosen) {
    int[] sum = new int[2];
    layers.forEach(
        (layer, files) -> {
          sum[0] += chosen.test(layer) ? files[0] : 0;
          sum[1] += chosen.test(layer) ? files[1] : 0;
        });
    return sum;
  }

  private static String row(String title, int[] files) {
    return "| " + title + " | " + files[0] + " | " + files[1] + " |\n";
  }
}
