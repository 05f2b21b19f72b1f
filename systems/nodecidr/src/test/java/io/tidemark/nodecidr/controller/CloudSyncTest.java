package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("IPAMFromCluster and IPAMFromCloud keep node and instance the same")
class CloudSyncTest {
  private static final String FAMILY = "10.1.0.0/16,24";

  /** From the cluster, if the test does not name another one. */
  private CloudWorld cloudy = new CloudWorld(CidrAllocatorType.IPAM_FROM_CLUSTER, FAMILY);

  private ControllerWorld world = cloudy.world;

  private void fromCloud() {
    cloudy = new CloudWorld(CidrAllocatorType.IPAM_FROM_CLOUD, FAMILY);
    world = cloudy.world;
  }

  private static List<Cidr> cidrs(String text) {
    return List.of(Cidr.parse(text));
  }

  @Test
  @DisplayName(
      "NC-65 from the cluster: a block to the instance, then to the node, then the condition")
  void allocate() {
    cloudy.join("n1");
    NodeChange wait = new NodeChange.AskedToWait("not yet");
    world.answer("n1", wait, wait, wait);
    world.start();
    assertThat(cloudy.cloud.of("n1")).isEqualTo(cidrs("10.1.0.0/24"));
    assertThat(world.cidrsOf("n1")).isEmpty();
    assertThat(cloudy.networkUnavailable("n1")).isEmpty();

    world.pass(5);
    assertThat(world.cidrsOf("n1")).isEqualTo("10.1.0.0/24");
    assertThat(cloudy.networkUnavailable("n1")).contains(false);
    assertThat(cloudy.count("add n1 10.1.0.0/24")).isEqualTo(1);
    assertThat(world.stateOf("n1")).isEqualTo("ASSIGNED");
    world.assertUsed(1, 0, 0);
  }

  @Test
  @DisplayName("NC-61 NC-66 from the cluster: the node's CIDR to an instance that has none")
  void toCloud() {
    cloudy.cloud.launch("n1");
    cloudy.create("n1", "10.1.1.0/24");
    world.start();
    assertThat(cloudy.cloud.of("n1")).isEqualTo(cidrs("10.1.1.0/24"));
    assertThat(cloudy.networkUnavailable("n1")).contains(false);
    assertThat(world.requests).doesNotContain("ASSIGN n1");
  }

  @Test
  @DisplayName("NC-60 NC-63 NC-64 NC-AM36 what does not go with the mode is reported, and left")
  void invalidMode() {
    cloudy.join("n1", "192.168.0.0/24");
    world.start();
    assertThat(world.stateOf("n1")).isEqualTo("PARKED CIDR_MODE");
    assertThat(cloudy.cloud.requests).noneMatch(each -> each.startsWith("add"));

    fromCloud();
    cloudy.cloud.launch("n1").launch("n2");
    cloudy.create("n1");
    cloudy.create("n2", "10.1.1.0/24");
    world.start();
    world.pass(100);
    assertThat(world.stateOf("n1", "n2")).containsExactly("PARKED CIDR_MODE", "FOREIGN CIDR_MODE");
    assertThat(world.reportOf("n2").matter().orElseThrow().detail())
        .isEqualTo("the node has 10.1.1.0/24, and instance n2 has no range of IPv4");
    assertThat(world.events).containsExactlyInAnyOrder("open n1 CIDR_MODE", "open n2 CIDR_MODE");
  }

  @Test
  @DisplayName("NC-B17 a node whose write was interrupted gets what its instance has already")
  void interrupted() {
    cloudy.cloud.launch("n1").launch("n2");
    cloudy.create("n1");
    world.answer("n1", new NodeChange.Unknown("no answer"), new NodeChange.Unknown("no answer"));
    world.start();
    world.crash();
    assertThat(cloudy.cloud.of("n1")).isEqualTo(cidrs("10.1.0.0/24"));
    assertThat(world.cidrsOf("n1")).isEmpty();

    cloudy.create("n2");
    ControllerWorld again = world.rebuilt();
    again.start();
    assertThat(again.cidrsOf("n1")).isEqualTo("10.1.0.0/24");
    again.pass(15);
    assertThat(again.cidrsOf("n2")).isEqualTo("10.1.1.0/24");
    assertThat(cloudy.cloud.of("n2")).isEqualTo(cidrs("10.1.1.0/24"));
  }

