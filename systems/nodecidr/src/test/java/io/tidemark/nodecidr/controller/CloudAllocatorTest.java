package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("CloudAllocator gives a node the ranges of its instance")
class CloudAllocatorTest {
  private CloudWorld cloudy = new CloudWorld(CidrAllocatorType.CLOUD_ALLOCATOR, "IPv4");
  private ControllerWorld world = cloudy.world;

  private void families(String families) {
    cloudy = new CloudWorld(CidrAllocatorType.CLOUD_ALLOCATOR, families);
    world = cloudy.world;
  }

  @Test
  @DisplayName("NC-44 NC-51 writes them once, then the condition, and nothing to a node in order")
  void assigned() {
    cloudy.join("n1", "192.168.1.0/24");
    world.start();

    assertThat(world.cidrsOf("n1")).isEqualTo("192.168.1.0/24");
    assertThat(cloudy.networkUnavailable("n1")).contains(false);
    assertThat(world.stateOf("n1")).isEqualTo("ASSIGNED");
    assertThat(world.requests).containsSubsequence("ASSIGN n1", "NETWORK_AVAILABLE n1");

    world.pass(600);
    world.server.change("n1", node -> node); // a heartbeat
    world.pass(600);
    assertThat(world.count("ASSIGN n1")).isEqualTo(1);
    assertThat(world.count("NETWORK_AVAILABLE n1")).isEqualTo(1);
    assertThat(cloudy.count("read n1")).isEqualTo(1);
    assertThat(world.events).isEmpty();
  }

  @Test
  @DisplayName("NC-52 says again that the network is available when the node says otherwise")
  void condition() {
    cloudy.cloud.launch("n1", "192.168.1.0/24");
    cloudy.create("n1", "192.168.1.0/24");
    world.server.change("n1", node -> node.withNetworkUnavailable(true));
    world.start();
    assertThat(cloudy.networkUnavailable("n1")).contains(false);

    world.server.change("n1", node -> node.withNetworkUnavailable(true));
    world.settle();
    assertThat(cloudy.networkUnavailable("n1")).contains(false);
    assertThat(world.count("ASSIGN n1")).isZero();
    assertThat(cloudy.count("read n1")).isEqualTo(1);
  }

  @Test
  @DisplayName("NC-AM30 writes no condition where the cloud does not route ranges by itself")
  void unrouted() {
    cloudy.cloud.areRouted = false;
    cloudy.join("n1", "192.168.1.0/24");
    world.start();
    assertThat(world.stateOf("n1")).isEqualTo("ASSIGNED");
    assertThat(cloudy.networkUnavailable("n1")).isEmpty();
  }

  @Test
  @DisplayName("NC-B15 a condition that may not be written is reported, and tried again later")
  void conditionRefused() {
    cloudy.cloud.launch("n1", "192.168.1.0/24");
    cloudy.create("n1", "192.168.1.0/24");
    world.answer("n1", new NodeChange.Refused("nodes/status is forbidden"));
    world.start();
    assertThat(world.stateOf("n1")).isEqualTo("ASSIGNED CIDR_FORBIDDEN");
    assertThat(cloudy.networkUnavailable("n1")).isEmpty();

    world.pass(301);
    assertThat(cloudy.networkUnavailable("n1")).contains(false);
    assertThat(world.events).containsExactly("open n1 CIDR_FORBIDDEN", "solved n1 CIDR_FORBIDDEN");
  }

  @Test
  @DisplayName("NC-41 NC-43 NC-AM36 a node without provider ID or range is told until it has it")
  void missing() {
    cloudy.cloud.launch("n1").launch("n2", "192.168.2.0/24");
    cloudy.create("n1");
    world.create("n2");
    world.start();
    assertThat(world.stateOf("n1")).isEqualTo("PARKED CLOUD_RANGE_MISSING");
    assertThat(world.reportOf("n1").matter().orElseThrow().detail())
        .isEqualTo("instance n1 has no range of IPv4");
    assertThat(world.reportOf("n2").matter().orElseThrow().detail())
        .isEqualTo("the node has no provider ID yet");

    cloudy.cloud.launch("n1", "192.168.1.0/24");
    world.server.change("n2", node -> node.withProviderId("cloud:///n2"));
    world.pass(16);
    assertThat(world.cidrsOf("n1", "n2")).containsExactly("192.168.1.0/24", "192.168.2.0/24");
    assertThat(world.events)
        .containsExactlyInAnyOrder(
            "open n1 CLOUD_RANGE_MISSING",
            "open n2 CLOUD_RANGE_MISSING",
            "solved n1 CLOUD_RANGE_MISSING",
            "solved n2 CLOUD_RANGE_MISSING");
  }

