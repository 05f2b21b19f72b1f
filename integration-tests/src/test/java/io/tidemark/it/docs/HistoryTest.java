package io.tidemark.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.FigureTable;
import io.tidemark.testing.Repository;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@Tag("long")
@DisplayName("The history of the benchmarks")
class HistoryTest {
  private static final String HARNESS =
      """
      # Run progress: 0.00%% complete
      Iteration   1: 0.930 us/op
      Benchmark                        (pool)  Mode  Cnt  Score    Error  Units
      NodeResourceJson.print             4080  avgt    5  0.930 ±   0.210  ms/op
      VirtualTime.run                    4080  thrpt   5  2,200.1 ±  10.400  ops/s
      """;

  private static final String SCALE =
      """
      JDK 17, 2 processors, load 6.5

         nodes      wall ms      CPU s    pod burst ms
           100         51.4       0.03          303.44
         1,000        151.4       0.23          304.44

      heap per node, engine + inventory (1 interface, 8 addresses): 2.75 kB (10000 documents left out)
      """;

  private static final String SENTENCES =
      """
      10,000 nodes, 100,000 running pods
      two writes per node by  8 writers: 1,234 nodes/s
      two writes per node by 16 writers: 2,234 nodes/s
        requests: GET leases 28, PUT leases 33
      """;

  private static final String NODES =
      """
      Tidemark without limits:    last CIDR after   11.6 s, 497 nodes/s since the first after 1.7 s, CPU 7.4 s, resident 159 MB
        0 without; GET leases 7, LIST nodes 21, PATCH nodes 5000
      """;

  private static final String STARTS =
      """

      operator of 1,000 filled nodes by            ready s           CPU s   CPU at rest s              MB
      launcher                                        1.54            2.10            2.30             155
      java-17, archive                                1.36            1.80            2.00             159

      operator of 10,000 filled nodes by           ready s           CPU s   CPU at rest s              MB
      launcher                                        5.50            5.70            6.00             290
      """;

  @TempDir private Path directory;

  private record Ended(int exitCode, String out) {}

  private Ended history(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dfile.encoding=UTF-8",
                Repository.root().resolve(".ci/History.java").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), out);
  }

  private List<String> record(String output, String commit) throws Exception {
    Path table = directory.resolve("history.tsv");
    Path file = Files.writeString(directory.resolve("output.txt"), output);
    Ended ended =
        history(
            "record", table.toString(), file.toString(), commit, "2026-11-26", "2 x CPU", "suite");
    assertThat(ended.exitCode()).as(ended.out()).isZero();
    return Files.readAllLines(table).stream()
        .skip(1)
        .map(line -> line.split("\t", 6)[5].replace('\t', '|'))
        .toList();
  }

  private static String table(String measured) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    FigureTable table = new FigureTable(print);
    table.row("an address taken", measured, "100 ns");
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("DC-4 has a line per figure, whatever form the program prints it in")
  void forms() throws Exception {
    assertThat(record(HARNESS + table("61 ns, CPU 62 ns, 24 bytes") + SCALE + SENTENCES, "a1"))
        .containsExactly(
            "NodeResourceJson.print, 4080|0.93|ms/op",
            "VirtualTime.run, 4080|2200.1|ops/s",
            "an address taken|61|ns",
            "an address taken: CPU|62|ns",
            "an address taken (2)|24|bytes",
            "nodes 100, wall ms|51.4|ms",
            "nodes 100, CPU s|0.03|s",
            "nodes 100, pod burst ms|303.44|ms",
            "nodes 1,000, wall ms|151.4|ms",
            "nodes 1,000, CPU s|0.23|s",
            "nodes 1,000, pod burst ms|304.44|ms",
            "heap per node, engine + inventory (1 interface, 8 addresses)|2.75|kB",
            "two writes per node by 8 writers|1234|nodes/s",
            "two writes per node by 16 writers|2234|nodes/s");
  }

  @Test
  @DisplayName("DC-4 has times, sizes and rates of operators in a cluster, and no requests")
  void operators() throws Exception {
    assertThat(record(NODES + STARTS, "a1"))
        .containsExactly(
            "Tidemark without limits: last CIDR after|11.6|s",
            "Tidemark without limits|497|nodes/s",
            "Tidemark without limits: since the first after|1.7|s",
            "Tidemark without limits: CPU|7.4|s",
            "Tidemark without limits: resident|159|MB",
            "operator of 1,000 filled nodes by launcher, ready s|1.54|s",
            "operator of 1,000 filled nodes by launcher, CPU s|2.1|s",
            "operator of 1,000 filled nodes by launcher, CPU at rest s|2.3|s",
            "operator of 1,000 filled nodes by launcher, MB|155|MB",
            "operator of 1,000 filled nodes by java-17, archive, ready s|1.36|s",
            "operator of 1,000 filled nodes by java-17, archive, CPU s|1.8|s",
            "operator of 1,000 filled nodes by java-17, archive, CPU at rest s|2|s",
            "operator of 1,000 filled nodes by java-17, archive, MB|159|MB",
            "operator of 10,000 filled nodes by launcher, ready s|5.5|s",
            "operator of 10,000 filled nodes by launcher, CPU s|5.7|s",
            "operator of 10,000 filled nodes by launcher, CPU at rest s|6|s",
            "operator of 10,000 filled nodes by launcher, MB|290|MB");
  }

  @Test
  @DisplayName("DC-4 shows the last values side by side, and marks a time or a rate that is worse")
  void worse() throws Exception {
    record(table("61 ns, CPU 62 ns, 24 bytes") + SENTENCES, "a1");
    record(table("71 ns, CPU 71 ns, 20 bytes") + SENTENCES.replace("2,234", "1,800"), "b2");

    Ended shown = history("show", directory.resolve("history.tsv").toString());
    Ended chosen = history("show", directory.resolve("history.tsv").toString(), "by 8 writers");

    assertThat(shown.exitCode()).as(shown.out()).isEqualTo(1);
    assertThat(shown.out())
        .contains("suite, 2 x CPU, Java " + Runtime.version().feature())
        .containsPattern("an address taken +ns +a1 61.00 +b2 71.00 +WORSE \\+16 %")
        .containsPattern("an address taken: CPU +ns +a1 62.00 +b2 71.00\n")
        .containsPattern("an address taken \\(2\\) +bytes +a1 24.00 +b2 20.00 +better -17 %")
        .containsPattern("by 16 writers +nodes/s +a1 2,234 +b2 1,800 +WORSE -19 %")
        .contains("2 of them worse by more than 15 %");
    assertThat(chosen.exitCode()).isZero();
    assertThat(chosen.out()).contains("by 8 writers").doesNotContain("an address");
  }

  @Test
  @DisplayName("DC-4 of the checkout can be read, and names no machine")
  void checkout() throws Exception {
    Ended shown =
        history(
            "show", Repository.root().resolve("docs/internals/benchmarks/history.tsv").toString());

    assertThat(shown.out()).contains("of them worse by more than 15 %");
    assertThat(Repository.text("docs/internals/benchmarks/history.tsv"))
        .startsWith("commit\tdate\tmachine\tjava\tsuite\tfigure\tvalue\tunit\n");
  }
}
