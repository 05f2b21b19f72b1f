package io.tidemark.datastore.legacy;

import static io.tidemark.datastore.legacy.FacadeTime.key;
import static io.tidemark.datastore.legacy.FacadeTime.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.datastore.checkpoint.MigrationPhase.Sandbox;
import io.tidemark.datastore.checkpoint.NullCheckpoint;
import io.tidemark.datastore.checkpoint.TestCheckpoint;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The facade of the AWS VPC CNI 1.7 (eni-datastore 1-6)")
class LegacyDataStoreTest {
  private final FacadeTime time = new FacadeTime();

  private LegacyDataStore store(Checkpointer file, MigrationPhase phase, SandboxSource sandboxes) {
    LegacyDataStore made = new LegacyDataStore(time.time, time.effects, file, phase, sandboxes);
    assertThat(made.addEni("eni-1", 1, true, false)).isEmpty();
    assertThat(made.addEni("eni-2", 2, false, true)).isEmpty();
    for (String ip : List.of("1.1.1.1", "1.1.1.2")) {
      assertThat(made.addIpv4AddressToStore("eni-1", ip)).isEmpty();
    }
    return made;
  }

  private LegacyDataStore store(Checkpointer file) {
    LegacyDataStore made = store(file, MigrationPhase.FILE_BESIDE_RUNTIME, SandboxSource.NONE);
    assertThat(time.ended(made.readBackingStore())).isEmpty();
    return made;
  }

  @Test
  @DisplayName("D01 D02 Interfaces are counted, and a second one of the same id is refused")
  void enis() {
    LegacyDataStore store = store(new NullCheckpoint());
    assertThat(store.getEnis()).isEqualTo(2);
    assertThat(text(store.addEni("eni-1", 3, false, false))).isEqualTo("data store: duplicate ENI");
    assertThat(store.getTrunkEni()).isEqualTo("eni-2");
    assertThat(text(store.removeEniFromDataStore("eni-9", false)))
        .isEqualTo("datastore: unknown ENI");
    assertThat(store.removeEniFromDataStore("eni-2", false)).isEmpty();
    assertThat(store.getTrunkEni()).isEmpty();
    assertThat(store.getEnis()).isEqualTo(1);
  }

  @Test
  @DisplayName("D12 Addresses are added and removed, with the texts of the refusals")
  void addresses() {
    LegacyDataStore store = store(new NullCheckpoint());
    assertThat(text(store.addIpv4AddressToStore("eni-9", "1.1.9.1")))
        .isEqualTo("add ENI's IP to datastore: unknown ENI");
    assertThat(text(store.addIpv4AddressToStore("eni-1", "1.1.1.1")))
        .isEqualTo("datastore: IP already in data store");
    assertThat(text(store.delIpv4AddressFromStore("eni-1", "1.1.1.9", false)))
        .isEqualTo("datastore: unknown IP");
    assertThat(time.assigned(store.assignPodIpv4Address(key("a")))).isEqualTo("1.1.1.1");
    assertThat(text(store.delIpv4AddressFromStore("eni-1", "1.1.1.1", false)))
        .isEqualTo("datastore: IP is used and can not be deleted");
    assertThat(text(store.removeEniFromDataStore("eni-1", false)))
        .isEqualTo("datastore: ENI is used and can not be deleted");
    assertThat(store.getEniIps("eni-1")).contains(List.of("1.1.1.1", "1.1.1.2"));
    assertThat(store.getEniIps("eni-9")).isEmpty();
    assertThat(store.freeableIps("eni-1")).containsExactly("1.1.1.2");
    assertThat(store.getStats()).isEqualTo(new LegacyDataStore.Stats(2, 1));
    assertThat(store.delIpv4AddressFromStore("eni-1", "1.1.1.1", true)).isEmpty();
    assertThat(store.getStats()).isEqualTo(new LegacyDataStore.Stats(1, 0));
  }

  @Test
  @DisplayName("D21 D23 A sandbox gets an address, the same one again, and loses it")
  void sandboxes() {
    LegacyDataStore store = store(new NullCheckpoint());
    assertThat(time.assigned(store.assignPodIpv4Address(key("a")))).isEqualTo("1.1.1.1");
    assertThat(time.assigned(store.assignPodIpv4Address(key("a")))).isEqualTo("1.1.1.1");
    assertThat(time.assigned(store.assignPodIpv4Address(key("b")))).isEqualTo("1.1.1.2");
    assertThat(time.assigned(store.assignPodIpv4Address(key("c"))))
        .isEqualTo("AssignPodIPAddress: no available IP/Prefix addresses");
    assertThat(store.allocatedIps())
        .containsExactly(
            new PodIpInfo(key("a"), "1.1.1.1", 1), new PodIpInfo(key("b"), "1.1.1.2", 1));
    EniInfos infos = store.getEniInfos();
    assertThat(infos.assignedIps()).isEqualTo(2);
    assertThat(infos.findAddressForSandbox(key("b")))
        .contains(new AddressInfo("1.1.1.2", key("b")));
    assertThat(infos.findAddressForSandbox(key("c"))).isEmpty();
    assertThat(infos.enis().values()).extracting(Eni::assignedIpv4Addresses).containsExactly(2, 0);
    assertThat(time.released(store.unassignPodIpv4Address(key("a")))).isEqualTo("1.1.1.1");
    assertThat(time.released(store.unassignPodIpv4Address(key("a"))))
        .isEqualTo("datastore: unknown pod");
    time.pass(Duration.ofSeconds(31));
    assertThat(time.assigned(store.assignPodIpv4Address(key("c")))).isEqualTo("1.1.1.1");
  }

