package io.tidemark.operator;

import io.tidemark.operator.wiring.DirectoryHome;
import io.tidemark.operator.wiring.NodeHome;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of the commands that look at nodes. */
final class NodeOptions {
  @Option(
      names = "--nodes",
      required = true,
      paramLabel = "DIR|FILE",
      description =
          "CiliumNode manifests: the *.yaml, *.yml and *.json files of a directory, or one file;"
              + " one or many objects per file, a kubectl list too.")
  private Path nodes = Path.of("");

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = "Give up after this time, such as 90s or 5m (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofMinutes(5);

  Path nodes() {
    return nodes;
  }

  NodeHome.Opener home() {
    return DirectoryHome.opener(nodes);
  }

  Duration timeout() {
    return timeout;
  }
}
