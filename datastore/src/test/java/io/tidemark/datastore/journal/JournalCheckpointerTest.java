package io.tidemark.datastore.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.CheckpointFile.DataLoss;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.CheckpointJson;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.file.DiskFiles;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A checkpoint with a journal")
class JournalCheckpointerTest {
  private static final Path PATH = Path.of("/run/ipam.json");
  private static final Path JOURNAL = Path.of("/run/ipam.json.journal");
  private static final int MAX = 1 << 26;

  @TempDir private Path folder;
  private final CrashingFiles files = new CrashingFiles();
  private final Random random = new Random(7);
  private final SortedSet<Integer> hosts = new TreeSet<>();
  private long generation;

  /** The content after one more address came or went. */
  private byte[] next() {
    int host = random.nextInt(6);
    if (!hosts.add(host)) {
      hosts.remove(host);
    }
    return content(++generation, hosts);
  }

  private static byte[] content(long generation, SortedSet<Integer> hosts) {
    List<CheckpointEntry> entries = new ArrayList<>();
    for (int each : hosts) {
      entries.add(
          CheckpointEntry.of(
              new IpamKey("aws-cni", "container-" + each, "eth0"),
              IpAddress.parse("10.0.0." + each),
              each,
              IpamMetadata.NONE));
    }
    return CheckpointJson.print(
        new CheckpointData(
            entries, Optional.of(new Extension("b", generation, List.of(), List.of())), ""));
  }

  private static long generation(Read read) {
    assertThat(read).isInstanceOf(Read.Current.class);
    return ((Read.Current) read).data().extension().orElseThrow().generation();
  }

  private JournalCheckpointer open() {
    return new JournalCheckpointer(PATH, files);
  }

  private byte[] bytes(Path path) throws IOException {
    return new AtomicFile(path, files).read(MAX).orElseThrow();
  }

  @Test
  @DisplayName("D126 Writes are appended, and a close leaves the plain file alone")
  void appended() throws IOException {
    JournalCheckpointer journal = open();
    byte[] first = next();
    journal.checkpoint(first);
    byte[] last = first;
    for (int i = 0; i < 50; i++) {
      last = next();
      journal.checkpoint(last);
    }
    assertThat(bytes(PATH)).isEqualTo(first);
    assertThat(files.changes().subList(files.changes().size() - 50, files.changes().size()))
        .containsOnly("append ipam.json.journal");
    byte[] journaled = bytes(JOURNAL);
    assertThat(Journal.merged(Optional.of(first), journaled))
        .isInstanceOfSatisfying(
            Journal.Merged.Latest.class,
            it -> {
              assertThat(it.records()).isEqualTo(50);
              assertThat(it.torn()).isFalse();
            });
    journal.close();
    journal.close();
    assertThat(files.names()).containsExactly(PATH);
    assertThat(bytes(PATH)).isEqualTo(last);
    assertThatThrownBy(() -> journal.checkpoint(next())).hasMessageContaining("closed");
    assertThat(new CheckpointFile(PATH, files).read(DataLoss.REFUSED))
        .isInstanceOf(Read.Current.class);
  }

  @Test
  @DisplayName("D126 It is folded at so many records and at so many bytes")
  void folded() throws IOException {
    JournalCheckpointer few = new JournalCheckpointer(PATH, files, MAX, 3);
    for (int i = 0; i < 9; i++) {
      few.checkpoint(next());
    }
    assertThat(files.changes().stream().filter(each -> each.equals("rename ipam.json"))).hasSize(3);
    JournalCheckpointer small = new JournalCheckpointer(PATH, files, 400, MAX);
    int before = files.changes().size();
    for (int i = 0; i < 40; i++) {
      small.checkpoint(next());
      assertThat(bytes(JOURNAL).length).isLessThan(bytes(PATH).length + 400 + 1500);
    }
    List<String> since = files.changes().subList(before, files.changes().size());
    assertThat(since.stream().filter(each -> each.equals("rename ipam.json")).count())
        .isBetween(3L, 39L);
  }

  /** The generations before a write and by it; either may be found while it is under way. */
  private long before;

  private long written;
  private int points;

  @Test
  @DisplayName(
      "D126 D113 After a crash at each byte of each write, and each loss of names, the content is"
          + " that before the write or after it")
  void everyPrefix() throws IOException {
    JournalCheckpointer journal = new JournalCheckpointer(PATH, files, 3000, 4);
    journal.checkpoint(next());
    before = generation;
    files.watch(this::check, 1);
    for (int i = 0; i < 14; i++) {
      byte[] content = next();
      written = generation;
      journal.checkpoint(content);
      before = generation;
      check("answered", files.copy());
    }
    written = before;
    journal.close();
    assertThat(points).isGreaterThan(10_000);
  }

