package io.tidemark.provider.aws.simulation;

import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.CloudCallsConfig.Pacing;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.Waits;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of docs/internals/performance.md on EC2's request buckets, in virtual time, as
 * printed tables. Run by {@code .ci/benchmarks aws}.
 */
public final class JoinFigures {
  private static final Duration LONG = Duration.ofHours(4);
  private static final int SEEDS = 5;

  private final PrintStream out;

  private JoinFigures(PrintStream out) {
    this.out = out;
  }

  /** How our calls are paced. */
  private record Limiter(String title, CloudCallsConfig calls) {
    static final Limiter OURS = new Limiter("ours", CloudCallsConfig.defaults());
    static final Limiter STATIC =
        new Limiter("static", CloudCallsConfig.defaults().withPacing(Pacing.FIXED));
    static final Limiter REFERENCE =
        new Limiter(
            "4/s, burst 20",
            CloudCallsConfig.defaults().withPacing(Pacing.NONE).withCeiling(4, 20));
    static final List<Limiter> ALL = List.of(OURS, STATIC, REFERENCE);
  }

  /** Arguments: names of parts (joins, probes, neighbours, steady, hang); none for all. */
  public static void main(String[] arguments) {
    List<String> parts =
        arguments.length == 0
            ? List.of("joins", "probes", "neighbours", "hang", "steady")
            : Arrays.asList(arguments);
    JoinFigures figures = new JoinFigures(System.out);
    for (String part : parts) {
      switch (part) {
        case "joins" -> figures.joins();
        case "probes" -> figures.probes();
        case "neighbours" -> figures.neighbours();
        case "hang" -> figures.hang();
        case "steady" -> figures.steady();
        default ->
            throw new IllegalArgumentException(
                "'" + part + "': expected joins, probes, neighbours, hang or steady");
      }
    }
  }

  private static Object[] heads(String of) {
    return of.split(";", -1);
  }

  // ---- C1 to C4 and A1

  private void joins() {
    out.printf(
        Locale.ROOT,
        "%nJoining nodes, virtual seconds%n%n%-34s %-14s %7s %7s %8s %8s %8s %7s %6s %9s %7s%n",
        heads("what;limiter;nodes;first;p50;p99;last;limit;ratio;throttled;wasted"));
    for (Limiter each : Limiter.ALL) {
      burst("C1 burst, first index 1", each, 1_000, 1, false, 190);
    }
    burst("C1 burst, index 0, cheapest", Limiter.OURS, 1_000, 0, false, 180);
    burst("C1 burst, index 0, fastest", Limiter.OURS, 1_000, 0, true, 85);
    burst("C2 burst, first index 1", Limiter.OURS, 10_000, 1, false, 1_990);
    burst("C2 burst, index 0, fastest", Limiter.OURS, 10_000, 0, true, 985);
    stream("C3 2/s, first index 1", Limiter.OURS, 2, 1, 2.1);
    stream("C3 2/s, first index 0", Limiter.OURS, 2, 0, 0.8);
    stream("C4 10/s, first index 1", Limiter.OURS, 10, 1, 95 + 2.1);
  }

  private void burst(
      String what, Limiter limiter, int nodes, int index, boolean fastest, double limit) {
    JoinWorld world = new JoinWorld(JoinWorld.Shape.of(limiter.calls, index, fastest, 1));
    List<NodeResource> booted = world.boot("node-", nodes);
    SortedMap<String, Long> before = world.calls();
    for (NodeResource each : booted) {
      world.join(each, Duration.ZERO);
    }
    report(what, limiter, nodes, limit, world, before);
  }

  private void stream(String what, Limiter limiter, double perSecond, int index, double limit) {
    int nodes = 1_000;
    JoinWorld world = new JoinWorld(JoinWorld.Shape.of(limiter.calls, index, false, 1));
    List<NodeResource> booted = world.boot("node-", nodes);
    SortedMap<String, Long> before = world.calls();
    for (int i = 0; i < nodes; i++) {
      world.join(booted.get(i), Duration.ofNanos((long) (i / perSecond * 1e9)));
    }
    world.run(Duration.ofNanos((long) (nodes / perSecond * 1e9)));
    report(what, limiter, nodes, limit, world, before);
  }

