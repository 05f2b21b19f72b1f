package io.tidemark.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Changes that share a durable write")
class GroupCommitTest {
  private static final Path PATH = Path.of("/state/attachments.json");
  private static final EffectSite SITE = new EffectSite("agent state", "n1");
  private static final Duration WRITE = Duration.ofMillis(5);
  private static final int MAX = 1 << 20;
  private static final List<Fault> FAULTS = List.of(Fault.values());

  private final VirtualTime world = new VirtualTime(0);
  private final CrashingFiles files = new CrashingFiles();
  private final List<String> committed = new ArrayList<>();
  private final List<String> ends = new ArrayList<>();
  private final GroupCommit<String> commits = commits(EffectModel.reliable(WRITE, Duration.ZERO));

  private GroupCommit<String> commits(EffectModel model) {
    return commits(world.effects(model));
  }

  private GroupCommit<String> commits(EffectRunner effects) {
    return new GroupCommit<>(
        effects,
        SITE,
        world,
        new AtomicFile(PATH, files),
        new GroupCommit.Ledger<>() {
          @Override
          public byte[] contentWith(List<String> changes) {
            List<String> all = new ArrayList<>(committed);
            all.addAll(changes);
            return String.join(",", all).getBytes(UTF_8);
          }

          @Override
          public void committed(List<String> changes) {
            committed.addAll(changes);
          }
        });
  }

  private CompletionStage<Commit> submit(String change) {
    CompletionStage<Commit> stage = commits.submit(change);
    stage.thenAccept(end -> ends.add(change + " " + end.getClass().getSimpleName()));
    return stage;
  }

  private void idle() {
    world.runUntilIdle(world.nanos() + Duration.ofHours(1).toNanos());
  }

  private List<String> inFile() throws IOException {
    String text =
        new AtomicFile(PATH, files).read(MAX).map(bytes -> new String(bytes, UTF_8)).orElse("");
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(",", -1));
  }

  @Test
  @DisplayName("A change that is not taken back goes with the next write, before what came later")
  void kept() throws IOException {
    files.fault(0, Fault.FAILS, 0);
    commits.keep("a");
    commits.keep("b");
    submit("c");
    idle();
    assertThat(inFile()).as("b and c came in time").containsExactly("a", "b", "c");
    assertThat(commits.unhealthy()).isEmpty();

    files.fault(files.changes().size(), Fault.FAILS, 0);
    commits.keep("d");
    idle();
    assertThat(commits.unhealthy()).as("nothing is tried without a change").isPresent();
    assertThat(inFile()).containsExactly("a", "b", "c");
    submit("e");
    idle();
    assertThat(inFile()).containsExactly("a", "b", "c", "d", "e");
    assertThat(commits.unhealthy()).isEmpty();
    assertThat(ends).containsExactly("c Durable", "e Durable");
  }

  @Test
  @DisplayName("What comes while a write is under way shares the next one")
  void grouped() throws IOException {
    submit("a");
    submit("b");
    submit("c");
    assertThat(ends).isEmpty();
    idle();

    assertThat(ends).containsExactly("a Durable", "b Durable", "c Durable");
    assertThat(inFile()).containsExactly("a", "b", "c");
    assertThat(files.changes()).filteredOn(each -> each.startsWith("write")).hasSize(2);
  }

  @Test
  @DisplayName("A write that fails fails its changes, the last one first; the next write is whole")
  void failure() throws IOException {
    submit("a");
    submit("b");
    submit("c");
    files.fault(3, Fault.FAILS, 0);
    idle();

    assertThat(ends).containsExactly("a Durable", "c Failed", "b Failed");
    assertThat(commits.unhealthy()).hasValueSatisfying(it -> assertThat(it).contains("no space"));
    submit("d");
    idle();
    assertThat(inFile()).containsExactly("a", "d");
    assertThat(commits.unhealthy()).isEmpty();
  }

  @Test
  @DisplayName("A write that hangs is reported after five seconds, and no other write begins")
  void hung() {
    GroupCommit<String> hanging =
        commits(EffectModel.reliable(Duration.ofMinutes(1), Duration.ZERO));
    CompletableFuture<Commit> first = hanging.submit("a").toCompletableFuture();
    CompletableFuture<Commit> second = hanging.submit("b").toCompletableFuture();
    world.runUntil(Duration.ofSeconds(4).toNanos());
    assertThat(hanging.unhealthy()).isEmpty();
    world.runUntil(Duration.ofSeconds(6).toNanos());

    assertThat(hanging.unhealthy()).hasValueSatisfying(it -> assertThat(it).contains("for 5 s"));
    assertThat(files.changes()).isEmpty();
    idle();
    assertThat(first).isCompletedWithValue(new Commit.Durable());
    assertThat(second).isCompletedWithValue(new Commit.Durable());
  }

  @Test
  @DisplayName(
      "A change that is handed over when another one ends is written by a write of its own")
  void reentrant() throws IOException {
    submit("a").thenAccept(end -> submit("b").thenAccept(next -> submit("c")));
    idle();

    assertThat(inFile()).containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("Where no request can be made any more, a change fails")
  void refused() {
    PooledEffectRunner pool = new PooledEffectRunner("state", 1, 1, world);
    pool.close();
    CompletableFuture<Commit> end = commits(pool).submit("a").toCompletableFuture();

    assertThat(end.getNow(new Commit.Durable())).isInstanceOf(Commit.Failed.class);
  }

  @Test
  @DisplayName(
      "A crash at any change of the disk loses nothing that was answered, in 300 sequences")
  void crashes() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      new GroupCommitTest().sequence(seed);
    }
  }

  private void sequence(int seed) throws IOException {
    Random random = new Random(seed);
    Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
    files.fault(random.nextInt(30), fault, random.nextInt(20));
    int given = 0;
    try {
      while (given < 20) {
        for (int more = random.nextInt(4); more >= 0; more--) {
          submit("n" + given++);
        }
        world.runUntil(world.nanos() + random.nextLong(WRITE.toNanos() * 2));
      }
      idle();
    } catch (Crash e) {
      files.restart();
    }
    files.losePower(random);

    List<String> answered =
        ends.stream()
            .filter(each -> each.endsWith("Durable"))
            .map(each -> each.substring(0, each.indexOf(' ')))
            .toList();
    assertThat(inFile()).as("seed %s", seed).containsAll(answered).doesNotHaveDuplicates();
  }
}
