package io.tidemark.it.benchmark;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.http.Exchange;
import io.tidemark.emulator.ec2.http.Response;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.ec2.Ec2Client;

/**
 * The speed of the EC2 emulator as a printed table: calls per second with the SDK's share of them,
 * through HTTP, paging through ten thousand interfaces, and their memory. Real time, no throttling,
 * a thousand other interfaces in the account. Run by {@code .ci/benchmarks emulator}.
 */
public final class EmulatorRun {
  private static final PrintStream OUT = System.out;
  private static final int OTHERS = 1_000;
  private static final int LISTED = 10_000;
  private static final int WARM_UP_ROUNDS = 6_000;
  private static final int ROUNDS = 2_000;
  private static final int HTTP_THREADS = 4;

  private EmulatorRun() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    OUT.printf(
        Locale.ROOT,
        "load %.1f, %d processors%n%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
    OUT.printf(Locale.ROOT, "%-52s %10s %12s%n", "one thread", "calls/s", "CPU µs/call");
    calls();
    overHttp();
    OUT.println();
    listing();
  }

  private static void calls() {
    Ec2Handler handler = emulator().handler();
    CannedAnswers canned = new CannedAnswers(handler);
    CannedAnswers recorder = new CannedAnswers(handler);
    try (Ec2Client ec2 = EmulatorWorld.inProcess(handler);
        Ec2Client toCanned = EmulatorWorld.client(canned, EmulatorWorld.NOWHERE);
        Ec2Client toRecorder = EmulatorWorld.client(recorder, EmulatorWorld.NOWHERE)) {
      String subnet = EmulatorWorld.subnet(ec2);
      String instance = EmulatorWorld.instance(ec2, subnet);
      EmulatorWorld.fill(ec2, subnet, OTHERS);
      EmulatorWorld.round(toCanned, subnet, instance);
      canned.replay();
      Runnable both = () -> EmulatorWorld.round(ec2, subnet, instance);
      Runnable sdk = () -> EmulatorWorld.round(toCanned, subnet, instance);
      repeat(WARM_UP_ROUNDS, both);
      repeat(WARM_UP_ROUNDS, sdk);
      print("SDK and emulator, in one process", best(both, EmulatorWorld.CALLS_PER_ROUND));
      print("the SDK alone, its answers lie ready", best(sdk, EmulatorWorld.CALLS_PER_ROUND));

      String other = EmulatorWorld.instance(ec2, subnet);
      String eni = EmulatorWorld.attached(ec2, subnet, other);
      EmulatorWorld.onOneInterface(toRecorder, eni, other);
      List<Exchange> asked = recorder.asked();
      Runnable emulator = () -> asked.forEach(exchange -> require(handler.handle(exchange)));
      repeat(WARM_UP_ROUNDS, emulator);
      print("the emulator alone: assign, describe, unassign", best(emulator, asked.size()));
    }
  }

  private static void require(Response response) {
    if (response.status() != 200) {
      throw new IllegalStateException(response.body());
    }
  }

  private static void overHttp() throws IOException, InterruptedException {
    try (Ec2Emulator.Listening listening =
            Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
        Ec2Client ec2 = EmulatorWorld.overHttp(listening.endpoint())) {
      String subnet = EmulatorWorld.subnet(ec2);
      String instance = EmulatorWorld.instance(ec2, subnet);
      EmulatorWorld.fill(ec2, subnet, OTHERS);
      Runnable round = () -> EmulatorWorld.round(ec2, subnet, instance);
      repeat(WARM_UP_ROUNDS / 4, round);
      print("SDK and emulator through HTTP", best(round, EmulatorWorld.CALLS_PER_ROUND));
      OUT.printf(Locale.ROOT, "%n%d threads%n", HTTP_THREADS);
      List<String> instances =
          IntStream.range(0, HTTP_THREADS)
              .mapToObj(i -> EmulatorWorld.instance(ec2, subnet))
              .toList();
      CountDownLatch done = new CountDownLatch(HTTP_THREADS);
      Spent spent = new Spent();
      for (String one : instances) {
        Thread thread =
            new Thread(
                () -> {
                  repeat(ROUNDS / HTTP_THREADS, () -> EmulatorWorld.round(ec2, subnet, one));
                  done.countDown();
                });
        thread.setDaemon(true);
        thread.start();
      }
      done.await();
      print("SDK and emulator through HTTP", spent.per(ROUNDS * EmulatorWorld.CALLS_PER_ROUND));
    }
  }

  private static void listing() {
    Ec2Emulator emulator =
        Ec2Emulator.in(
            SystemTime.instance(),
            Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()).withQuota(Quota.INTERFACES, LISTED));
    try (Ec2Client ec2 = EmulatorWorld.inProcess(emulator.handler())) {
      String subnet = EmulatorWorld.subnet(ec2);
      long before = usedBytes();
      EmulatorWorld.fill(ec2, subnet, LISTED);
      long kept = usedBytes() - before;
      for (int i = 0; i < 5; i++) {
        Spent spent = new Spent();
        int read = EmulatorWorld.readAll(ec2);
        if (read != LISTED) {
          throw new IllegalStateException("read " + read + " interfaces, not " + LISTED);
        }
        OUT.printf(
            Locale.ROOT,
            "all of %,d interfaces by pages of 1,000, time %d: %.0f ms wall, %.0f ms CPU%n",
            LISTED,
            i + 1,
            spent.wallNanos() / 1e6,
            spent.per(1).cpuMicros() / 1e3);
      }
      OUT.printf(
          Locale.ROOT,
          "memory of %,d interfaces with 3 addresses each: %.1f MB%n",
          LISTED,
          kept / 1e6);
    }
  }

  private static Ec2Emulator emulator() {
    return Ec2Emulator.in(SystemTime.instance(), Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
  }

  /** The best of three, because other programs only ever slow it down. */
  private static Spent.PerCall best(Runnable round, int callsPerRound) {
    return IntStream.range(0, 3)
        .mapToObj(
            i -> {
              Spent spent = new Spent();
              repeat(ROUNDS, round);
              return spent.per(ROUNDS * callsPerRound);
            })
        .max(Comparator.comparingDouble(Spent.PerCall::callsPerSecond))
        .orElseThrow();
  }

  private static void repeat(int times, Runnable round) {
    for (int i = 0; i < times; i++) {
      round.run();
    }
  }

  private static void print(String what, Spent.PerCall spent) {
    OUT.printf(
        Locale.ROOT, "%-52s %,10.0f %12.0f%n", what, spent.callsPerSecond(), spent.cpuMicros());
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
