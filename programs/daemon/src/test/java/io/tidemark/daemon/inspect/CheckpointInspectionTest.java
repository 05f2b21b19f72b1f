package io.tidemark.daemon.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.daemon.inspect.CheckpointInspection.Circumstances;
import io.tidemark.daemon.inspect.CheckpointInspection.State;
import io.tidemark.datastore.DatastoreError;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.CheckpointJson;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.CrashingFiles;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The inspection of a checkpoint")
class CheckpointInspectionTest {
  private static final Path PATH = Path.of("/run/ipam.json");
  private static final long NOW_MILLIS = Duration.ofDays(19_675).toMillis();

  private final CrashingFiles files = new CrashingFiles();

  private static CheckpointEntry entry(String container, String ip, long epochNanos) {
    return CheckpointEntry.of(
        new IpamKey("aws-cni", container, "eth7"),
        IpAddress.parse(ip),
        epochNanos,
        new IpamMetadata("default", "pod-of-" + ip, 1));
  }

  private static CheckpointData data(String boot, long generation, CheckpointEntry... entries) {
    return new CheckpointData(
        List.of(entries), Optional.of(new Extension(boot, generation, List.of(), List.of())), "");
  }

  private void write(CheckpointData data) throws IOException {
    new CheckpointFile(PATH, files).checkpoint(CheckpointJson.print(data));
  }

  private void write(String text) throws IOException {
    files.write(PATH, text.replace('\'', '"').getBytes(UTF_8));
  }

  private CheckpointInspection inspected() throws IOException {
    List<String> before = files.changes();
    CheckpointInspection inspection =
        CheckpointInspection.of(
            PATH, files, new Circumstances(NOW_MILLIS, Duration.ofSeconds(130), "boot-1"));
    assertThat(files.changes()).as("it changes nothing").isEqualTo(before);
    String all = InspectionText.print(inspection) + InspectionJson.print(inspection);
    assertThat(all).as("D130").doesNotContain("container-", "eth7");
    return inspection;
  }

  @Test
  @DisplayName(
      "D73 D74 D83 D130 A file of ours: duplicates, orphans and the time left of cooldowns")
  void ours() throws IOException {
    long nanos = NOW_MILLIS * 1_000_000;
    Extension extension =
        new Extension(
            "boot-1",
            7,
            List.of(
                new Released(IpAddress.parse("10.0.0.8"), nanos - 30_000_000_000L),
                new Released(IpAddress.parse("10.0.0.9"), nanos - 131_000_000_000L),
                new Released(IpAddress.parse("10.0.0.10"), nanos + 50_000_000_000L)),
            List.of(entry("container-3", "10.0.0.7", 3)));
    write(
        new CheckpointData(
            List.of(
                entry("container-1", "10.0.0.5", 1),
                entry("container-2", "10.0.0.5", 2),
                entry("container-4", "10.0.0.6", 4)),
            Optional.of(extension),
            ""));
    CheckpointInspection inspection = inspected();
    assertThat(inspection.entries())
        .extracting(each -> each.address().toString(), CheckpointInspection.Entry::state)
        .containsExactly(
            tuple("10.0.0.5", State.ASSIGNED),
            tuple("10.0.0.5", State.DUPLICATE),
            tuple("10.0.0.6", State.ASSIGNED),
            tuple("10.0.0.7", State.ORPHAN));
    assertThat(inspection.entries().get(0).entry().epochNanos()).isEqualTo(2);
    assertThat(inspection.cooling())
        .extracting(CheckpointInspection.Cooling::left)
        .containsExactly(Duration.ofSeconds(100), Duration.ZERO, Duration.ofSeconds(130));
    assertThat(inspection.restart())
        .containsExactly(
            "It takes over the assignments, 2; those whose addresses the node does not have become"
                + " orphans.",
            "Duplicates become orphans: 1.",
            "Orphans stay until their addresses come, or EC2 confirms that the node does not have"
                + " them: 1.",
            "Released addresses cool on.");
    assertThat(InspectionText.print(inspection))
        .contains(
            "/run/ipam.json: ",
            "3 assignments, checksum right, generation 7, boot boot-1\n",
            "the file before the last write: there is none\n",
            """
             ADDRESS  STATE      POD                      SINCE
            10.0.0.5  assigned   default/pod-of-10.0.0.5  1970-01-01T00:00:00.000000002Z
            10.0.0.5  duplicate  default/pod-of-10.0.0.5  1970-01-01T00:00:00.000000001Z
            """,
            """
              COOLING  RELEASED              LEFT
             10.0.0.8  2023-11-13T23:59:30Z  1m40s
             10.0.0.9  2023-11-13T23:57:49Z  over
            """);
    assertThat(InspectionJson.print(inspection))
        .contains(
            "\"checksum\":\"right\",\"generation\":7,\"bootId\":\"boot-1\"",
            "{\"address\":\"10.0.0.7\",\"state\":\"orphan\"",
            "\"leftSeconds\":100");
  }

