package io.tidemark.datastore.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointFile.DataLoss;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.file.DiskFiles;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The file of a checkpoint")
class CheckpointFileTest {
  private static final Path PATH = Path.of("/run/ipam.json");
  private static final Path BAD = Path.of("/run/ipam.json.bad");
  private static final byte[] DAMAGED = "{\"version\":\"vpc-".getBytes(UTF_8);
  private static final int MAX = 1 << 20;

  @TempDir private Path folder;
  private final CrashingFiles files = new CrashingFiles();

  private static CheckpointData with(String ip) {
    CheckpointEntry entry =
        CheckpointEntry.of(new IpamKey("n", "c", "i"), IpAddress.parse(ip), 1, IpamMetadata.NONE);
    return new CheckpointData(List.of(entry), Optional.empty(), "");
  }

  private void write(CheckpointData data) throws IOException {
    new CheckpointFile(PATH, files).checkpoint(CheckpointJson.print(data));
  }

  private Read read(DataLoss loss) throws IOException {
    return new CheckpointFile(PATH, files).read(loss);
  }

  @Test
  @DisplayName("D71 A file that is not there is no fault")
  void absent() throws IOException {
    assertThat(read(DataLoss.REFUSED)).isEqualTo(new Read.Absent(Optional.empty()));
  }

  @ParameterizedTest(name = "D72 A file of ''{0}'' is refused and left as it is")
  @ValueSource(strings = {"", "{\"version\":", "{\"version\":\"\"}", "{\"version\":\"v/2\"}"})
  void refused(String text) throws IOException {
    files.write(PATH, text.getBytes(UTF_8));
    Read read = read(DataLoss.REFUSED);
    assertThat(read).isInstanceOf(Read.Refused.class);
    assertThat(((Read.Refused) read).file()).isEqualTo(PATH);
    assertThat(files.names()).containsExactly(PATH);
    assertThat(new AtomicFile(PATH, files).read(MAX)).hasValue(text.getBytes(UTF_8));
  }

  @Test
  @DisplayName("D72 Where data may be lost a bad file is put aside, and kept")
  void lossAllowed() throws IOException {
    files.write(PATH, DAMAGED);
    assertThat(read(DataLoss.ALLOWED))
        .isInstanceOfSatisfying(Read.Absent.class, it -> assertThat(it.problem()).isPresent());
    assertThat(files.names()).containsExactly(BAD);
    assertThat(new AtomicFile(BAD, files).read(MAX)).hasValue(DAMAGED);
  }

  @Test
  @DisplayName("D85 D127 When the file is damaged, the one before it is used and takes its place")
  void previous() throws IOException {
    write(with("10.0.0.1"));
    write(with("10.0.0.2"));
    write(with("10.0.0.3"));
    files.write(PATH, DAMAGED);
    assertThat(read(DataLoss.REFUSED))
        .isInstanceOfSatisfying(
            Read.Previous.class,
            it -> {
              assertThat(it.data()).isEqualTo(with("10.0.0.2"));
              assertThat(it.problem()).hasMessageContaining("line 1");
            });
    assertThat(new AtomicFile(BAD, files).read(MAX)).hasValue(DAMAGED);
    assertThat(read(DataLoss.REFUSED)).isEqualTo(new Read.Current(with("10.0.0.2")));
  }

  @Test
  @DisplayName("D85 A version that is not known is never replaced by the file before it")
  void version() throws IOException {
    write(with("10.0.0.1"));
    write(with("10.0.0.2"));
    files.write(PATH, "{\"version\":\"vpc-cni-ipam/2\"}".getBytes(UTF_8));
    assertThat(read(DataLoss.REFUSED)).isInstanceOf(Read.Refused.class);
  }

  @Test
  @DisplayName("D113 D127 A crash while the file before is taken up loses neither")
  void crashes() throws IOException {
    for (int step = 0; step < 4; step++) {
      for (Fault fault : Fault.values()) {
        CheckpointFileTest test = new CheckpointFileTest();
        test.write(with("10.0.0.1"));
        test.write(with("10.0.0.2"));
        test.files.write(PATH, DAMAGED);
        test.files.sync(Path.of("/run"));
        test.files.fault(test.files.changes().size() + 2 + step, fault, 5);
        try {
          test.read(DataLoss.REFUSED);
        } catch (Crash | IOException e) {
          test.files.restart();
        }
        test.files.losePower(new Random(step));
        Read read = test.read(DataLoss.REFUSED);
        assertThat(read)
            .as("%s at %s", fault, step)
            .isInstanceOfAny(Read.Current.class, Read.Previous.class);
      }
    }
  }

