package io.tidemark.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@Timeout(5 * Hang.SECONDS)
@DisplayName("Operator and agent over one folder, with the CIDRs of interfaces")
class MultiPoolPairTest {
  /** Three interfaces of ten addresses each, of which one is the interface's own. */
  private static final int MOST = 27;

  @TempDir private Path folder;

  @Test
  @DisplayName("A51 A73 A82 A93 Demand is filled and given back, nothing twice, the agent killed")
  void pair() throws Exception {
    try (NodePair node = new NodePair(folder)) {
      node.startAgent();
      Map<Integer, String> pods = new TreeMap<>();
      for (int pod = 0; pod < 14; pod++) {
        pods.put(pod, node.add(pod));
      }
      node.killAgent();
      node.startAgent();
      for (int pod = 0; pod < 22; pod++) {
        String address = node.add(pod);
        assertThat(pods.getOrDefault(pod, address)).as("pod %s", pod).isEqualTo(address);
        pods.put(pod, address);
      }
      assertThat(new HashSet<>(pods.values())).hasSize(22);
      assertThat(node.pool()).containsKeys(pods.values().toArray(String[]::new));
      assertThat(node.pool().size()).isLessThanOrEqualTo(MOST);

      int most = node.pool().size();
      for (int pod = 3; pod < 22; pod++) {
        node.delete(pod);
        pods.remove(pod);
      }
      node.killAgent();
      node.startAgent();
      while (node.pool().size() > most / 2) {
        TimeUnit.MILLISECONDS.sleep(200);
      }
      assertThat(node.pool())
          .as("those of pods stay attached")
          .containsKeys(pods.values().toArray(String[]::new));
      for (int pod = 30; pod < 44; pod++) {
        pods.put(pod, node.add(pod));
      }
      assertThat(new HashSet<>(pods.values())).hasSize(17);
      assertThat(node.pool()).containsKeys(pods.values().toArray(String[]::new));
      for (String each : pods.values()) {
        assertThat(node.manifest()).contains(each + "/32");
      }
    }
  }
}