  @Test
  @DisplayName("D70 A file of the AWS VPC CNI, also of its phase 1, and what its writer left")
  void others() throws IOException {
    write(
        "{'version':'vpc-cni-ipam/1','allocations':[{'networkName':'_migrated-from-cri',"
            + "'containerID':'container-1','ifName':'unknown','ipv4':'10.0.0.6'}]}");
    files.write(Path.of("/run/ipam.json.tmp123"), new byte[0]);
    files.write(Path.of("/run/.ipam.json.tidemark-new"), new byte[0]);
    CheckpointInspection inspection = inspected();
    assertThat(inspection.entries().get(0).fromRuntime()).isTrue();
    assertThat(inspection.beside()).containsExactly(".ipam.json.tidemark-new", "ipam.json.tmp123");
    assertThat(inspection.restart())
        .contains(
            "The file does not say which addresses cool, so all that are free cool for 2m10s"
                + ", unless cooldown-after-restart is false.",
            "It removes .ipam.json.tidemark-new, which a crash left.");
    assertThat(InspectionText.print(inspection))
        .contains("1 assignments, no checksum, written by another program\n", "phases 1 and 2")
        .contains("10.0.0.6  assigned  not known  not known");
  }

  @Test
  @DisplayName("D84 After a start of the machine the assignments are ignored")
  void otherBoot() throws IOException {
    write(data("boot-0", 1, entry("container-1", "10.0.0.5", 1)));
    assertThat(inspected().restart())
        .first()
        .asString()
        .contains("started after the file was written, so its assignments, 1, are ignored")
        .contains("Their addresses cool as if they were released when the machine started.");
  }

  @Test
  @DisplayName(
      "D72 D85 Of a damaged file it says code, place, value and remedy, and what replaces it")
  void damaged() throws IOException {
    write(data("boot-1", 1, entry("container-1", "10.0.0.5", 1)));
    write(data("boot-1", 2));
    write(
        "{'version':'vpc-cni-ipam/1','allocations':[{'containerID':'container-1',"
            + "'ipv4':'10.0.0.999'}]}");
    CheckpointInspection inspection = inspected();
    FileContent.Unreadable found = (FileContent.Unreadable) inspection.current();
    assertThat(found.problem().code()).isEqualTo(DatastoreError.CHECKPOINT_CORRUPT);
    assertThat(found.position()).isEqualTo("line 1, column 80");
    assertThat(found.problem().message())
        .contains(
            "TM-1711", "/run/ipam.json: line 1, column 80: '10.0.0.999' is not an IPv4 address");
    assertThat(inspection.restart())
        .containsExactly(
            "It uses the file before the last write, with 1 assignments, and keeps the damaged"
                + " one.",
            "All free addresses cool for 2m10s, unless cooldown-after-restart is false.");
    assertThat(InspectionJson.print(inspection))
        .contains(
            "\"current\":{\"state\":\"damaged\",\"code\":\"TM-1711\",\"name\":\"CHECKPOINT_CORRUPT\","
                + "\"position\":\"line 1, column 80\",\"problem\":\"/run/ipam.json: line 1,",
            "\"remedy\":\"Repair");
  }

  @Test
  @DisplayName("D126 A journal that an earlier version left is named, with what a start does to it")
  void journal() throws IOException {
    write(data("boot-1", 1));
    files.write(Path.of("/run/ipam.json.journal"), new byte[1]);
    CheckpointInspection inspection = inspected();
    assertThat(inspection.beside()).containsExactly("ipam.json.journal");
    assertThat(inspection.restart().get(0)).startsWith("It folds the journal, which an earlier");
  }

  @Test
  @DisplayName(
      "D72 D85 A file of another version is not replaced, nor a damaged one without another")
  void refused() throws IOException {
    write(data("boot-1", 1));
    write(data("boot-1", 2));
    write("{'version':'vpc-cni-ipam/2'}");
    CheckpointInspection version = inspected();
    assertThat(((FileContent.Unreadable) version.current()).problem().code())
        .isEqualTo(DatastoreError.CHECKPOINT_VERSION);
    assertThat(version.restart().get(0)).startsWith("It refuses to start.");
    files.delete(Path.of("/run/ipam.json.bak"));
    write("");
    assertThat(inspected().restart().get(0)).startsWith("It refuses to start.");
    files.delete(PATH);
    assertThat(inspected().restart())
        .containsExactly(
            "It starts without assignments. Addresses that the node has cool as if they were"
                + " released when the machine started, unless cooldown-after-restart is false.");
  }
}
