package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.Orphan;
import io.tidemark.datastore.RecoveryOutcome;
import io.tidemark.datastore.RecoveryReport;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.cloud.CloudEni.CloudCidr;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("How long an assignment is kept whose address the node does not have")
class RecoveryGraceTest {
  private static final CheckpointEntry LOST =
      CheckpointEntry.of(
          TestLoop.key("lost"),
          IpAddress.parse("10.9.9.9"),
          7,
          new IpamMetadata("default", "lost", 1));

  private final TestLoop node = TestLoop.addresses(1, 2);

  private RecoveryReport recovered(RecoveryRules rules) {
    Extension extension = new Extension("boot-1", 1, List.of(), List.of());
    CheckpointData data = new CheckpointData(List.of(LOST), Optional.of(extension), "");
    RecoveryOutcome outcome = node.ended(node.store.recover(data, rules.withBoot("boot-1")));
    node.loop.start();
    return ((RecoveryOutcome.Recovered) outcome).report();
  }

  private static RecoveryRules rules(Duration grace) {
    return RecoveryRules.of(IpFamily.IPV4).withGrace(grace);
  }

  private boolean isKept() {
    boolean kept = node.store.orphans().stream().map(Orphan::entry).toList().contains(LOST);
    assertThat(node.inFile().extension().orElseThrow().orphans())
        .as("the file")
        .isEqualTo(kept ? List.of(LOST) : List.of());
    return kept;
  }

  @ParameterizedTest(name = "D73 {0} seconds")
  @ValueSource(ints = {30, 300, 3600})
  void grace(int seconds) {
    assertThat(node.ended(node.loop.fill())).isTrue();
    assertThat(recovered(rules(Duration.ofSeconds(seconds))).orphans()).isEqualTo(1);
    node.pass(Duration.ofSeconds(seconds).minus(SECOND));
    assertThat(isKept()).as("before").isTrue();
    node.nextRead();
    node.nextRead();
    assertThat(isKept()).as("once EC2 has confirmed after that").isFalse();
  }

  @Test
  @DisplayName("D73 While the cloud does not answer it is kept, however long that takes")
  void notConfirmed() {
    node.readsFail = true;
    assertThat(node.ended(node.loop.fill())).isFalse();
    assertThat(recovered(rules(RecoveryRules.GRACE)).orphans()).isEqualTo(1);
    node.pass(MINUTE.multipliedBy(60));
    assertThat(isKept()).isTrue();
    node.readsFail = false;
    node.pass(MINUTE.multipliedBy(2));
    assertThat(isKept()).isFalse();
  }

  @Test
  @DisplayName("D73 It is kept for as long as the host is not set up for the interface that has it")
  void preparing() {
    CloudEni other =
        new CloudEni(
            new StoreEniSpec("eni-9", 1, false, false, false, 2, "subnet-1"),
            0,
            "02:00:00:00:00:09",
            true,
            List.of(new CloudCidr(Cidr.parse("10.9.9.9/32"), CidrKind.SECONDARY)));
    node.shown = enis -> List.of(enis.get(0), other.asPreparing());
    assertThat(node.ended(node.loop.fill())).isTrue();
    assertThat(recovered(rules(SECOND)).orphans()).isEqualTo(1);
    node.pass(MINUTE.multipliedBy(10));
    assertThat(isKept()).isTrue();
    node.shown = enis -> List.of(enis.get(0), other);
    node.nextRead();
    assertThat(isKept()).isFalse();
    assertThat(node.add("lost")).isEqualTo("10.9.9.9");
  }

  @Test
  @DisplayName("D73 A pod that has ended is not waited for: without a link, or with its DEL")
  void dead() {
    assertThat(node.ended(node.loop.fill())).isTrue();
    assertThat(recovered(rules(RecoveryRules.GRACE).withAlive(entry -> false)).stale())
        .containsExactly(LOST);
    assertThat(isKept()).isFalse();

    node.restarted();
    assertThat(node.ended(node.loop.fill())).isTrue();
    assertThat(recovered(rules(RecoveryRules.GRACE)).orphans()).isEqualTo(1);
    assertThat(node.ended(node.store.release(LOST.key())))
        .isInstanceOf(StoreReleaseOutcome.Unknown.class);
    assertThat(isKept()).isFalse();
  }
}
