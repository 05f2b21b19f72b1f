package io.tidemark.provider.azure.figures;

import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.provider.azure.figures.JoinWorld.Shape;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.CloudCallsConfig.Pacing;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.Waits;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * The figures of docs/internals/performance.md on Azure's request buckets, in virtual time, as
 * printed tables. Run by {@code .ci/benchmarks azure}.
 */
public final class AzureFigures {
  private static final List<String> PARTS = List.of("joins", "hang", "steady", "heap");

  /** Three reads of each of 1,000 nodes out of a bucket of 250 that gets 25 a second. */
  private static final double READS_LIMIT = 110;

  private static final CloudCallsConfig REFERENCE =
      CloudCallsConfig.defaults().withPacing(Pacing.NONE).withCeiling(4, 20);

  private final PrintStream out;

  private AzureFigures(PrintStream out) {
    this.out = out;
  }

  /** Arguments: names of parts (joins, hang, steady, heap); none for all. */
  public static void main(String[] arguments) {
    List<String> parts = arguments.length == 0 ? PARTS : Arrays.asList(arguments);
    AzureFigures figures = new AzureFigures(System.out);
    for (String part : parts) {
      switch (part) {
        case "joins" -> figures.joins();
        case "hang" -> figures.hang();
        case "steady" -> figures.steady();
        case "heap" -> figures.heap();
        default -> throw new IllegalArgumentException("'" + part + "': expected one of " + PARTS);
      }
    }
  }

  // ---- many nodes join

  private void joins() {
    out.printf(
        Locale.ROOT,
        "%nJoining nodes, virtual seconds%n%n%-58s %7s %7s %7s %7s %7s %6s %9s%n",
        "what",
        "first",
        "p50",
        "p99",
        "last",
        "limit",
        "ratio",
        "throttled");
    burst("1,000 instances of a set, operations of 20 s", Shape.usual());
    burst("the same, 4/s, burst 20", Shape.of(REFERENCE, Integer.MAX_VALUE));
    burst("the same, 4/s, burst 20, one call per address", Shape.of(REFERENCE, 1));
    Shape usual = Shape.usual();
    DelayRange uneven = new DelayRange(Duration.ofSeconds(15), Duration.ofSeconds(40));
    burst("operations of 15 to 40 s", usual.with(usual.preAllocate(), uneven));
    JoinWorld machines = new JoinWorld(usual);
    report(
        "1,000 virtual machines",
        machines,
        machines.bootMachines("nodes", "worker", 1_000),
        0,
        READS_LIMIT);
    JoinWorld trickle = new JoinWorld(usual);
    report("500 instances, two a second", trickle, trickle.boot("nodes", "pool-a", 500), 0.5, 21);
  }

  private void burst(String what, Shape shape) {
    JoinWorld world = new JoinWorld(shape);
    report(what, world, world.boot("nodes", "pool-a", 1_000), 0, READS_LIMIT);
  }

  private void report(
      String what, JoinWorld world, List<NodeResource> booted, double apart, double limit) {
    world.run(Duration.ofMinutes(2));
    SortedMap<String, Integer> before = world.calls();
    for (int i = 0; i < booted.size(); i++) {
      world.join(booted.get(i), Duration.ofNanos((long) (i * apart * 1e9)));
    }
    world.run(Duration.ofNanos((long) (booted.size() * apart * 1e9)));
    Waits waits = world.await(name -> true);
    SortedMap<String, Integer> calls = world.callsSince(before);
    out.printf(
        Locale.ROOT,
        "%-58s %7.1f %7.1f %7.1f %7.1f %7.1f %6.2f %8.1f%%%n",
        what,
        waits.first(),
        waits.at(0.5),
        waits.at(0.99),
        waits.last(),
        limit,
        waits.last() / limit,
        100.0 * world.throttled() / JoinWorld.sum(calls, name -> true));
    out.printf(
        Locale.ROOT,
        "    per node: %.3f reads, %.3f writes (%s)%n",
        (double) JoinWorld.sum(calls, JoinWorld::isRead) / booted.size(),
        (double) JoinWorld.sum(calls, name -> !JoinWorld.isRead(name)) / booted.size(),
        text(calls, booted.size()));
  }

  private static String text(SortedMap<String, Integer> calls, double share) {
    StringBuilder text = new StringBuilder();
    calls.forEach(
        (name, count) ->
            text.append(text.length() == 0 ? "" : ", ")
                .append(String.format(Locale.ROOT, "%s %.3f", name, count / share)));
    return text.toString();
  }

  // ---- one machine in trouble

  private void hang() {
    double usual = p99(world -> {});
    double hung = p99(world -> world.hang("pool-a", 0));
    double refused = p99(world -> world.refuse("pool-a", 0));
    double polls = p99(world -> world.refusePolls("pool-a", 0));
    out.printf(
        Locale.ROOT,
        "%n250 nodes at once, p99 of 249: %.2f s; while every request of the other one hangs: %.2f s"
            + " (%+.1f %%); while each is answered with its own 429: %.2f s (%+.1f %%); while each"
            + " poll is: %.2f s (%+.1f %%)%n",
        usual,
        hung,
        100 * (hung / usual - 1),
        refused,
        100 * (refused / usual - 1),
        polls,
        100 * (polls / usual - 1));
  }

  private static double p99(Consumer<JoinWorld> trouble) {
    JoinWorld world = new JoinWorld(Shape.usual());
    List<NodeResource> booted = world.boot("nodes", "pool-a", 250);
    trouble.accept(world);
    booted.forEach(each -> world.join(each, Duration.ZERO));
    return world.await(name -> !name.equals("pool-a-0")).at(0.99);
  }

  // ---- nodes at rest

  private void steady() {
    JoinWorld world = new JoinWorld(Shape.usual());
    world.bootThreeSets(100).forEach(each -> world.join(each, Duration.ZERO));
    world.await(name -> true);
    world.run(Duration.ofHours(1));
    SortedMap<String, Integer> before = world.calls();
    int minutes = 180;
    world.run(Duration.ofMinutes(minutes));
    SortedMap<String, Integer> calls = world.callsSince(before);
    out.printf(
        Locale.ROOT,
        "%n100 nodes in three sets of two subscriptions at rest: %.2f requests a minute (%s)%n",
        (double) JoinWorld.sum(calls, name -> true) / minutes,
        text(calls, minutes));
  }

  // ---- memory

  /** The memory that becomes free when engine and provider are dropped while the documents stay. */
  private void heap() {
    int nodes = 200;
    int addresses = 250;
    Shape usual = Shape.usual();
    JoinWorld world = new JoinWorld(usual.with(addresses, usual.operation()));
    world.boot("nodes", "pool-a", nodes).forEach(each -> world.join(each, Duration.ZERO));
    int served = world.await(name -> true).seconds().size();
    world.run(Duration.ofHours(1));
    long with = usedHeapBytes();
    world.dropOperator();
    long without = usedHeapBytes();
    out.printf(
        Locale.ROOT,
        "%nheap per node, engine and provider (1 interface, %d addresses, %d nodes): %.1f kB"
            + " (%d kinds of requests left out)%n",
        addresses,
        served,
        (with - without) / 1000.0 / nodes,
        world.calls().size());
  }

  private static long usedHeapBytes() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