  @Test
  @DisplayName("NC-B17 so does a node whose write failed while the controller goes on")
  void writeFailed() {
    cloudy.join("n1");
    world.answer("n1", new NodeChange.Refused("forbidden"));
    world.start();
    assertThat(world.stateOf("n1")).contains("CIDR_FORBIDDEN");
    world.pass(400);
    assertThat(world.cidrsOf("n1")).isEqualTo("10.1.0.0/24");
    assertThat(cloudy.cloud.of("n1")).isEqualTo(cidrs("10.1.0.0/24"));
    assertThat(world.stateOf("n1")).isEqualTo("ASSIGNED");
  }

  @Test
  @DisplayName("NC-58 NC-59 NC-B19 a mismatch is reported once, however often it is seen")
  void mismatch() {
    fromCloud();
    cloudy.cloud.launch("n1", "192.168.0.0/24").launch("n2", "10.1.2.0/24");
    cloudy.create("n1", "10.1.1.0/24");
    cloudy.create("n2", "10.1.2.0/24");
    world.start();
    world.pass(Duration.ofHours(1));
    assertThat(cloudy.count("read n1")).isGreaterThan(100);
    assertThat(world.events).containsExactly("open n1 CLOUD_MISMATCH");
    assertThat(world.stateOf("n2")).isEqualTo("ASSIGNED");
    assertThat(world.cidrsOf("n1")).isEqualTo("10.1.1.0/24");
  }

  @Test
  @DisplayName("NC-B20 a node that goes, or comes back, leaves no loop and no block behind")
  void comesBack() {
    cloudy.travel = Duration.ofSeconds(1);
    cloudy.join("n1");
    world.start();
    world.server.delete("n1");
    cloudy.create("n1");
    world.pass(20);
    assertThat(world.cidrsOf("n1")).isNotEmpty();
    assertThat(cloudy.cloud.of("n1")).contains(Cidr.parse(world.cidrsOf("n1")));
    world.assertUsed(1, 0, 0);

    world.server.delete("n1");
    world.pass(100);
    long reads = cloudy.count("read n1");
    world.pass(Duration.ofHours(1));
    assertThat(cloudy.count("read n1")).isEqualTo(reads);
    assertThat(world.controller.nodes()).isEmpty();
    world.assertUsed(0, 0, 0);
  }

  @Test
  @DisplayName("NC-AM28 whether a range was added is read before it is added again")
  void unknownAdd() {
    cloudy.cloud.launch("n1").launch("n2");
    cloudy.adds.add(EffectFate.answerLost(Duration.ofMillis(5)));
    cloudy.adds.add(EffectFate.requestLost());
    cloudy.create("n1");
    world.start();
    world.pass(40);
    cloudy.create("n2");
    world.pass(60);
    assertThat(world.cidrsOf("n1", "n2")).containsExactly("10.1.0.0/24", "10.1.1.0/24");
    assertThat(cloudy.cloud.requests)
        .containsSubsequence("read n1", "add n1 10.1.0.0/24", "read n1")
        .containsSubsequence("read n2", "read n2", "add n2 10.1.1.0/24");
    assertThat(cloudy.count("add n1 10.1.0.0/24")).isEqualTo(1);
    assertThat(cloudy.count("add n2 10.1.1.0/24")).isEqualTo(1);
  }

  @Test
  @DisplayName("NC-AM28 a block that is taken in the cloud is reported, and another chosen")
  void taken() {
    cloudy.cloud.launch("foreign", "10.1.0.0/23").launch("n1");
    cloudy.create("n1");
    world.start();
    world.pass(5);
    assertThat(world.cidrsOf("n1")).isEqualTo("10.1.2.0/24");
    assertThat(world.events)
        .startsWith("open n1 CIDR_CONFLICT")
        .endsWith("solved n1 CIDR_CONFLICT");
    world.assertUsed(1, 0, 0);
  }

