package io.tidemark.it.agent;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.RecoveryOutcome;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.file.DiskFiles;
import io.tidemark.ip.IpFamily;
import io.tidemark.it.benchmark.NodeStores;
import io.tidemark.testing.FigureTable;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The rows about a store that is kept in a file: requests, and recovery. */
final class DurableFigures {
  private static final CooldownRule NONE = new CooldownRule(Duration.ZERO, Duration.ZERO);
  private static final Duration RUN = Duration.ofSeconds(4);
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final int[] CALLERS = {1, 8, 64};

  /** As many as a kubelet allows. */
  private static final int PODS = 110;

  private static final int ENTRIES = 5_000;
  private static final int RECOVERIES = 20;
  private static final int FORCED = 100;

  private final FigureTable table;
  private final ThreadTaskScheduler scheduler =
      ThreadTaskScheduler.start("timer", SystemTime.instance());

  DurableFigures(FigureTable table) {
    this.table = table;
  }

  void print() throws IOException {
    try (PooledEffectRunner effects = new PooledEffectRunner("write", 1, 16, scheduler)) {
      for (Place place : places()) {
        requests(place, effects);
        ProgramFigures.delete(place.folder());
      }
      Place memory = places().get(0);
      recovery(memory, effects);
      for (Place place : places()) {
        ProgramFigures.delete(place.folder());
      }
    } finally {
      scheduler.close();
    }
  }

  /** A folder, what it is on, and how many pairs each second 64 callers should get. */
  private record Place(String name, Path folder, String aim) {
    Checkpointer file() {
      return new CheckpointFile(folder.resolve("ipam.json"), new DiskFiles());
    }
  }

  private static List<Place> places() throws IOException {
    return List.of(
        new Place("file in memory", ProgramFigures.folder(), "20,000 pairs/s"),
        new Place("file on disk", onDisk(), "2,000"));
  }

  private static Path onDisk() throws IOException {
    return Files.createTempDirectory(Path.of("target"), "figures");
  }

  // ---- requests

  /** Counts what is written. */
  private static final class Counted implements Checkpointer {
    private final Checkpointer file;
    final LongAdder writes = new LongAdder();
    final LongAdder bytes = new LongAdder();

    Counted(Checkpointer file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public void checkpoint(byte[] content) throws IOException {
      file.checkpoint(content);
      writes.increment();
      bytes.add(content.length);
    }

    @Override
    public CheckpointFile.Read restore() throws IOException {
      return file.restore();
    }
  }

  private void requests(Place place, PooledEffectRunner effects) throws IOException {
    Counted file = new Counted(place.file());
    DataStore store =
        DataStore.durable(scheduler.time(), CidrKind.SECONDARY, NONE, effects, file, "boot");
    NodeStores.addInterfaces(store, CidrKind.SECONDARY, 15, 49);
    recover(store, CheckpointData.EMPTY);
    NodeStores.fill(store, 0, PODS);
    for (int callers : CALLERS) {
      run(store, callers, WARM_UP);
      long writes = file.writes.sum();
      long bytes = file.bytes.sum();
      long begun = scheduler.time().nanos();
      List<Long> assigns = run(store, callers, RUN);
      double seconds = (scheduler.time().nanos() - begun) / 1e9;
      writes = file.writes.sum() - writes;
      bytes = file.bytes.sum() - bytes;
      table.row(
          "P6 %s, %d pods, assign and release, %d callers".formatted(place.name(), PODS, callers),
          "%,.0f pairs/s; assign p50 %.2f, p99 %.2f ms"
              .formatted(
                  assigns.size() / seconds,
                  assigns.get(assigns.size() / 2) / 1e6,
                  assigns.get(assigns.size() * 99 / 100) / 1e6),
          callers == 64 ? place.aim() : "-");
      table.row(
          "   changes and kB of one write; a forced write of as many bytes, p50",
          "%.1f, %.0f kB; %.2f ms"
              .formatted(
                  2.0 * assigns.size() / writes,
                  bytes / 1e3 / writes,
                  forcedNanos(place.folder(), (int) (bytes / writes)) / 1e6),
          "-");
    }
  }

  /** How long each assignment took, sorted. */
  private List<Long> run(DataStore store, int callers, Duration time) {
    long end = scheduler.time().nanos() + time.toNanos();
    return ProgramFigures.together(callers, caller -> comeAndGo(store, PODS + caller, end));
  }

  private List<Long> comeAndGo(DataStore store, int pod, long end) {
    List<Long> nanos = new ArrayList<>();
    for (long begun = scheduler.time().nanos(); begun < end; begun = scheduler.time().nanos()) {
      AssignOutcome outcome =
          store
              .assign(NodeStores.key(pod), NodeStores.metadata(pod), IpFamily.IPV4)
              .toCompletableFuture()
              .join();
      if (!(outcome instanceof AssignOutcome.Granted)) {
        throw new IllegalStateException(outcome.toString());
      }
      nanos.add(scheduler.time().nanos() - begun);
      store.release(NodeStores.key(pod)).toCompletableFuture().join();
    }
    return nanos;
  }

  private long forcedNanos(Path folder, int bytes) throws IOException {
    DiskFiles files = new DiskFiles();
    Path file = folder.resolve("forced");
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < FORCED; i++) {
      long begun = scheduler.time().nanos();
      files.write(file, new byte[bytes]);
      nanos.add(scheduler.time().nanos() - begun);
    }
    Files.delete(file);
    nanos.sort(null);
    return nanos.get(FORCED / 2);
  }

  // ---- recovery

  private void recovery(Place place, PooledEffectRunner effects) throws IOException {
    DataStore full = store(place, effects);
    recover(full, CheckpointData.EMPTY);
    NodeStores.fill(full, 0, ENTRIES);
    long best = Long.MAX_VALUE;
    long first = 0;
    for (int i = 0; i < RECOVERIES; i++) {
      DataStore next = store(place, effects);
      long begun = scheduler.time().nanos();
      CheckpointFile.Read read = place.file().restore();
      recover(next, ((CheckpointFile.Read.Current) read).data());
      long took = scheduler.time().nanos() - begun;
      first = i == 0 ? took : first;
      best = Math.min(best, took);
      if (next.assigned().size() != ENTRIES) {
        throw new IllegalStateException("lost some");
      }
    }
    table.row(
        "read and recover %,d entries, %s".formatted(ENTRIES, place.name()),
        "first %.0f ms, best of %d %.0f ms".formatted(first / 1e6, RECOVERIES, best / 1e6),
        "200 ms");
  }

  private DataStore store(Place place, PooledEffectRunner effects) {
    DataStore store =
        DataStore.durable(
            scheduler.time(), CidrKind.SECONDARY, NONE, effects, place.file(), "boot");
    NodeStores.addInterfaces(store, CidrKind.SECONDARY, ENTRIES / 49 + 1, 49);
    return store;
  }

  private static void recover(DataStore store, CheckpointData data) {
    RecoveryOutcome outcome =
        store
            .recover(data, RecoveryRules.of(IpFamily.IPV4).withBoot("boot"))
            .toCompletableFuture()
            .join();
    if (!(outcome instanceof RecoveryOutcome.Recovered)) {
      throw new IllegalStateException(outcome.toString());
    }
  }
}
