package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.file.DiskFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two processes change fields of one file; {@code -Dtidemark.file-updates=20000} lets the other one
 * make more updates.
 */
@Tag("process")
@DisplayName("Updates of another process that writes the same file all the time")
class OtherWriterTest {
  private static final int UPDATES = Integer.getInteger("tidemark.file-updates", 200);

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"rename,false", "rename,true", "in-place,false", "in-place,true"})
  void none(String how, boolean many) throws IOException, InterruptedException {
    String other = StoreWorld.manifest("b").replace("spec:\n", "spec:\n  x-other: 0\n");
    String text = many ? StoreWorld.manifest("a") + "---\n" + other : other.replace(": b", ": a");
    Path file = Files.writeString(directory.resolve("a.yaml"), text);
    FolderWriteLock.share(directory);
    FileReplacement replacement =
        new FileReplacement(ManifestKind.CILIUM_NODE, new DiskFiles(), 1 << 20, "");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                OtherWriter.class.getName(),
                file.toString(),
                how,
                Integer.toString(UPDATES))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int made = 0;
    int refused = 0;
    while (process.isAlive()) {
      int size = 2 + made % 3;
      try {
        Object unused = replacement.edit(file, read -> edit(read, size));
        made++;
      } catch (IOException e) {
        refused++;
      }
    }
    String lost = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.printf(
        "%s, many objects %s: lost %s of %d; own replacements %d, given up %d%n",
        how, many, lost.strip(), UPDATES, made, refused);
    assertThat(process.waitFor()).isZero();
    // Between the last look and the rename is a moment that no system call closes; without looks,
    // every seventh update is lost.
    assertThat(Integer.parseInt(lost.strip())).isLessThanOrEqualTo(1 + UPDATES / 40);
  }

  /** The pool of node {@code a} with so many addresses, whatever it holds now. */
  private static Map<String, ObjectNode> edit(ManifestFile read, int size) {
    ManifestFile.Entry entry = read.index().get("a");
    if (entry == null) {
      return Map.of();
    }
    ObjectNode changed = entry.node().deepCopy();
    ObjectNode pool = changed.withObject("/spec/ipam/pool").removeAll();
    for (int i = 1; i <= size; i++) {
      pool.putObject("10.0.0." + i).put("resource", "eni-1");
    }
    return Map.of("a", changed);
  }
}
