package io.tidemark.datastore.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointFile.DataLoss;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A journal beside a checkpoint")
class CheckpointJournalTest {
  private static final Path PATH = Path.of("/run/ipam.json");
  private static final Path BACKUP = Path.of("/run/ipam.json.bak");
  private static final Path JOURNAL = Path.of("/run/ipam.json.journal");
  private static final int MAX = 1 << 20;

  /** A mark of 19 bytes, a file of generation 1 with containers 1 to 3, and three patches. */
  private static final byte[] WHOLE =
      Base64.getMimeDecoder()
          .decode(
              """
              dGlkZW1hcmstam91cm5hbC8xCgAAAgMwZnzHeyJ2ZXJzaW9uIjoidnBjLWNuaS1pcGFtLzEiLCJh
              bGxvY2F0aW9ucyI6W3sibmV0d29ya05hbWUiOiJhd3MtY25pIiwiY29udGFpbmVySUQiOiJjb250
              YWluZXItMSIsImlmTmFtZSI6ImV0aDAiLCJpcHY0IjoiMTAuMC4wLjEiLCJhbGxvY2F0aW9uVGlt
              ZXN0YW1wIjoxLCJtZXRhZGF0YSI6e319LHsibmV0d29ya05hbWUiOiJhd3MtY25pIiwiY29udGFp
              bmVySUQiOiJjb250YWluZXItMiIsImlmTmFtZSI6ImV0aDAiLCJpcHY0IjoiMTAuMC4wLjIiLCJh
              bGxvY2F0aW9uVGltZXN0YW1wIjoyLCJtZXRhZGF0YSI6e319LHsibmV0d29ya05hbWUiOiJhd3Mt
              Y25pIiwiY29udGFpbmVySUQiOiJjb250YWluZXItMyIsImlmTmFtZSI6ImV0aDAiLCJpcHY0Ijoi
              MTAuMC4wLjMiLCJhbGxvY2F0aW9uVGltZXN0YW1wIjozLCJtZXRhZGF0YSI6e319XSwieC10aWRl
              bWFyayI6eyJib290SWQiOiJiIiwiZ2VuZXJhdGlvbiI6MSwiY29vbGRvd24iOltdLCJvcnBoYW5z
              IjpbXSwiY2hlY2tzdW0iOiI4NDc1MzFkNyJ9fQoAAABr7PFva+XYhbZjAAAAAAAAAKljAAABJwAA
              AIxpAAAAUHsiYm9vdElkIjoiYiIsImdlbmVyYXRpb24iOjIsImNvb2xkb3duIjpbXSwib3JwaGFu
              cyI6W10sImNoZWNrc3VtIjoiYzY4MTM2YTAifX0KAAAA80b6hsovCMmQYwAAAAAAAAEjYwAAAKUA
              AAAEaQAAAHp7Im5ldHdvcmtOYW1lIjoiYXdzLWNuaSIsImNvbnRhaW5lcklEIjoiY29udGFpbmVy
              LTQiLCJpZk5hbWUiOiJldGgwIiwiaXB2NCI6IjEwLjAuMC40IiwiYWxsb2NhdGlvblRpbWVzdGFt
              cCI6NCwibWV0YWRhdGEiOmMAAAEjAAAAEmkAAABQeyJib290SWQiOiJiIiwiZ2VuZXJhdGlvbiI6
              MywiY29vbGRvd24iOltdLCJvcnBoYW5zIjpbXSwiY2hlY2tzdW0iOiI0OTNiODc4ZSJ9fQoAAABr
              dReSbJJlwptjAAAAAAAAACtjAAAAqQAAAQppAAAAUHsiYm9vdElkIjoiYiIsImdlbmVyYXRpb24i
              OjQsImNvb2xkb3duIjpbXSwib3JwaGFucyI6W10sImNoZWNrc3VtIjoiODlmOTU5OGEifX0K
              """);

  /** Where the records end, the first with the file as the journal began. */
  private static final List<Integer> ENDS = List.of(542, 657, 908, 1023);

  private static final byte[] PLAIN = Arrays.copyOfRange(WHOLE, 27, 542);

  private final CrashingFiles files = new CrashingFiles();

  private CheckpointJournalTest with(byte[] journal) throws IOException {
    files.write(PATH, PLAIN);
    files.write(JOURNAL, journal);
    files.sync(Path.of("/run"));
    return this;
  }

  private Read read(DataLoss loss) throws IOException {
    return new CheckpointFile(PATH, files).read(loss);
  }

  private long generation() throws IOException {
    Read read = read(DataLoss.REFUSED);
    assertThat(read).isInstanceOf(Read.Current.class);
    return ((Read.Current) read).data().extension().orElseThrow().generation();
  }

  private byte[] bytes(Path path) throws IOException {
    return new AtomicFile(path, files).read(MAX).orElseThrow();
  }

  /** How many records are whole in so many bytes. */
  private static long whole(int length) {
    return ENDS.stream().filter(end -> end <= length).count();
  }

  @Test
  @DisplayName("D126 It is folded into the file and the backup once, and deleted")
  void folded() throws IOException {
    with(WHOLE);
    files.write(BACKUP, PLAIN);
    assertThat(read(DataLoss.REFUSED))
        .isInstanceOfSatisfying(
            Read.Current.class,
            it -> {
              assertThat(it.data().extension().orElseThrow().generation()).isEqualTo(4);
              assertThat(it.data().allocations())
                  .extracting(each -> each.key().containerId())
                  .containsExactly("container-3", "container-4");
            });
    assertThat(files.names()).containsExactlyInAnyOrder(PATH, BACKUP);
    assertThat(bytes(BACKUP)).isEqualTo(bytes(PATH));
    int before = files.changes().size();
    assertThat(generation()).isEqualTo(4);
    assertThat(files.changes().subList(before, files.changes().size()))
        .allMatch(change -> change.startsWith("delete ."));
  }

