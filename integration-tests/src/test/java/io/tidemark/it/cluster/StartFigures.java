package io.tidemark.it.cluster;

import io.tidemark.it.program.ProcessUse;
import io.tidemark.kubernetes.deploy.DeployedJava;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How fast the commands and the operator start, and what memory an operator at rest has, with and
 * without a class-data archive of the image's class list; as printed lines. Run by {@code
 * .ci/benchmarks start [NODES ...]}, which makes the archives: beside the jar, one per JDK.
 */
public final class StartFigures {
  private static final int ROUNDS = 5;
  private static final int REST_SECONDS = 10;

  private final PrintStream out = System.out;
  private final Path jar = Repository.root().resolve("programs/operator/target/tidemark.jar");
  private final String launcher = Repository.root().resolve("tidemark").toString();
  private final Path folder;
  private int started;

  private StartFigures(Path folder) {
    this.folder = folder;
  }

  /** Numbers of nodes. */
  public static void main(String[] arguments) throws Exception {
    StartFigures figures = new StartFigures(Files.createTempDirectory("tidemark-figures"));
    figures.commands();
    for (String nodes : arguments) {
      figures.operators(Integer.parseInt(nodes));
    }
  }

  private void say(String form, Object... values) {
    out.printf(Locale.ROOT, form, values);
  }

  private void commands() throws Exception {
    say("jar: %,d MB%n", Files.size(jar) >> 20);
    String nodes = "--nodes=" + Repository.root().resolve("examples/nodes");
    command("./tidemark --help", "--help");
    command("./tidemark status, three files", "status", nodes, "--provider=mock");
  }

  private void command(String what, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher));
    command.addAll(List.of(arguments));
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i <= ROUNDS; i++) {
      long start = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.waitFor();
      if (i > 0) { // the first may build the program or its archive
        seconds.add((System.nanoTime() - start) / 1e9);
      }
    }
    seconds.sort(null);
    say("%s: %.2f s, best %.2f s%n", what, seconds.get(ROUNDS / 2), seconds.get(0));
  }

  /**
   * A way to start an operator.
   *
   * @param command until its arguments
   */
  private record Way(String text, List<String> command) {}

  private List<Way> ways() throws IOException {
    List<Way> ways = new ArrayList<>(List.of(new Way("launcher", List.of(launcher))));
    for (String home : System.getProperty("tidemark.jdks").split(":", -1)) {
      List<String> java = new ArrayList<>(List.of(Path.of(home, "bin", "java").toString()));
      java.addAll(DeployedJava.options());
      String name = Path.of(home).getFileName().toString();
      ways.add(new Way(name, concat(java, "-jar", jar.toString())));
      String archive = jar.resolveSibling(name + ".jsa").toString();
      ways.add(
          new Way(
              name + ", archive",
              concat(java, "-XX:SharedArchiveFile=" + archive, "-jar", jar.toString())));
    }
    return ways;
  }

  private static List<String> concat(List<String> first, String... more) {
    return Stream.concat(first.stream(), Stream.of(more)).toList();
  }

  private void operators(int nodes) throws Exception {
    say(
        "%n%-36s %15s %15s %15s %15s%n",
        String.format(Locale.ROOT, "operator of %,d filled nodes by", nodes),
        "ready s",
        "CPU s",
        "CPU at rest s",
        "MB");
    try (FilledCluster cluster = FilledCluster.create(folder, nodes)) {
      List<String> arguments = cluster.arguments(cluster.kubeconfig().toString(), 0);
      for (Way way : ways()) {
        List<Started> all = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
          all.add(start(concat(way.command(), arguments.toArray(String[]::new))));
        }
        all.sort((a, b) -> Double.compare(a.seconds(), b.seconds()));
        Started median = all.get(ROUNDS / 2);
        say(
            "%-36s %15.2f %15.2f %15.2f %,15d%n",
            way.text(), median.seconds(), median.cpu(), median.cpuAtRest(), median.megabytes());
      }
    }
  }

  private record Started(double seconds, double cpu, double cpuAtRest, long megabytes) {}

  private Started start(List<String> command) throws Exception {
    long start = System.nanoTime();
    try (ClusterOperator operator =
        ClusterOperator.of(folder.resolve("start-" + started++ + ".log"), command)) {
      operator.awaitReady();
      double seconds = (System.nanoTime() - start) / 1e9;
      double cpu = ProcessUse.of(operator.handle()).cpu().toMillis() / 1e3;
      Thread.sleep(REST_SECONDS * 1_000L);
      ProcessUse use = ProcessUse.of(operator.handle());
      operator.terminate();
      return new Started(seconds, cpu, use.cpu().toMillis() / 1e3, use.residentBytes() >> 20);
    }
  }
}