  @Test
  @DisplayName("NC-42 NC-AM29 a node whose provider ID is of another cloud is left alone")
  void otherCloud() {
    world.create("n1");
    world.server.change("n1", node -> node.withProviderId("fargate:///task"));
    world.start();
    assertThat(world.stateOf("n1")).isEqualTo("PARKED");
    assertThat(world.requests).doesNotContain("ASSIGN n1", "NETWORK_AVAILABLE n1");
    assertThat(cloudy.cloud.requests).isEmpty();
    assertThat(world.events).isEmpty();
  }

  @Test
  @DisplayName("NC-B15 a node is never dropped: after twenty failures it is looked at each 5 min")
  void neverDropped() {
    cloudy.create("n1");
    world.start();
    world.pass(Duration.ofHours(2));
    long reads = cloudy.count("read n1");
    assertThat(reads).isBetween(40L, 48L);
    assertThat(world.stateOf("n1")).isEqualTo("PARKED CLOUD_RANGE_MISSING");
    assertThat(world.events).containsExactly("open n1 CLOUD_RANGE_MISSING");

    cloudy.cloud.launch("n1", "192.168.1.0/24");
    world.pass(301);
    assertThat(world.cidrsOf("n1")).isEqualTo("192.168.1.0/24");
  }

  @Test
  @DisplayName("NC-B16 other CIDRs of a node are reported and never overwritten")
  void mismatch() {
    cloudy.cloud.launch("n1", "192.168.1.0/24");
    cloudy.create("n1", "192.168.7.0/24");
    world.start();
    world.pass(Duration.ofHours(2));
    assertThat(world.stateOf("n1")).isEqualTo("FOREIGN CLOUD_MISMATCH");
    assertThat(world.reportOf("n1").matter().orElseThrow().message())
        .isEqualTo(
            "TM-1416 CLOUD_MISMATCH: the node has 192.168.7.0/24, and instance n1 has"
                + " 192.168.1.0/24. Assign the node's CIDR to its instance, or delete the node and"
                + " register it again.");
    assertThat(world.requests).doesNotContain("ASSIGN n1", "NETWORK_AVAILABLE n1");
    assertThat(world.events).containsExactly("open n1 CLOUD_MISMATCH");
  }

  @Test
  @DisplayName("NC-AM30 with one range of the cluster, the other family is the cloud's: one patch")
  void dual() {
    families("10.2.0.0/16,24 IPv6");
    cloudy.join("n1", "fd00:0:0:1::/80");
    cloudy.join("n2", "fd00:0:0:2::/80");
    world.start();
    assertThat(world.cidrsOf("n1")).isEqualTo("10.2.0.0/24 fd00:0:0:1::/80");
    assertThat(world.cidrsOf("n2")).isEqualTo("10.2.1.0/24 fd00:0:0:2::/80");
    assertThat(world.count("ASSIGN n1")).isEqualTo(1);
    world.assertUsed(2, 0, 0);
  }

  @Test
  @DisplayName("NC-AM22 NC-AM30 such a node waits for a block of the range, and gets both at once")
  void dualExhausted() {
    families("10.2.0.0/24,24 IPv6");
    cloudy.cloud.launch("n1", "fd00:0:0:1::/80").launch("n2", "fd00:0:0:2::/80");
    cloudy.create("n1");
    world.start();
    cloudy.create("n2");
    world.pass(120);
    assertThat(world.stateOf("n2")).isEqualTo("PARKED CIDR_EXHAUSTED");
    world.assertUsed(1, 0, 0);

    world.server.delete("n1");
    world.pass(61);
    assertThat(world.cidrsOf("n2")).isEqualTo("10.2.0.0/24 fd00:0:0:2::/80");
    assertThat(world.stateOf("n2")).isEqualTo("ASSIGNED");
  }