  private void check(String point, CrashingFiles left) {
    long losses = point.startsWith("within") ? 2 : 1 << 6;
    for (long lost = 0; lost < losses; lost++) {
      CrashingFiles now = left.copy();
      if (lost > 0) {
        now.losePower(new Random(lost));
      }
      try {
        JournalCheckpointer found = new JournalCheckpointer(PATH, now);
        long first = generation(found.restore());
        assertThat(first).as("%s %s", point, now.names()).isIn(before, written);
        assertThat(now.names()).as(point).containsOnly(PATH);
        assertThat(generation(new CheckpointFile(PATH, now).restore())).isEqualTo(first);
      } catch (IOException e) {
        throw new AssertionError(point, e);
      }
      points++;
    }
  }

  @Test
  @DisplayName("D126 A crash at each step of the fold at a start or a stop loses nothing")
  void crashWhileFolding() throws IOException {
    for (int step = 0; step < 6; step++) {
      for (Fault fault : List.of(Fault.CRASH_BEFORE, Fault.CRASH_INSIDE, Fault.CRASH_AFTER)) {
        for (boolean stop : new boolean[] {true, false}) {
          JournalCheckpointerTest test = new JournalCheckpointerTest();
          JournalCheckpointer journal = test.open();
          journal.checkpoint(test.next());
          journal.checkpoint(test.next());
          test.files.fault(test.files.changes().size() + step, fault, 9);
          try {
            if (stop) {
              journal.close();
            } else {
              Object unused = test.open().restore();
            }
          } catch (Crash e) {
            test.files.restart();
          }
          test.files.losePower(new Random(step));
          assertThat(generation(test.open().restore())).as("%s %s", step, fault).isEqualTo(2);
        }
      }
    }
  }

  @Test
  @DisplayName("D126 D76 A write that fails, wholly or in part, is as if it had not been")
  void failures() throws IOException {
    for (int step = 0; step < 8; step++) {
      for (Fault fault : List.of(Fault.FAILS, Fault.FAILS_INSIDE)) {
        JournalCheckpointerTest test = new JournalCheckpointerTest();
        JournalCheckpointer journal = new JournalCheckpointer(PATH, test.files, MAX, 2);
        journal.checkpoint(test.next());
        test.files.fault(test.files.changes().size() + step, fault, 11);
        long durable = test.generation;
        int failed = 0;
        for (int i = 0; i < 6; i++) {
          long tried = test.generation + 1;
          try {
            journal.checkpoint(test.next());
            durable = tried;
          } catch (IOException e) {
            failed++;
          }
          long found = generation(new JournalCheckpointer(PATH, test.files.copy()).restore());
          assertThat(found).as("%s at %s", fault, step).isIn(durable, tried);
        }
        assertThat(failed).isEqualTo(1);
        assertThat(generation(new JournalCheckpointer(PATH, test.files.copy()).restore()))
            .isEqualTo(durable);
      }
    }
  }

  @Test
  @DisplayName("D126 A torn tail is cut, also where the file system wrote zeros")
  void torn() throws IOException {
    JournalCheckpointer journal = open();
    journal.checkpoint(next());
    journal.checkpoint(next());
    byte[] whole = bytes(JOURNAL);
    journal.checkpoint(next());
    byte[] torn = bytes(JOURNAL);
    for (int length = whole.length; length < torn.length; length++) {
      assertThat(latest(Arrays.copyOf(torn, length)).torn()).isEqualTo(length > whole.length);
      byte[] zeros = Arrays.copyOf(Arrays.copyOf(torn, length), torn.length);
      assertThat(latest(zeros).records()).isEqualTo(1);
    }
    byte[] flipped = torn.clone();
    flipped[torn.length - 1] ^= 1;
    assertThat(latest(flipped).torn()).isTrue();
  }

  private Journal.Merged.Latest latest(byte[] journal) throws IOException {
    Journal.Merged merged = Journal.merged(Optional.of(bytes(PATH)), journal);
    assertThat(merged).isInstanceOf(Journal.Merged.Latest.class);
    return (Journal.Merged.Latest) merged;
  }

