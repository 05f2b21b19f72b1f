package io.tidemark.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Tag("long")
@DisplayName("Random sequences of events, over files and over a real API server")
class SequenceTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.sequences", 100);
  private static final long FIRST = Long.getLong("tidemark.sequences.first", 1);

  @TempDir private Path folder;

  @Test
  @DisplayName("come to the same objects and the same cloud after each event")
  void same() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection cluster = server.connect(User.ADMIN)) {
      for (long seed = FIRST; seed < FIRST + SEQUENCES; seed++) {
        compare(seed, cluster);
      }
    }
  }

  private void compare(long seed, ClusterConnection cluster) throws IOException {
    List<String> nodes = List.of("a-" + seed, "b-" + seed);
    Path files = Files.createDirectory(folder.resolve(Long.toString(seed)));
    StringBuilder story =
        new StringBuilder("replay with -Dtidemark.sequences.first=")
            .append(seed)
            .append(" -Dtidemark.sequences=1\n");
    try (SequenceWorld onFiles = new SequenceWorld(new FileHome(files), nodes);
        SequenceWorld onServer = new SequenceWorld(new ServerHome(cluster), nodes)) {
      for (Happening happening : Happening.sequence(seed, nodes)) {
        story.append(happening).append('\n');
        onFiles.happen(happening);
        onServer.happen(happening);
        assertThat(onServer.unsettled()).as("over the server, %s", story).isEmpty();
        assertThat(onFiles.unsettled()).as("over files, %s", story).isEmpty();
        assertThat(onServer.outcomes()).as("objects, %s", story).isEqualTo(onFiles.outcomes());
        assertThat(onServer.cloud()).as("the cloud, %s", story).isEqualTo(onFiles.cloud());
      }
    }
  }
}