  @Test
  @DisplayName(
      "D126 Cut anywhere, also where the file system wrote zeros, it has its whole records")
  void torn() throws IOException {
    for (int length = ENDS.get(0); length < WHOLE.length; length++) {
      byte[] cut = Arrays.copyOf(WHOLE, length);
      assertThat(new CheckpointJournalTest().with(cut).generation()).isEqualTo(whole(length));
      byte[] zeros = Arrays.copyOf(cut, ENDS.get((int) whole(length)));
      assertThat(new CheckpointJournalTest().with(zeros).generation()).isEqualTo(whole(length));
    }
    byte[] flipped = WHOLE.clone();
    flipped[WHOLE.length - 1] ^= 1;
    assertThat(with(flipped).generation()).isEqualTo(3);
  }

  @Test
  @DisplayName("D126 A crash or a failure at each step of the fold loses nothing")
  void crashes() throws IOException {
    for (int step = 0; step < 14; step++) {
      for (Fault fault : Fault.values()) {
        CheckpointJournalTest test = new CheckpointJournalTest().with(WHOLE);
        test.files.fault(test.files.changes().size() + step, fault, 9);
        try {
          assertThat(test.generation()).isEqualTo(4);
        } catch (Crash | IOException e) {
          test.files.restart();
        }
        test.files.losePower(new Random(step));
        assertThat(test.generation()).as("%s at %s", fault, step).isEqualTo(4);
        assertThat(test.files.names()).containsExactlyInAnyOrder(PATH, BACKUP);
      }
    }
  }

  @Test
  @DisplayName("D126 D72 One that is damaged before its end is refused, and kept on request")
  void damaged() throws IOException {
    for (int at : new int[] {0, 25, 541, 545, 548, 551, 700, 800}) {
      byte[] bad = WHOLE.clone();
      bad[at] ^= 1;
      CheckpointJournalTest test = new CheckpointJournalTest().with(bad);
      assertThat(test.read(DataLoss.REFUSED))
          .as("byte %s", at)
          .isInstanceOfSatisfying(
              Read.Refused.class,
              it -> {
                assertThat(it.file()).isEqualTo(JOURNAL);
                assertThat(it.problem().position()).startsWith("byte ");
              });
      assertThat(test.files.names()).containsExactlyInAnyOrder(PATH, JOURNAL);
      assertThat(test.read(DataLoss.ALLOWED)).isInstanceOf(Read.Previous.class);
      assertThat(test.files.names())
          .containsExactlyInAnyOrder(PATH, Path.of("/run/ipam.json.journal.bad"));
      assertThat(test.generation()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("D126 Whatever bytes change, it gives a content that was written, or is refused")
  void fuzzed() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < 2_000; i++) {
      byte[] bad = WHOLE.clone();
      for (int changed = 1 + random.nextInt(3); changed > 0; changed--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 + random.nextInt(255));
      }
      CheckpointJournalTest test = new CheckpointJournalTest().with(bad);
      if (!(test.read(DataLoss.REFUSED) instanceof Read.Refused)) {
        assertThat(test.generation()).isBetween(1L, 4L);
      }
    }
  }

  @Test
  @DisplayName("D126 D127 A damaged file is replaced by its last content, and kept")
  void fileDamaged() throws IOException {
    with(WHOLE);
    files.write(PATH, "{\"version\":".getBytes(UTF_8));
    assertThat(read(DataLoss.REFUSED))
        .isInstanceOfSatisfying(
            Read.Previous.class,
            it -> assertThat(it.data().extension().orElseThrow().generation()).isEqualTo(4));
    assertThat(files.names())
        .containsExactlyInAnyOrder(PATH, BACKUP, Path.of("/run/ipam.json.bad"));
    assertThat(generation()).isEqualTo(4);
  }

  @Test
  @DisplayName("D126 Without a file it has all")
  void noFile() throws IOException {
    files.write(JOURNAL, WHOLE);
    assertThat(generation()).isEqualTo(4);
  }

  @Test
  @DisplayName("D126 It does not count when another program wrote the file later")
  void otherWriter() throws IOException {
    with(WHOLE);
    byte[] theirs = "{\"version\":\"vpc-cni-ipam/1\",\"allocations\":[]}".getBytes(UTF_8);
    files.write(PATH, theirs);
    assertThat(read(DataLoss.REFUSED))
        .isInstanceOfSatisfying(
            Read.Current.class, it -> assertThat(it.data().extension()).isEmpty());
    assertThat(files.names()).containsExactly(PATH);
    assertThat(bytes(PATH)).isEqualTo(theirs);
  }

  @Test
  @DisplayName("D126 D72 Beside a file of another version it is left as it is")
  void otherVersion() throws IOException {
    with(WHOLE);
    files.write(PATH, "{\"version\":\"vpc-cni-ipam/2\"}".getBytes(UTF_8));
    assertThat(read(DataLoss.REFUSED))
        .isInstanceOfSatisfying(Read.Refused.class, it -> assertThat(it.file()).isEqualTo(PATH));
    assertThat(files.names()).containsExactlyInAnyOrder(PATH, JOURNAL);
  }
}
