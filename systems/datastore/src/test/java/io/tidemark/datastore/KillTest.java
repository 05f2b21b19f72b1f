package io.tidemark.datastore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.file.DiskFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A store whose program is killed")
class KillTest {
  private static final int MOST_LINES = 400;

  @TempDir private Path folder;

  private final Map<String, String> assigned = new HashMap<>();

  /** Unanswered requests of each pod that has any: either state of it is possible. */
  private final Map<String, Integer> underWay = new HashMap<>();

  private int answers;

  @Test
  @Tag("process")
  @DisplayName("D86 Killed ten times at any instant, it loses no answered request")
  void kills() throws IOException, InterruptedException {
    rounds(10);
  }

  @Test
  @Tag("long")
  @DisplayName("D86 Killed 200 times at any instant, it loses no answered request")
  void manyKills() throws IOException, InterruptedException {
    rounds(200);
  }

  private void rounds(int rounds) throws IOException, InterruptedException {
    Random random = new Random(86);
    for (int round = 0; round < rounds; round++) {
      run(random.nextInt(MOST_LINES), random.nextLong());
      compare(round);
    }
    assertThat(answers).as("the program was not idle").isGreaterThan(rounds * 20);
  }

  /** Kills the program once it has said so many lines; what it says after them counts, too. */
  private void run(int lines, long seed) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                KilledStore.class.getName(),
                folder.resolve("ipam.json").toString(),
                Long.toString(seed))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = process.inputReader(UTF_8)) {
      int heard = 0;
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        hear(line);
        heard++;
        if (heard > lines) {
          process.toHandle().destroyForcibly(); // its output stays open
        }
      }
      assertThat(heard).as("it did not end by itself").isGreaterThan(lines);
    } finally {
      assertThat(process.destroyForcibly().waitFor()).as("killed").isEqualTo(137);
    }
  }

  private void hear(String line) {
    if (!line.endsWith(KilledStore.END)) {
      return; // the kill has cut it
    }
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "a", "r" -> underWay.merge(words[1], 1, Integer::sum);
      case "A" -> {
        assertThat(assigned.values()).as(line).doesNotContain(words[2]);
        assigned.put(words[1], words[2]);
        answered(words[1]);
      }
      case "R" -> {
        assigned.remove(words[1]);
        answered(words[1]);
      }
      default -> throw new AssertionError(line);
    }
  }

  private void answered(String pod) {
    underWay.computeIfPresent(pod, (key, requests) -> requests == 1 ? null : requests - 1);
    answers++;
  }

  private void compare(int round) throws IOException {
    CheckpointFile file = new CheckpointFile(folder.resolve("ipam.json"), new DiskFiles());
    CheckpointData data = TestStore.read(file.read(CheckpointFile.DataLoss.REFUSED));
    Map<String, String> found = new HashMap<>();
    for (CheckpointEntry each : data.allocations()) {
      found.put(each.key().containerId(), each.ipv4().orElseThrow().toString());
    }
    assertThat(found).as("each pod has one address").hasSize(data.allocations().size());
    assertThat(new HashSet<>(found.values())).hasSize(found.size());
    Map<String, String> certain = new HashMap<>(found);
    certain.keySet().removeAll(underWay.keySet());
    Map<String, String> answered = new HashMap<>(assigned);
    answered.keySet().removeAll(underWay.keySet());
    assertThat(certain).as("round %s", round).isEqualTo(answered);
    assigned.clear();
    assigned.putAll(found);
    underWay.clear();
  }
}