  @Test
  @DisplayName("NC-67 NC-B21 a range that is taken away is added again with the next pass")
  void resync() {
    cloudy.join("n1");
    world.start();
    cloudy.cloud.launch("n1");
    world.pass(31);
    assertThat(cloudy.cloud.of("n1")).isEqualTo(cidrs("10.1.0.0/24"));
    assertThat(world.events).isEmpty();
  }

  @Test
  @DisplayName("NC-68 blocks of nodes that are gone are free after the cooldown, unread ones too")
  void deleted() {
    cloudy.cloud.launch("n1").launch("n2", "10.1.4.0/24");
    cloudy.create("n1");
    cloudy.create("n2", "invalid");
    world.start();
    assertThat(world.stateOf("n2")).isEqualTo("FOREIGN CIDR_UNREADABLE");
    assertThat(world.requests).doesNotContain("ASSIGN n2");
    world.server.delete("n1");
    world.server.delete("n2");
    world.pass(70);
    world.assertUsed(0, 0, 0);
    assertThat(world.controller.nodes()).isEmpty();
  }

  @Test
  @DisplayName("NC-AM23 while another allocator writes, no instance gets a range either")
  void secondAllocator() {
    cloudy.cloud.launch("n1").launch("n2");
    world.start();
    cloudy.create("n1");
    world.assignByOther("n1", "10.1.9.0/24");
    world.settle();
    cloudy.create("n2");
    world.pass(120);
    assertThat(world.stateOf("n2")).isEqualTo("PARKED SECOND_ALLOCATOR");
    assertThat(cloudy.cloud.requests).noneMatch(each -> each.startsWith("add n2"));
    world.pass(400);
    assertThat(world.cidrsOf("n2")).isEqualTo("10.1.0.0/24");
  }

  @Test
  @DisplayName("NC-B5 a node that is being deleted gets no range, and keeps what it has")
  void beingDeleted() {
    cloudy.cloud.launch("n1").launch("n2");
    cloudy.create("n1");
    cloudy.create("n2", "10.1.2.0/24");
    world.server.change("n1", ClusterNode::withBeingDeleted);
    world.server.change("n2", ClusterNode::withBeingDeleted);
    world.start();
    world.pass(60);
    assertThat(cloudy.cloud.requests).noneMatch(each -> each.startsWith("add"));
    assertThat(world.requests).doesNotContain("ASSIGN n1");
    world.assertUsed(1, 0, 0);
  }

  @Test
  @DisplayName("NC-AM18 under a lease nothing is added before the next leader can know it")
  void lease() {
    world.hasLease = true;
    world.leaseAnswers = false;
    world.rebuilt();
    cloudy.join("n1");
    world.start();
    assertThat(cloudy.cloud.requests).isEmpty();
    world.leaseAnswers = true;
    world.pass(2);
    assertThat(world.cidrsOf("n1")).isEqualTo("10.1.0.0/24");
    assertThat(world.note).contains("range,10.1.0.0/16,24");
  }

  @Test
  @DisplayName("NC-AM18 NC-K3 a block of an instance may be a former leader's for another node")
  void hold() {
    cloudy.join("n1", "10.1.0.0/24");
    world.start(CidrTakeOver.hold(Duration.ofSeconds(75)));
    world.pass(74);
    assertThat(world.stateOf("n1")).isEqualTo("PARKED CIDR_WITHHELD");
    world.pass(11);
    assertThat(world.cidrsOf("n1")).isEqualTo("10.1.0.0/24");
    assertThat(world.stateOf("n1")).isEqualTo("ASSIGNED");
  }

  @Test
  @DisplayName("NC-AM20 a process that has lost the lease adds no range")
  void fence() {
    world.leads = false;
    cloudy.join("n1");
    world.start();
    world.pass(30);
    assertThat(cloudy.cloud.of("n1")).isEmpty();
    assertThat(cloudy.networkUnavailable("n1")).isEmpty();
    assertThat(world.reportOf("n1").cidrs()).isEqualTo(cidrs("10.1.0.0/24"));
  }
}