  @Test
  @DisplayName("D72 A file that is larger than any checkpoint is refused without being read")
  void tooLarge() throws IOException {
    Path large = folder.resolve("ipam.json");
    try (RandomAccessFile made = new RandomAccessFile(large.toFile(), "rw")) {
      made.setLength(64 << 20);
    }
    assertThat(new CheckpointFile(large, new DiskFiles()).read(DataLoss.REFUSED))
        .isInstanceOfSatisfying(
            Read.Refused.class,
            it -> assertThat(it.problem()).hasMessage("the file is larger than 32 MiB"));
  }

  @Test
  @DisplayName("D76 After writes there are the file and the one before it, and nothing else")
  void disk() throws IOException {
    Path path = folder.resolve("ipam.json");
    CheckpointFile file = new CheckpointFile(path, new DiskFiles());
    for (int i = 1; i <= 3; i++) {
      file.checkpoint(CheckpointJson.print(with("10.0.0." + i)));
    }
    assertThat(file.read(DataLoss.REFUSED)).isEqualTo(new Read.Current(with("10.0.0.3")));
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("ipam.json", "ipam.json.bak");
    }
    Files.write(path, DAMAGED);
    assertThat(file.read(DataLoss.REFUSED))
        .isInstanceOfSatisfying(
            Read.Previous.class, it -> assertThat(it.data()).isEqualTo(with("10.0.0.2")));
  }

  /** In memory where there is such a folder: what is counted are writes, not the disk's speed. */
  private Path fastFolder() throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) ? Files.createTempDirectory(memory, "tidemark-test") : folder;
  }

  @Test
  @DisplayName(
      "D77 D78 During 1,000 writes a reader finds a whole file, and no descriptor is left open")
  void writes() throws IOException, InterruptedException {
    write(1_000);
  }

  @Test
  @Tag("long")
  @DisplayName(
      "D77 D78 During 10,000 writes a reader finds a whole file, and no descriptor is left open")
  void manyWrites() throws IOException, InterruptedException {
    write(10_000);
  }

  private void write(int writes) throws IOException, InterruptedException {
    Path fast = fastFolder();
    CheckpointFile file = new CheckpointFile(fast.resolve("ipam.json"), new DiskFiles());
    file.checkpoint(CheckpointJson.print(with("10.0.0.0")));
    AtomicFile bare = new AtomicFile(fast.resolve("ipam.json"), new DiskFiles());
    long open = openFiles();
    AtomicBoolean ended = new AtomicBoolean();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                while (!ended.get()) {
                  byte[] bytes = bare.read(MAX).orElseThrow();
                  assertThat(CheckpointReaderJson.read(bytes).allocations()).hasSize(1);
                }
              } catch (IOException | UnreadableCheckpoint | AssertionError e) {
                failures.add(e);
              }
            });
    reader.start();
    try {
      for (int i = 0; i < writes; i++) {
        file.checkpoint(CheckpointJson.print(with("10.0.0." + i % 256)));
      }
    } finally {
      ended.set(true);
      reader.join();
    }
    assertThat(failures).isEmpty();
    assertThat(openFiles()).isLessThanOrEqualTo(open + 5);
    for (String left : List.of("ipam.json", "ipam.json.bak")) {
      Files.delete(fast.resolve(left));
    }
    Files.delete(fast);
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  @Test
  @DisplayName("D67 Each network card has a file of its own")
  void cards() {
    assertThat(CheckpointFile.ofCard(PATH, 0)).isEqualTo(PATH);
    assertThat(CheckpointFile.ofCard(PATH, 2)).isEqualTo(Path.of("/run/ipam-nic-2.json"));
    assertThat(CheckpointFile.ofCard(Path.of("/run/x"), 1)).isEqualTo(Path.of("/run/x-nic-1.json"));
  }
}
