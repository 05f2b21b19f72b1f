package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Repository;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What /metrics exposes")
class ExposedMetricsTest {
  private static final Pattern FAMILY = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern ROW = Pattern.compile("\\| `(\\S+)` \\| (\\S+) \\|.*");
  private static final Pattern PREFIX =
      Pattern.compile("cilium_operator_(ipam|mock)_|(?=jvm_|process_|system_)");

  @TempDir private Path directory;

  @Test
  @DisplayName("is documented in docs/metrics.md, each family with its type, and the JVM's are all")
  void documented() throws Exception {
    Manifests manifests = new Manifests(directory).with("a.yaml", Manifests.fresh("worker-a"));
    Program program =
        manifests.start("run --provider=mock --port=0").awaitErr("node=worker-a state=ok");
    String scraped = program.ask("/metrics").body();
    program.stop();

    Set<String> documented = documented("");
    Set<String> exposed = exposed(scraped);
    assertThat(exposed).contains("nodes gauge", "jvm_memory_used_bytes gauge");
    assertThat(documented).containsAll(exposed);
    assertThat(exposed).containsAll(documented("jvm_")).containsAll(documented("process_"));
  }

  /** Without prefix; histograms are accompanied by a gauge of the largest value. */
  private static Set<String> exposed(String scraped) {
    Set<String> families = new TreeSet<>();
    Matcher family = FAMILY.matcher(scraped);
    while (family.find()) {
      Matcher prefix = PREFIX.matcher(family.group(1));
      assertThat(prefix.lookingAt()).as(family.group(1)).isTrue();
      String name = family.group(1).substring(prefix.end());
      if (!name.endsWith("_seconds_max")) {
        families.add(name + ' ' + family.group(2));
      }
    }
    return families;
  }

  private static Set<String> documented(String start) {
    return Repository.text("docs/metrics.md")
        .lines()
        .map(ROW::matcher)
        .filter(row -> row.matches() && row.group(1).startsWith(start))
        .map(row -> row.group(1) + ' ' + (row.group(2).equals("sum") ? "gauge" : row.group(2)))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
