package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.file.CrashingFiles;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A crash or a loss of power at every instant of random requests")
class CrashPointsTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.datastore.crashpoints", 1);
  private static final int PODS = 30;

  /** So many files can be there while the file is written. */
  private static final int NAMES = 4;

  private final List<String> steps = new ArrayList<>();
  private int points;

  /** The change of a request, once it is durable. */
  private record Request(boolean assign, CompletableFuture<?> answer) {
    boolean answered() {
      Object end = answer.getNow(null);
      return end instanceof AssignOutcome.Granted || end instanceof StoreReleaseOutcome.Released;
    }
  }

  /** Each choice once: which of the names that were not forced are lost. */
  private static final class Choice implements RandomGenerator {
    private long bits;

    private Choice(long bits) {
      this.bits = bits;
    }

    @Override
    public boolean nextBoolean() {
      boolean next = (bits & 1) == 1;
      bits >>= 1;
      return next;
    }

    @Override
    public long nextLong() {
      throw new UnsupportedOperationException();
    }
  }

  private static final String NAME =
      "D113 DI6 DI10 The file has the state before or after each batch, what was answered is never"
          + " lost, and nothing else changes";

  @ParameterizedTest(name = "{0} requests, {1}")
  @CsvSource({"4, SECONDARY, 1", "20, PREFIX, 257"})
  @DisplayName(NAME)
  void some(int requests, CidrKind mode, int everyBytes) {
    sequences(requests, mode, everyBytes);
  }

  @Tag("long")
  @ParameterizedTest(name = "{0} requests, {1}")
  @CsvSource({"8, SECONDARY, 1", "8, PREFIX, 1", "100, SECONDARY, 257", "100, PREFIX, 257"})
  @DisplayName(NAME)
  void sequences(int requests, CidrKind mode, int everyBytes) {
    for (long seed = 1; seed <= SEQUENCES; seed++) {
      sequence(new Random(seed * 0x9E3779B97F4A7C15L), requests, mode, everyBytes);
    }
    assertThat(points).as("the watch is not idle").isGreaterThan(requests * 10 * SEQUENCES);
  }

  private void sequence(Random random, int requests, CidrKind mode, int everyBytes) {
    TestStore node = TestStore.of(mode, new CooldownRule(Duration.ZERO, Duration.ZERO));
    node.with("eni-1", 1);
    for (int i = 0; i < (mode == CidrKind.PREFIX ? 4 : 2 * PODS); i++) {
      String block = mode == CidrKind.PREFIX ? "10.0." + i + ".0/28" : "10.0.0." + i;
      assertThat(node.add("eni-1", block)).isEmpty();
    }
    Map<String, String> assigned = new HashMap<>();
    Map<String, Request> batch = new LinkedHashMap<>();
    node.files.watch((point, left) -> check(point, left, assigned, batch), everyBytes);
    steps.clear();
    for (int done = 0; done < requests; ) {
      for (int i = 1 + random.nextInt(3); i > 0; i--, done++) {
        String pod = "pod-" + random.nextInt(PODS);
        if (!batch.containsKey(pod)) {
          batch.put(pod, request(node, pod, !assigned.containsKey(pod)));
        }
      }
      node.pass(Duration.ofMillis(50));
      assertThat(batch.values()).allMatch(Request::answered);
      assigned.clear();
      assigned.putAll(holders(node.files.copy()));
      assertThat(assigned.keySet())
          .as("%s", steps)
          .isEqualTo(
              new HashSet<>(
                  node.store.assigned().stream()
                      .map(each -> each.entry().key().containerId())
                      .toList()));
      batch.clear();
    }
  }

  private Request request(TestStore node, String pod, boolean assign) {
    steps.add((assign ? "assign " : "release ") + pod);
    return new Request(
        assign,
        (assign
                ? node.store.assign(TestStore.key(pod), TestStore.POD, IpFamily.IPV4)
                : node.store.release(TestStore.key(pod)))
            .toCompletableFuture());
  }

  /** After a crash of the program, and after each loss of names that it may come with. */
  private void check(
      String point, CrashingFiles left, Map<String, String> before, Map<String, Request> batch) {
    boolean within = point.startsWith("within");
    for (long lost = 0; lost < (within ? 1 : 1L << NAMES); lost++) {
      CrashingFiles files = left.copy();
      if (lost > 0) {
        files.losePower(new Choice(lost));
      }
      Map<String, String> found = holders(files);
      assertThat(files.names())
          .as("what is left beside the file")
          .allMatch(name -> !name.toString().contains("/."));
      check(point + " in " + steps, found, before, batch);
      points++;
    }
  }

  private static void check(
      String where,
      Map<String, String> found,
      Map<String, String> before,
      Map<String, Request> batch) {
    Map<String, String> others = new HashMap<>(found);
    others.keySet().removeAll(batch.keySet());
    Map<String, String> othersBefore = new HashMap<>(before);
    othersBefore.keySet().removeAll(batch.keySet());
    assertThat(others).as(where).isEqualTo(othersBefore);
    assertThat(new HashSet<>(found.values())).as(where).hasSize(found.size());
    boolean first = true;
    boolean firstChanged = true;
    List<Boolean> later = new ArrayList<>();
    for (Map.Entry<String, Request> each : batch.entrySet()) {
      String pod = each.getKey();
      boolean changed = each.getValue().assign() == found.containsKey(pod);
      if (!each.getValue().assign() && !changed) {
        assertThat(found.get(pod)).as(where).isEqualTo(before.get(pod));
      }
      if (each.getValue().answered()) {
        assertThat(changed).as("%s was answered, %s", pod, where).isTrue();
      }
      if (first) {
        firstChanged = changed;
      } else {
        later.add(changed);
      }
      first = false;
    }
    assertThat(new HashSet<>(later)).as("those that share a write, %s", where).hasSizeLessThan(2);
    assertThat(firstChanged || !later.contains(true)).as("the order, %s", where).isTrue();
  }

  /** Each sandbox and its address, as the next start reads them. */
  private static Map<String, String> holders(CrashingFiles files) {
    Read read;
    try {
      read = new CheckpointFile(TestStore.PATH, files).restore();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(read).isInstanceOf(Read.Current.class);
    Map<String, String> all = new HashMap<>();
    ((Read.Current) read)
        .data()
        .allocations()
        .forEach(each -> all.put(each.key().containerId(), each.ipv4().orElseThrow().toString()));
    return all;
  }
}
