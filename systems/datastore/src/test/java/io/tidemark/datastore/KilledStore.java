package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.file.DiskFiles;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * A program that assigns and releases at random until it is killed. Each line of its output is one
 * event: {@code a pod} and {@code r pod} before a request, {@code A pod ip} and {@code R pod} after
 * its answer. Two releases of one pod can be under way; the second may find that it has nothing.
 */
final class KilledStore {
  /** Of each whole line. */
  static final String END = " .";

  private static final int ENIS = 4;
  private static final int PER_ENI = 50;

  private KilledStore() {}

  private static String address(int eni, int index) {
    return "10.0." + eni + "." + index;
  }

  /**
   * Runs until it is killed.
   *
   * @param args the file, and the seed of the requests
   */
  public static void main(String[] args) throws IOException {
    TimeSource time = SystemTime.instance();
    CheckpointFile file = new CheckpointFile(Path.of(args[0]), new DiskFiles());
    ThreadTaskScheduler timer = ThreadTaskScheduler.start("store", time);
    PooledEffectRunner effects = new PooledEffectRunner("store", 1, 1, timer);
    CooldownRule none = new CooldownRule(Duration.ZERO, Duration.ZERO);
    DataStore store = DataStore.durable(time, CidrKind.SECONDARY, none, effects, file, "");
    for (int eni = 0; eni < ENIS; eni++) {
      expectNone(store.addEni(TestStore.eni("eni-" + eni, eni)));
      for (int i = 0; i < PER_ENI; i++) {
        String ip = address(eni, i);
        expectNone(store.addCidr("eni-" + eni, TestStore.cidr(ip), CidrKind.SECONDARY));
      }
    }
    store
        .recover(TestStore.read(file.restore()), RecoveryRules.of(IpFamily.IPV4))
        .toCompletableFuture()
        .join();
    serve(store, new Random(Long.parseLong(args[1])));
  }

  private static void expectNone(Object refusal) {
    if (!refusal.toString().equals("Optional.empty")) {
      throw new IllegalStateException(refusal.toString());
    }
  }

  private static void serve(DataStore store, Random random) {
    while (true) {
      List<CompletableFuture<?>> batch = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        String pod = "pod-" + random.nextInt(100);
        IpamKey key = TestStore.key(pod);
        if (store.hasAddress(key, IpFamily.IPV4)) {
          say("r " + pod);
          batch.add(store.release(key).thenAccept(it -> say(line(pod, it))).toCompletableFuture());
        } else {
          say("a " + pod);
          batch.add(
              store
                  .assign(key, TestStore.POD, IpFamily.IPV4)
                  .thenAccept(it -> say(line(pod, it)))
                  .toCompletableFuture());
        }
      }
      batch.forEach(CompletableFuture::join);
    }
  }

  private static String line(String pod, Object outcome) {
    if (outcome instanceof AssignOutcome.Granted granted) {
      return "A " + pod + " " + granted.assignment().address();
    }
    return outcome instanceof StoreReleaseOutcome.Released
            || outcome instanceof StoreReleaseOutcome.Unknown
        ? "R " + pod
        : "? " + outcome;
  }

  private static synchronized void say(String line) {
    System.out.println(line + END);
    System.out.flush();
  }
}
