package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.it.docs.BlocksTest.Entry;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Repository;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kubernetes")
@Tag("long")
@DisplayName("A block of commands in a document, in a cluster")
class DocumentsOnServerTest {
  private static final String GETTING_STARTED = "docs/getting-started.md";

  @TempDir private Path folder;

  private static Stream<Entry> inCluster() {
    return BlocksTest.entries().stream().filter(entry -> entry.how().endsWith("-in-cluster"));
  }

  static Stream<Entry> entries() {
    return inCluster().filter(entry -> !entry.document().equals(GETTING_STARTED));
  }

  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  @ParameterizedTest(name = "{0}")
  @MethodSource("entries")
  @DisplayName("DC-2 does as it stands there what the document says")
  void runs(Entry entry) throws Exception {
    try (DocumentCluster cluster = DocumentCluster.start(folder)) {
      String text = entry.block().text();
      if (!text.contains("examples/kubernetes/ciliumnode.yaml")) {
        cluster.createCiliumNodes();
      }
      if (text.contains("kubectl tidemark")) {
        cluster.startOperator();
      }
      boolean withoutCloud = text.contains("--provider=mock") || text.contains("node-id plan");
      run(entry, withoutCloud ? cluster.environment() : cluster.environmentOnEc2());
    }
  }

  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  @Test
  @DisplayName("DC-2 of docs/getting-started.md does so after those before it, in one cluster")
  void gettingStarted() throws Exception {
    try (DocumentCluster cluster = DocumentCluster.start(folder)) {
      cluster.createCiliumNodes();
      cluster.createCiliumOperator();
      for (Entry entry : steps()) {
        String text = entry.block().text();
        if (text.contains("helm uninstall")) {
          cluster.stopOperator();
        }
        if (text.contains("kubectl status")) {
          cluster.startOperator();
        }
        run(entry, cluster.environmentOnEc2());
        if (text.contains("kubectl status")) {
          String table =
              OperatorProcess.run(cluster.environment(), List.of("kubectl", "status")).out();
          assertThat(Repository.text(GETTING_STARTED)).contains(table.strip());
        }
      }
    }
  }

  /** The blocks of the page in its order, which that of the list need not be. */
  private static List<Entry> steps() {
    List<Entry> steps =
        BlocksTest.blocks().stream()
            .filter(block -> block.document().equals(GETTING_STARTED))
            .flatMap(block -> inCluster().filter(entry -> entry.isFor(block)))
            .toList();
    assertThat(steps).hasSizeGreaterThan(6);
    return steps;
  }

  private static void run(Entry entry, Map<String, String> environment) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(".ci/docs/commands", "--in-cluster", entry.toString())
            .directory(Repository.root().toFile())
            .redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.matches("(AWS|AZURE|TIDEMARK)_.*"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).endsWith("1 blocks\n");
  }
}
