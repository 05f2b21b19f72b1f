package io.tidemark.it.agent;

import io.tidemark.daemon.ipamd.grpc.RpcClient;
import io.tidemark.daemon.ipamd.grpc.Wire;
import io.tidemark.it.program.ProcessUse;
import io.tidemark.testing.FigureTable;
import io.tidemark.testing.Repository;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rows about {@code ./tidemark ipamd} as a process: its start, memory and answers. */
final class IpamdFigures {
  private static final int CALLERS = 64;
  private static final int CONNECTIONS = 8;
  private static final int WARM_UP = 100;
  private static final int ADDS = 200;

  /** Between two pods of one caller that does not wait for the others. */
  private static final int PERIOD_MILLIS = 100;

  private static final int ADDRESSES = 49;

  private final FigureTable table;

  IpamdFigures(FigureTable table) {
    this.table = table;
  }

  void print() throws IOException, InterruptedException {
    Path folder = ProgramFigures.folder();
    Path socket = folder.resolve("ipamd.sock");
    Path log = folder.resolve("log");
    Files.writeString(folder.resolve("interfaces.json"), interfaces());
    long begun = SystemTime.instance().nanos();
    Process process =
        new ProcessBuilder(
                Repository.root().resolve("tidemark").toString(),
                "ipamd",
                "--interfaces=" + folder.resolve("interfaces.json"),
                "--ipamd-socket=" + socket,
                "--checkpoint-path=" + folder.resolve("ipam.json"),
                "--disable-introspection",
                "--metrics-address=127.0.0.1:0",
                "--ip-cooldown=0s",
                "--ip-cooldown-floor=0s")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(log.toFile())
            .start();
    try {
      while (!Files.exists(socket)) {
        if (process.waitFor(2, TimeUnit.MILLISECONDS)) {
          throw new IOException("it ended: " + Files.readString(log));
        }
      }
      List<RpcClient> clients = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        clients.add(RpcClient.of(socket));
      }
      clients.get(0).call(RpcClient.ADD, Wire.addition("first"));
      double start = (SystemTime.instance().nanos() - begun) / 1e9;
      table.row("./tidemark ipamd, start to the first answer", "%.2f s".formatted(start), "-");
      // Each caller begins its next pod when the one before has ended.
      row(
          "ADD by gRPC, %d callers without a pause".formatted(CALLERS),
          ProgramFigures.together(
              CALLERS, caller -> comeAndGo(clients.get(caller % CONNECTIONS), "caller-" + caller)));
      paced(clients);
      clients.forEach(RpcClient::close);
      table.row(
          "resident memory after that",
          "%d MB".formatted(ProcessUse.of(process.toHandle()).residentBytes() >> 20),
          "150 MB");
    } finally {
      process.destroyForcibly().onExit().join();
      ProgramFigures.delete(folder);
    }
  }

  private static String interfaces() {
    return IntStream.range(0, 15)
        .mapToObj(
            eni ->
                "{\"id\":\"eni-%d\",\"device\":%d,\"addresses\":[%s]}"
                    .formatted(
                        eni,
                        eni,
                        IntStream.rangeClosed(1, ADDRESSES)
                            .mapToObj(i -> "\"10.0.%d.%d\"".formatted(eni, i))
                            .collect(Collectors.joining(","))))
        .collect(Collectors.joining(",", "{\"interfaces\":[", "]}"));
  }

  /** Each caller begins a pod in each period. */
  private void paced(List<RpcClient> clients) throws IOException, InterruptedException {
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(CALLERS);
    Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    CountDownLatch rounds = new CountDownLatch(CALLERS * ADDS);
    try {
      for (int caller = 0; caller < CALLERS; caller++) {
        RpcClient client = clients.get(caller % CONNECTIONS);
        String pod = "paced-" + caller;
        Runnable round =
            () -> {
              nanos.add(comeAndGoOnce(client, pod));
              rounds.countDown();
            };
        int offset = caller * PERIOD_MILLIS / CALLERS;
        threads.scheduleAtFixedRate(round, offset, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
      }
      if (!rounds.await(2, TimeUnit.MINUTES)) {
        throw new IOException("requests do not end");
      }
    } finally {
      threads.shutdownNow();
      threads.awaitTermination(10, TimeUnit.SECONDS);
    }
    row(
        "ADD by gRPC, %d callers, %d pods a second in all"
            .formatted(CALLERS, CALLERS * 1_000 / PERIOD_MILLIS),
        nanos.stream().sorted().toList());
  }

  private void row(String name, List<Long> nanos) {
    table.row(name + ", file in memory", ProgramFigures.percentiles(nanos), "p99 2 ms");
  }

  private static List<Long> comeAndGo(RpcClient client, String caller) {
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < WARM_UP + ADDS; i++) {
      long add = comeAndGoOnce(client, caller + "-" + i);
      if (i >= WARM_UP) {
        nanos.add(add);
      }
    }
    return nanos;
  }

  /** How long the ADD of a pod takes that goes at once. */
  private static long comeAndGoOnce(RpcClient client, String pod) {
    long begun = SystemTime.instance().nanos();
    byte[] reply = client.call(RpcClient.ADD, Wire.addition(pod));
    long nanos = SystemTime.instance().nanos() - begun;
    if (Wire.address(reply).isEmpty()) {
      throw new IllegalStateException("no address");
    }
    client.call(RpcClient.DEL, Wire.removal(pod));
    return nanos;
  }
}
