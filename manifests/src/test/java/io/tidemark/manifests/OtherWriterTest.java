package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.file.DiskFiles;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void none(String how, boolean many) throws IOException, InterruptedException, TextFault {
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
        replacement.edit(file, read -> List.of(edit(read, size)));
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
  private static ObjectEdit edit(ManifestFile read, int size) {
    int index = read.index().getOrDefault("a", -1);
    if (index < 0) {
      return ObjectEdit.of("a", ManifestKind.CILIUM_NODE.spec(), "{}", "{}");
    }
    return read.objects()
        .get(index)
        .parse(ManifestKind.CILIUM_NODE, read)
        .match(
            node ->
                ObjectEdit.of(
                    "a",
                    ManifestKind.CILIUM_NODE.spec(),
                    print(node),
                    print(StoreWorld.withPool(node, size))),
            invalid -> ObjectEdit.of("a", ManifestKind.CILIUM_NODE.spec(), "{}", "{}"));
  }

  private static String print(NodeResource node) {
    return NodeResourceJson.print(node);
  }
}
