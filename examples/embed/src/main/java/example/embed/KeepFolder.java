package example.embed;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.run.StopReport;
import io.tidemark.engine.Tidemark;
import io.tidemark.manifests.DirectoryBackend;
import io.tidemark.time.ProcessEnd;
import java.nio.file.Path;
import java.time.Duration;

/** Keeps the nodes of a folder supplied by the mock cloud until it gets SIGTERM or Ctrl-C. */
public final class KeepFolder {
  private KeepFolder() {}

  /** Works on the folder that is named by the first argument. */
  public static void main(String[] arguments) throws Exception {
    ProcessEnd end = ProcessEnd.onSignal(Duration.ofSeconds(15), 1);
    NodeBackend.Opener folder = DirectoryBackend.at(Path.of(arguments[0]));
    try (Tidemark tidemark = Tidemark.builder().provider("mock").store(folder).build()) {
      System.out.println("cloud was read: " + tidemark.start().toCompletableFuture().get());
      end.stop().requested().toCompletableFuture().get();
      StopReport report = tidemark.stop(Duration.ofSeconds(10));
      System.out.println(report.isClean() ? "stopped" : "left unknown: " + report.unknown());
    }
    end.exiting(0);
  }
}