  @Test
  @DisplayName("D126 D72 A journal that is damaged before its end is refused, and kept on request")
  void damaged() throws IOException {
    JournalCheckpointer journal = open();
    journal.checkpoint(next());
    int first = bytes(JOURNAL).length;
    for (int i = 0; i < 5; i++) {
      journal.checkpoint(next());
    }
    byte[] whole = bytes(JOURNAL);
    for (int at : new int[] {0, 25, first - 1, first + 3, first + 6, first + 9}) {
      byte[] bad = whole.clone();
      bad[at] ^= 1;
      files.append(JOURNAL, 0, bad);
      List<Path> names = List.copyOf(files.names());
      assertThat(open().read(DataLoss.REFUSED))
          .as("byte %s", at)
          .isInstanceOfSatisfying(
              Read.Refused.class,
              it -> {
                assertThat(it.file()).isEqualTo(JOURNAL);
                assertThat(it.problem().position()).startsWith("byte ");
              });
      assertThat(files.names()).containsExactlyInAnyOrderElementsOf(names);
    }
    assertThat(open().read(DataLoss.ALLOWED)).isInstanceOf(Read.Previous.class);
    assertThat(files.names()).contains(Path.of("/run/ipam.json.journal.bad"));
    assertThat(generation(open().restore())).isEqualTo(1);
  }

  @Test
  @DisplayName("D126 D127 A damaged plain file is replaced by what the journal says")
  void plainDamaged() throws IOException {
    JournalCheckpointer journal = open();
    journal.checkpoint(next());
    journal.checkpoint(next());
    files.write(PATH, "{\"version\":".getBytes(UTF_8));
    assertThat(open().restore())
        .isInstanceOfSatisfying(
            Read.Previous.class,
            it -> assertThat(it.data().extension().orElseThrow().generation()).isEqualTo(2));
    assertThat(files.names()).containsExactlyInAnyOrder(PATH, Path.of("/run/ipam.json.bad"));
    assertThat(generation(open().restore())).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "D126 A plain file that another program wrote later counts, whatever the journal says")
  void otherWriter() throws IOException {
    JournalCheckpointer journal = open();
    journal.checkpoint(next());
    journal.checkpoint(next());
    byte[] theirs = "{\"version\":\"vpc-cni-ipam/1\",\"allocations\":[]}".getBytes(UTF_8);
    files.write(PATH, theirs);
    assertThat(open().restore())
        .isInstanceOfSatisfying(
            Read.Current.class, it -> assertThat(it.data().extension()).isEmpty());
    assertThat(files.names()).containsExactly(PATH);
    assertThat(bytes(PATH)).isEqualTo(theirs);
  }

  @Test
  @DisplayName("D126 A file that was replaced goes on with a journal, and back; nothing old stays")
  void changedWays() throws IOException {
    CheckpointFile plain = new CheckpointFile(PATH, files);
    plain.checkpoint(next());
    plain.checkpoint(next());
    JournalCheckpointer journal = open();
    assertThat(generation(journal.restore())).isEqualTo(2);
    journal.checkpoint(next());
    journal.checkpoint(next());
    assertThat(files.names()).containsExactlyInAnyOrder(PATH, JOURNAL);
    assertThat(generation(open().restore())).isEqualTo(4);
    assertThat(files.names()).containsExactly(PATH);
    CheckpointFile again = new CheckpointFile(PATH, files);
    again.checkpoint(next());
    again.checkpoint(next());
    files.write(PATH, new byte[0]);
    assertThat(again.restore())
        .isInstanceOfSatisfying(
            Read.Previous.class,
            it -> assertThat(it.data().extension().orElseThrow().generation()).isEqualTo(5));
  }

  @Test
  @DisplayName("D126 On a disk the journal has what changed, and not the whole content")
  void disk() throws IOException {
    Path path = folder.resolve("ipam.json");
    SortedSet<Integer> many = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      many.add(i);
    }
    try (JournalCheckpointer journal = new JournalCheckpointer(path, new DiskFiles())) {
      journal.checkpoint(content(1, many));
      long begin = Files.size(Journal.of(path));
      many.remove(100);
      journal.checkpoint(content(2, many));
      many.remove(20);
      many.remove(180);
      many.add(201);
      journal.checkpoint(content(3, many));
      assertThat(Files.size(Journal.of(path)) - begin).isLessThan(1500);
      assertThat(Files.size(path)).isGreaterThan(20_000);
    }
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(path);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(content(3, many));
  }
}
