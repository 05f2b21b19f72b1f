package io.tidemark.it.agent;

import io.tidemark.testing.FigureTable;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rows about {@code ./tidemark agent} as a process: its start, memory and answers. */
final class ProgramFigures {
  private static final int STARTS = 5;
  private static final int AT_ONCE = 64;

  /** As many as a kubelet allows. */
  private static final int PODS = 110;

  private static final int WARM_UP = 500;
  private static final int ADDS = 2_000;
  private static final Pattern ENTRY = Pattern.compile("\"container\":");
  private static final Path MEMORY = Path.of("/dev/shm");

  private final FigureTable table;

  ProgramFigures(FigureTable table) {
    this.table = table;
  }

  void print() throws IOException, InterruptedException {
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < STARTS - 1; i++) {
      try (AgentProcess agent = AgentProcess.start(folder())) {
        starts.add(agent.sinceStartNanos());
      }
    }
    try (AgentProcess agent = AgentProcess.start(folder())) {
      starts.add(agent.sinceStartNanos());
      starts.sort(null);
      table.row(
          "./tidemark agent, start to the first answer, " + STARTS + " runs",
          "best %.2f s, median %.2f s".formatted(starts.get(0) / 1e9, starts.get(STARTS / 2) / 1e9),
          "1.5 s");
      long resident = agent.use().residentBytes();
      atOnce(agent);
      latency(agent);
      table.row(
          "resident memory when it serves, and after all that",
          "%d and %d MB".formatted(resident >> 20, agent.use().residentBytes() >> 20),
          "120 MB");
    }
  }

  /** A new folder, in memory where the system has such: what a disk takes is not ours. */
  static Path folder() throws IOException {
    return Files.isDirectory(MEMORY)
        ? Files.createTempDirectory(MEMORY, "tidemark")
        : Files.createTempDirectory("tidemark");
  }

  /** Deletes a folder of files. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.toList()) {
        Files.delete(each);
      }
    }
    Files.delete(folder);
  }

  /** The times of all callers together, sorted; each caller has a thread of its own. */
  static List<Long> together(int callers, IntFunction<List<Long>> caller) {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      return IntStream.range(0, callers)
          .mapToObj(i -> CompletableFuture.supplyAsync(() -> caller.apply(i), threads))
          .toList()
          .stream()
          .flatMap(each -> each.join().stream())
          .sorted()
          .toList();
    } finally {
      threads.shutdown();
    }
  }

  /** The usual percentiles of what is sorted. */
  static String percentiles(List<Long> nanos) {
    return "p50 %.2f ms, p99 %.2f ms"
        .formatted(nanos.get(nanos.size() / 2) / 1e6, nanos.get(nanos.size() * 99 / 100) / 1e6);
  }

  private void atOnce(AgentProcess agent) throws IOException, InterruptedException {
    ExecutorService pods = Executors.newFixedThreadPool(AT_ONCE);
    CyclicBarrier together = new CyclicBarrier(AT_ONCE + 1);
    List<Future<String>> answers = new ArrayList<>();
    try {
      for (int i = 0; i < AT_ONCE; i++) {
        int pod = i;
        answers.add(
            pods.submit(
                () -> {
                  together.await();
                  return agent.ask("ADD", pod);
                }));
      }
      together.await();
      long begun = SystemTime.instance().nanos();
      HashSet<String> distinct = new HashSet<>();
      int lost = 0;
      for (Future<String> each : answers) {
        String answer = each.get();
        lost += answer.startsWith("200 ") ? 0 : 1;
        distinct.add(answer);
      }
      double millis = (SystemTime.instance().nanos() - begun) / 1e6;
      table.row(
          AT_ONCE + " ADDs at once, the first after the start",
          "%.0f ms; lost %d, twice %d, on disk %d"
              .formatted(
                  millis,
                  lost,
                  AT_ONCE - distinct.size(),
                  ENTRY.matcher(agent.state()).results().count()),
          "none lost, none twice");
    } catch (ExecutionException | BrokenBarrierException e) {
      throw new IOException(e);
    } finally {
      pods.shutdown();
    }
  }

  private void latency(AgentProcess agent) throws IOException {
    for (int pod = AT_ONCE; pod < PODS; pod++) {
      succeed(agent.ask("ADD", pod));
    }
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < WARM_UP + ADDS; i++) {
      long begun = SystemTime.instance().nanos();
      String answer = agent.ask("ADD", PODS + i);
      if (i >= WARM_UP) {
        nanos.add(SystemTime.instance().nanos() - begun);
      }
      succeed(answer);
      succeed(agent.ask("DEL", PODS + i));
    }
    nanos.sort(null);
    table.row(
        String.format(
            Locale.ROOT,
            "ADD by the socket, node of %d pods, state in memory, %,d of them",
            PODS,
            ADDS),
        percentiles(nanos),
        "p99 5 ms");
  }

  private static void succeed(String answer) throws IOException {
    if (!answer.startsWith("200 ")) {
      throw new IOException(answer);
    }
  }
}
