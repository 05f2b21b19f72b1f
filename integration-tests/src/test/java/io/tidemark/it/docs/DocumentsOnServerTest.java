package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.it.docs.BlocksTest.Entry;
import io.tidemark.testing.Repository;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kubernetes")
@Tag("long")
@DisplayName("A block of commands in a document, in a cluster")
class DocumentsOnServerTest {
  @TempDir private Path folder;

  static Stream<Entry> entries() {
    return BlocksTest.entries().stream().filter(entry -> entry.how().endsWith("-in-cluster"));
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
      ProcessBuilder builder =
          new ProcessBuilder(".ci/docs/commands", "--in-cluster", entry.toString())
              .directory(Repository.root().toFile())
              .redirectErrorStream(true);
      builder.environment().keySet().removeIf(name -> name.matches("(AWS|AZURE|TIDEMARK)_.*"));
      boolean withoutCloud = text.contains("--provider=mock") || text.contains("node-id plan");
      builder
          .environment()
          .putAll(withoutCloud ? cluster.environment() : cluster.environmentOnEc2());
      Process process = builder.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor()).as(said).isZero();
      assertThat(said).endsWith("1 blocks\n");
    }
  }
}