  private void report(
      String what,
      Limiter limiter,
      int nodes,
      double limit,
      JoinWorld world,
      SortedMap<String, Long> before) {
    Waits waits = world.await(name -> true, LONG);
    world.run(Duration.ofMinutes(2));
    SortedMap<String, Long> calls = difference(before, world.calls());
    out.printf(
        Locale.ROOT,
        "%-34s %-14s %7d %7.1f %8.1f %8.1f %8.1f %7.1f %6.2f %8.1f%% %7d%n",
        what,
        limiter.title,
        nodes,
        waits.first(),
        waits.at(0.5),
        waits.at(0.99),
        waits.last(),
        limit,
        waits.last() / limit,
        100.0 * world.throttled() / total(calls),
        calls.getOrDefault("DeleteNetworkInterface", 0L));
    out.printf(Locale.ROOT, "    calls per node: %s%n", perNode(calls, nodes));
  }

  private static String perNode(SortedMap<String, Long> calls, int nodes) {
    StringBuilder text = new StringBuilder();
    double sum = 0;
    for (Map.Entry<String, Long> each : calls.entrySet()) {
      double share = (double) each.getValue() / nodes;
      sum += share;
      text.append(String.format(Locale.ROOT, ", %s %.3f", each.getKey(), share));
    }
    return String.format(Locale.ROOT, "%.3f%s", sum, text);
  }

  private static long total(SortedMap<String, Long> calls) {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }

  private static SortedMap<String, Long> difference(
      SortedMap<String, Long> before, SortedMap<String, Long> after) {
    SortedMap<String, Long> difference = new TreeMap<>();
    after.forEach(
        (name, count) -> {
          long more = count - before.getOrDefault(name, 0L);
          if (more > 0) {
            difference.put(name, more);
          }
        });
    return difference;
  }

  // ---- C5

  private void probes() {
    out.printf(
        Locale.ROOT,
        "%nC5: full nodes that get one pod more while 10,000 nodes join, virtual seconds%n%n"
            + "%-34s %7s %8s %8s %8s%n",
        heads("what;probes;p50;p99;last"));
    probes("by one address on the primary", 0, 8);
    probes("by a new interface", 1, 9);
  }

  private void probes(String what, int index, int pre) {
    int count = 200;
    Random random = new Random(5);
    JoinWorld.Shape usual = JoinWorld.Shape.of(Limiter.OURS.calls, index, false, 1);
    JoinWorld world =
        new JoinWorld(
            new JoinWorld.Shape(
                usual.calls(), usual.type(), pre, index, usual.fastest(), usual.limited(), 1));
    for (NodeResource each : world.boot("probe-", count)) {
      world.join(each, Duration.ZERO);
    }
    List<NodeResource> crowd = world.boot("node-", 10_000);
    world.await(name -> true, LONG);
    world.run(Duration.ofMinutes(5));
    crowd.forEach(each -> world.join(each, Duration.ZERO));
    for (int i = 0; i < count; i++) {
      world.probe("probe-" + i, Duration.ofSeconds(1 + random.nextInt(1_800)));
    }
    world.run(Duration.ofSeconds(1_810));
    Waits waits = world.await(name -> name.startsWith("probe"), LONG);
    out.printf(
        Locale.ROOT,
        "%-34s %7d %8.2f %8.2f %8.2f%n",
        what,
        count,
        waits.at(0.5),
        waits.at(0.99),
        waits.last());
  }

  // ---- C6 and C7

