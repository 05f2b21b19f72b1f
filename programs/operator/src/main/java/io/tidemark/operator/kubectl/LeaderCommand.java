package io.tidemark.operator.kubectl;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.leader.LeaderAnswer;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.console.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks the leader, and prints what it answers or what the objects show. */
abstract class LeaderCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private final CommonOptions common = new CommonOptions();
  @Mixin private final KubectlOptions options = new KubectlOptions();

  LeaderCommand(Console console) {
    this.console = console;
  }

  @Override
  public final Integer call() {
    common.startLogging(console, CommonOptions.LogLevel.WARN);
    try (ClusterConnection cluster = options.connect(console)) {
      return print(cluster, options.ask(cluster, console)).number();
    }
  }

  /** Prints the answer; may send more requests. */
  abstract ExitCode print(ClusterConnection cluster, LeaderAnswer answer);

  final Console console() {
    return console;
  }

  final boolean json() {
    return common.json();
  }
}
