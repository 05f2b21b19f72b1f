package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command datastore inspect")
class DatastoreCommandTest {
  @TempDir private Path folder;
  private Path file = Path.of("");
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  @BeforeEach
  void name() {
    file = folder.resolve("ipam.json");
  }

  private int run(String... arguments) {
    out.reset();
    errors.reset();
    Console console =
        new Console(new PrintStream(out, true, UTF_8), new PrintStream(errors, true, UTF_8), false);
    return Main.run(console, new StopSignal(), Map.of(), arguments);
  }

  @Test
  @DisplayName("D130 It shows a file as text and as JSON, and leaves it alone")
  void shown() throws IOException {
    Files.writeString(
        file,
        "{\"version\":\"vpc-cni-ipam/1\",\"allocations\":[{\"networkName\":\"aws-cni\","
            + "\"containerID\":\"container-1\",\"ifName\":\"eth0\",\"ipv4\":\"10.0.0.6\"}]}\n");
    byte[] before = Files.readAllBytes(file);
    assertThat(run("datastore", "inspect", file.toString())).isZero();
    assertThat(out.toString(UTF_8))
        .contains("10.0.0.6  assigned", "A start of ipamd:")
        .doesNotContain("container-1");
    assertThat(run("datastore", "inspect", "--output=json", file.toString())).isZero();
    assertThat(new ObjectMapper().readTree(out.toByteArray()).at("/entries/0/address").asText())
        .isEqualTo("10.0.0.6");
    assertThat(file).hasBinaryContent(before);
    assertThat(folder).isDirectoryContaining(each -> each.equals(file));
    try (var all = Files.list(folder)) {
      assertThat(all).containsExactly(file);
    }
  }

  @Test
  @DisplayName("A damaged file ends it with 3, a missing one and a wrong duration with 2")
  void refused() throws IOException {
    Files.writeString(file, "{\"version\":");
    assertThat(run("datastore", "inspect", file.toString())).isEqualTo(3);
    assertThat(out.toString(UTF_8)).contains("damaged. TM-1711 CHECKPOINT_CORRUPT", "line 1");
    assertThat(run("datastore", "inspect", folder.resolve("no.json").toString())).isEqualTo(2);
    assertThat(errors.toString(UTF_8)).contains("no.json: it does not exist");
    assertThat(run("datastore", "inspect", folder.resolve("no/no.json").toString())).isEqualTo(2);
    assertThat(run("datastore", "inspect", "--ip-cooldown=soon", file.toString())).isEqualTo(2);
    assertThat(errors.toString(UTF_8)).contains("'soon'");
    assertThat(run("datastore")).isEqualTo(2);
  }

  @Test
  @DisplayName("A file in which two pods have one address ends it with 3")
  void duplicate() throws IOException {
    String entry = "{\"networkName\":\"aws-cni\",\"ifName\":\"eth0\",\"ipv4\":\"10.0.0.6\",";
    Files.writeString(
        file,
        "{\"version\":\"vpc-cni-ipam/1\",\"allocations\":["
            + (entry + "\"containerID\":\"container-1\"},")
            + (entry + "\"containerID\":\"container-2\"}]}\n"));
    assertThat(run("datastore", "inspect", file.toString())).isEqualTo(3);
    assertThat(out.toString(UTF_8)).contains("Duplicates become orphans: 1.");
  }
}
