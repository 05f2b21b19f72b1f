package io.tidemark.simulation;

import io.tidemark.simulation.ClusterSimulation.Watched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * A digest of everything that runs show and leave behind, so that a change that must not change
 * decisions can prove it. {@code .ci/digest} asks for the rows and prints them.
 */
public final class RunDigest {
  private static final Optional<Path> TEXTS =
      Optional.ofNullable(System.getProperty("tidemark.digest.texts")).map(Path::of);

  private static final int SEEDS = Integer.getInteger("tidemark.digest.seeds", Integer.MAX_VALUE);

  private RunDigest() {}

  /** How many of so many seeds are asked for. */
  public static int seeds(int most) {
    return Math.min(most, SEEDS);
  }

  /** Whether this row is asked for. */
  public static boolean wants(String row) {
    return List.of(System.getProperty("tidemark.digest.rows", row).split(",")).contains(row);
  }

  /**
   * Makes all runs of a row, on all processors, and prints {@code digest ROW RUNS HEX}.
   *
   * @param runs each makes one run, on any thread
   */
  public static void print(String row, List<Supplier<ClusterSimulation>> runs)
      throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Callable<String>> texts = new ArrayList<>();
      runs.forEach(run -> texts.add(() -> text(run.get().runWatched())));
      List<String> done = new ArrayList<>();
      for (Future<String> text : threads.invokeAll(texts)) {
        done.add(text.get());
        write(row, done.size(), done.get(done.size() - 1));
      }
      System.out.println("digest " + row + ' ' + done.size() + ' ' + hex(done));
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run of " + row + " failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** The results of a run; the wall time apart, which no two runs share. */
  static String text(Watched run) {
    SimulationReport report = run.report();
    SimulationReport.TimeToWatermark full = report.timeToWatermark();
    StringBuilder text = new StringBuilder();
    line(text, "nodes", report.nodes());
    line(text, "virtual seconds", report.virtualSeconds());
    for (double each :
        new double[] {full.first(), full.p50(), full.p90(), full.p99(), full.last()}) {
      line(text, "time to watermark", each);
    }
    report.calls().forEach((call, times) -> line(text, call, times));
    line(text, "throttled", report.throttled());
    line(text, "addresses", report.addresses());
    line(text, "interfaces", report.interfaces());
    report.violations().forEach(each -> line(text, "violation", each));
    run.crashes().occurrences().forEach((effect, times) -> line(text, "asked " + effect, times));
    line(text, "lack", run.lack());
    run.resources().forEach((name, resource) -> line(text, name, resource));
    return text.toString();
  }

  private static void line(StringBuilder text, String name, Object value) {
    text.append(name).append(' ').append(value).append('\n');
  }

  /** The first 16 digits of the SHA-256 of these texts in order. */
  static String hex(List<String> texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      texts.forEach(text -> digest.update((text + '\0').getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static void write(String row, int number, String text) {
    if (TEXTS.isEmpty()) {
      return;
    }
    try {
      Path folder = Files.createDirectories(TEXTS.get().resolve(row));
      Files.writeString(folder.resolve("%04d.txt".formatted(number)), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