  @Test
  @DisplayName("NC-AM30 NC-K1 a range of another node is not written before that one is gone")
  void rival() {
    cloudy.create("old", "192.168.1.0/24");
    cloudy.join("n1", "192.168.1.0/24");
    world.start();
    assertThat(world.stateOf("n1")).isEqualTo("PARKED CIDR_CONFLICT");

    world.server.delete("old");
    world.pass(60);
    assertThat(world.stateOf("n1")).isEqualTo("PARKED CIDR_WITHHELD");

    world.pass(16);
    assertThat(world.cidrsOf("n1")).isEqualTo("192.168.1.0/24");
  }

  @Test
  @DisplayName("NC-B21 a cloud that answers slowly delays only the node that it is asked about")
  void slow() {
    families("10.2.0.0/16,24 IPv6");
    cloudy.travel = Duration.ofSeconds(8);
    for (int i = 0; i < 20; i++) {
      cloudy.join("n" + i, "fd00:0:0:" + i + "::/80");
    }
    var started = world.controller.start(CidrTakeOver::clean).toCompletableFuture();
    world.pass(17);
    assertThat(started).isDone();
    for (int i = 0; i < 20; i++) {
      assertThat(world.cidrsOf("n" + i)).contains("10.2.");
    }
  }

  @Test
  @DisplayName("NC-35 NC-40 a node that goes while its instance is read leaves nothing behind")
  void gone() {
    cloudy.travel = Duration.ofSeconds(2);
    cloudy.join("n1", "192.168.1.0/24");
    world.start();
    world.server.delete("n1");
    world.pass(10);
    assertThat(world.requests).doesNotContain("ASSIGN n1");
    assertThat(world.controller.isSettled()).isTrue();
    assertThat(world.controller.nodes()).isEmpty();
  }

  @Test
  @DisplayName("NC-56 the end begins no request, and waits for those in flight")
  void stopped() {
    cloudy.travel = Duration.ofSeconds(1);
    cloudy.join("n1", "192.168.1.0/24");
    world.controller.start(CidrTakeOver::clean);
    world.settle();
    var stopped = world.controller.stop().toCompletableFuture();
    assertThat(stopped).isNotDone();
    world.pass(60);
    assertThat(stopped).isDone();
    assertThat(stopped.join()).isEmpty();
    assertThat(cloudy.cloud.requests).containsExactly("read n1");
    assertThat(world.requests).doesNotContain("ASSIGN n1");
  }

  @Test
  @DisplayName("NC-B2 a read that fails is repeated, and reported when that goes on")
  void readFails() {
    cloudy.join("n1", "192.168.1.0/24");
    cloudy.cloud.interference =
        request -> Optional.of(Failure.of(Failure.Kind.TRANSIENT, "down", "the cloud is down"));
    world.start();
    world.pass(5);
    assertThat(world.stateOf("n1")).isEqualTo("WAITING CLOUD_RANGE_MISSING");
    assertThat(world.reportOf("n1").matter().orElseThrow().detail())
        .isEqualTo("instance n1 cannot be read: the cloud is down");
    cloudy.cloud.interference = request -> Optional.empty();
    world.pass(16);
    assertThat(world.stateOf("n1")).isEqualTo("ASSIGNED");
  }

  @Test
  @DisplayName("a range that moved while a former leader's write was on its way is a conflict")
  void movedRange() {
    cloudy.join("n1");
    cloudy.join("n2", "192.168.1.0/24");
    world.start(CidrTakeOver.hold(Duration.ofSeconds(75)));
    assertThat(world.stateOf("n2")).isEqualTo("ASSIGNED");

    world.assignByOther("n1", "192.168.1.0/24");
    world.pass(1);
    assertThat(world.stateOf("n1")).startsWith("CONFLICT CIDR_CONFLICT");
    assertThat(world.stateOf("n2")).startsWith("CONFLICT CIDR_CONFLICT");
  }

  @Test
  @DisplayName("NC-L5 a node on another instance, under its old name, gets the other's range")
  void anotherInstance() {
    cloudy.travel = Duration.ofSeconds(1);
    cloudy.cloud.launch("n1", "192.168.1.0/24").launch("n2", "192.168.2.0/24");
    cloudy.create("n1");
    world.start();
    world.server.delete("n1");
    world.server.create(ClusterNode.named("n1", "").withProviderId("cloud:///n2"));
    world.pass(10);
    assertThat(world.cidrsOf("n1")).isEqualTo("192.168.2.0/24");
  }
}
