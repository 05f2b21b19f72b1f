package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import io.tidemark.testing.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The store in memory under real threads")
class InMemoryStoreThreadsTest {
  private static final int THREADS = 4;
  private static final int WRITES = 250;

  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();

  @Test
  @DisplayName("no write is lost, and a watcher is called one call at a time, versions rising")
  void writersAndWatcher() throws Exception {
    server.create(Samples.node("n", 1, 0, 0));
    ExecutorService pool = Executors.newFixedThreadPool(2 * THREADS);
    try {
      EndWatcher watcher = new EndWatcher(1 + THREADS * WRITES);
      server.client(new PoolScheduler(pool)).watch(watcher);
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        NodeResourceStore client = server.client(new PoolScheduler(pool));
        writers.add(pool.submit(() -> increments(client)));
      }
      for (Future<?> each : writers) {
        each.get(Hang.SECONDS, TimeUnit.SECONDS);
      }
      assertThat(server.find("n").orElseThrow().ipam().preAllocate())
          .isEqualTo(1 + THREADS * WRITES);
      assertThat(watcher.end.await(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(watcher.faults).isEmpty();
    } finally {
      pool.shutdownNow();
    }
  }

  private static void increments(NodeResourceStore client) {
    int written = 0;
    while (written < WRITES) {
      NodeResource read = ((StoreResult.Stored) client.get("n")).resource();
      StoreResult result = client.update(read, read.withPreAllocate(read.ipam().preAllocate() + 1));
      if (result instanceof StoreResult.Stored) {
        written++;
      } else {
        assertThat(result).isInstanceOf(StoreResult.Conflict.class);
      }
    }
  }

  /** Waits for a value, and writes down calls that overlap or go back. */
  private static final class EndWatcher implements NodeResourceStore.Watcher {
    private final int awaited;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicBoolean busy = new AtomicBoolean();
    private final List<String> faults = new ArrayList<>();
    private long newest;

    EndWatcher(int awaited) {
      this.awaited = awaited;
    }

    @Override
    public void upserted(NodeResource resource) {
      if (!busy.compareAndSet(false, true)) {
        faults.add("two calls at once at " + resource);
      }
      long version = Long.parseLong(resource.resourceVersion());
      if (version < newest) {
        faults.add(resource + " after " + newest);
      }
      newest = version;
      if (resource.ipam().preAllocate() == awaited) {
        end.countDown();
      }
      busy.set(false);
    }

    @Override
    public void deleted(String name) {
      faults.add("deleted");
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      faults.add("refused");
    }

    @Override
    public void synced() {}
  }
}