  private void neighbours() {
    out.printf(
        Locale.ROOT,
        "%nBuckets that are not as documented, 1,000 nodes, first index 1%n%n"
            + "%-34s %-14s %7s %10s %10s %12s %12s %7s%n",
        heads("what;limiter;limit;ratio p50;ratio max;throttled p50;throttled max;wasted"));
    for (Limiter each : Limiter.ALL) {
      unlike("C6 noisy neighbours use 40 %", each, 0.4, 950 / 3.0 + 2.1);
    }
    for (Limiter each : Limiter.ALL) {
      unlike("C7 refill three times as fast", each, -2, 950 / 15.0 + 2.1);
    }
  }

  private void unlike(String what, Limiter limiter, double share, double limit) {
    double[] ratios = new double[SEEDS];
    double[] throttled = new double[SEEDS];
    long wasted = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      JoinWorld world = new JoinWorld(JoinWorld.Shape.of(limiter.calls, 1, false, seed));
      List<NodeResource> booted = world.boot("node-", 1_000);
      SortedMap<String, Long> before = world.calls();
      world.neighbours(share);
      booted.forEach(each -> world.join(each, Duration.ZERO));
      ratios[seed - 1] = world.await(name -> true, LONG).last() / limit;
      SortedMap<String, Long> calls = difference(before, world.calls());
      throttled[seed - 1] = 100.0 * world.throttled() / total(calls);
      world.run(Duration.ofMinutes(10));
      wasted += difference(before, world.calls()).getOrDefault("DeleteNetworkInterface", 0L);
    }
    Arrays.sort(ratios);
    Arrays.sort(throttled);
    out.printf(
        Locale.ROOT,
        "%-34s %-14s %7.1f %10.2f %10.2f %11.1f%% %11.1f%% %7d%n",
        what,
        limiter.title,
        limit,
        ratios[SEEDS / 2],
        ratios[SEEDS - 1],
        throttled[SEEDS / 2],
        throttled[SEEDS - 1],
        wasted);
  }

  // ---- one instance whose calls hang

  private void hang() {
    double[] p99 = new double[2];
    for (int run = 0; run < 2; run++) {
      JoinWorld world = new JoinWorld(JoinWorld.Shape.of(Limiter.OURS.calls, 1, false, 1));
      List<NodeResource> booted = world.boot("node-", 250);
      if (run == 1) {
        world.hang(site -> site.subject().equals("node-0"));
      }
      booted.forEach(each -> world.join(each, Duration.ZERO));
      p99[run] = world.await(name -> !name.equals("node-0"), LONG).at(0.99);
    }
    out.printf(
        Locale.ROOT,
        "%n250 nodes at once, p99 of 249: %.2f s; while every call of the other one hangs: %.2f s"
            + " (%+.1f %%)%n",
        p99[0],
        p99[1],
        100 * (p99[1] / p99[0] - 1));
  }

  // ---- A2

  private void steady() {
    int nodes = 5_000;
    JoinWorld world =
        new JoinWorld(
            new JoinWorld.Shape(
                CloudCallsConfig.defaults().withPacing(Pacing.NONE),
                new InstanceShape("fifteen", 15, 2, false),
                15,
                0,
                false,
                false,
                1));
    List<NodeResource> booted = world.boot("node-", nodes);
    booted.forEach(each -> world.join(each, Duration.ZERO));
    world.await(name -> true, LONG);
    world.run(Duration.ofHours(1));
    SortedMap<String, Long> before = world.calls();
    int minutes = 180;
    world.run(Duration.ofMinutes(minutes));
    SortedMap<String, Long> calls = difference(before, world.calls());
    List<String> by = new ArrayList<>();
    calls.forEach(
        (name, count) ->
            by.add(String.format(Locale.ROOT, "%s %.2f", name, (double) count / minutes)));
    out.printf(
        Locale.ROOT,
        "%nA2: %,d nodes with 15 interfaces at rest: %.1f calls per minute (%s)%n",
        nodes,
        (double) total(calls) / minutes,
        String.join(", ", by));
  }
}