  @Test
  @DisplayName("An interface with room is found, the primary one only when it is not skipped")
  void needsIp() {
    LegacyDataStore store = store(new NullCheckpoint());
    assertThat(store.getEniNeedsIp(3, false)).map(Eni::id).contains("eni-1");
    assertThat(store.getEniNeedsIp(3, true)).map(Eni::id).contains("eni-2");
    assertThat(store.getEniNeedsIp(0, false)).isEmpty();
  }

  @Test
  @DisplayName("An interface is removed when the targets are met without it")
  void removeUnused() {
    LegacyDataStore store = store(new NullCheckpoint());
    assertThat(time.assigned(store.assignPodIpv4Address(key("a")))).isEqualTo("1.1.1.1");
    assertThat(time.assigned(store.assignPodIpv4Address(key("b")))).isEqualTo("1.1.1.2");
    assertThat(store.addEni("eni-3", 3, false, false)).isEmpty();
    assertThat(store.addIpv4AddressToStore("eni-3", "1.1.3.1")).isEmpty();
    assertThat(store.removeUnusedEniFromStore(0, 0)).as("younger than a minute").isEmpty();
    time.pass(Duration.ofMinutes(1));
    assertThat(store.removeUnusedEniFromStore(1, 3)).isEmpty();
    assertThat(store.removeUnusedEniFromStore(0, 2)).isEqualTo("eni-3");
    assertThat(store.getEnis()).isEqualTo(2);
  }

  // ---- the backing store

  @Test
  @DisplayName("D82 A store without a backing store begins empty and never fails to write")
  void nullCheckpoint() throws IOException {
    NullCheckpoint file = new NullCheckpoint();
    file.checkpoint(new byte[] {1});
    assertThat(file.restore()).isEqualTo(new Read.Absent(Optional.empty()));
    assertThat(time.assigned(store(file).assignPodIpv4Address(key("a")))).isEqualTo("1.1.1.1");
  }

  @Test
  @DisplayName("D82 A backing store of a test fails on request, and keeps what it had")
  void testCheckpoint() throws IOException {
    TestCheckpoint file = TestCheckpoint.empty();
    LegacyDataStore store = store(file);
    assertThat(time.assigned(store.assignPodIpv4Address(key("a")))).isEqualTo("1.1.1.1");
    byte[] before = file.content();
    file.setError(Optional.of("sample error"));
    assertThat(time.assigned(store.assignPodIpv4Address(key("b")))).contains("sample error");
    assertThat(time.released(store.unassignPodIpv4Address(key("a")))).contains("sample error");
    assertThat(file.content()).isEqualTo(before);
    LegacyDataStore other = store(file, MigrationPhase.FILE_BESIDE_RUNTIME, SandboxSource.NONE);
    assertThat(time.ended(other.readBackingStore()))
        .map(StoreRefusal::detail)
        .hasValueSatisfying(it -> assertThat(it).contains("sample error"));
    file.setError(Optional.empty());
    assertThat(time.assigned(store(file).assignPodIpv4Address(key("a")))).isEqualTo("1.1.1.1");
    assertThat(time.assigned(store(file).assignPodIpv4Address(key("b")))).isEqualTo("1.1.1.2");
  }

  @Test
  @DisplayName("D82 An empty document has no version, so that it cannot be restored")
  void emptyDocument() throws IOException {
    Read read = new TestCheckpoint("{}".getBytes(UTF_8)).restore();
    assertThat(read)
        .isInstanceOfSatisfying(
            Read.Refused.class, it -> assertThat(it.problem().kind()).isEqualTo(Kind.VERSION));
    LegacyDataStore store =
        store(
            new TestCheckpoint("{}".getBytes(UTF_8)),
            MigrationPhase.FILE_BESIDE_RUNTIME,
            SandboxSource.NONE);
    assertThat(text(time.ended(store.readBackingStore())))
        .isEqualTo("failed ipam state recovery from backing store");
  }

  @Test
  @DisplayName("D81 In version 1.7's phase the container runtime is asked, and the file written")
  void runtime() {
    TestCheckpoint file = TestCheckpoint.empty();
    SandboxSource runtime = () -> List.of(new Sandbox("old", List.of(IpAddress.parse("1.1.1.2"))));
    LegacyDataStore store = store(file, MigrationPhase.RUNTIME_THEN_FILE, runtime);
    assertThat(time.ended(store.readBackingStore())).isEmpty();
    assertThat(new String(file.content(), UTF_8)).contains("_migrated-from-cri", "1.1.1.2");
    assertThat(time.released(store.unassignPodIpv4Address(key("old")))).isEqualTo("1.1.1.2");
    SandboxSource broken =
        () -> {
          throw new IOException("no socket");
        };
    LegacyDataStore other = store(file, MigrationPhase.RUNTIME_THEN_FILE, broken);
    assertThat(time.ended(other.readBackingStore())).isPresent();
  }
}
