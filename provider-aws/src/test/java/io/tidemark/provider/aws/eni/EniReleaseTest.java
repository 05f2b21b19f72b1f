package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("Interfaces that nobody needs are given back (provider-aws 3.4, eni-release)")
class EniReleaseTest {
  private static final EniSettings ON = Samples.with("releaseInterfaces", true);
  private static final int REST = (int) EniRelease.REST.toMinutes();

  private EniWorld world = new EniWorld(ON);

  /** A node with a second interface of four addresses. */
  private NodeOperations grown() {
    NodeOperations node = world.node("node1");
    grow(node);
    return node;
  }

  private void grow(NodeOperations node) {
    world.grow(node, 4);
    world.run(Duration.ofSeconds(5));
  }

  /** A node with a second interface, and no addresses beside the primary ones. */
  private NodeOperations emptied() {
    NodeOperations node = grown();
    empty(node);
    return node;
  }

  /** All addresses beside the primary ones go. */
  private void empty(NodeOperations node) {
    ReleaseAction action = node.prepareIpRelease(100, AddressSet.of());
    assertThat(action.isEmpty()).isFalse();
    assertThat(world.await(node.release(action, world.context())))
        .isInstanceOf(ReleaseOutcome.Released.class);
  }

  @Test
  @DisplayName("after ten minutes without addresses: detached, then deleted, nothing left behind")
  void givenBack() {
    NodeOperations node = grown();
    int free = world.ec2.freeAddresses(world.home());
    empty(node);
    world.pass(REST - 1);
    assertThat(world.interfaces("node1")).as("not yet").hasSize(2);
    world.pass(4);
    assertThat(world.interfaces("node1")).hasSize(1);
    assertThat(world.ec2.unattached()).isZero();
    assertThat(world.ec2.freeAddresses(world.home())).isEqualTo(free + 5);
    assertThat(EniWorld.known(node).interfaces()).hasSize(1);
    assertThat(world.requests)
        .containsSubsequence("DetachNetworkInterface", "DeleteNetworkInterface");
    grow(node);
    assertThat(world.interfaces("node1")).as("grown again at once").hasSize(2);
  }

  @Test
  @DisplayName("never with an address on it, a public one, somebody else's, or the instance's own")
  void kept() {
    NodeOperations node = grown();
    String theirs = world.ec2.parked(world.home(), "Tidemark (i-0)", Map.of("owner", "somebody"));
    world.ec2.attach(theirs, world.instance("node1"), 2);
    world.pass(3 * REST);
    assertThat(world.interfaces("node1")).as("its addresses").hasSize(3);
    empty(node);
    world.ec2.publicAddressOf(world.instance("node1"), 1);
    world.pass(3 * REST);
    assertThat(world.interfaces("node1")).as("its public address").hasSize(3);
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
  }

  @Test
  @DisplayName("not while the node lacks addresses")
  void needed() {
    NodeOperations node = emptied();
    for (int i = 0; i < 30; i++) {
      world.pass(1);
      node.prepareIpAllocation();
    }
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
  }

  @Test
  @DisplayName("not where primary addresses serve pods, nor off, nor without garbage collection")
  void notAtAll() {
    for (EniSettings settings :
        List.of(ON, Samples.SETTINGS, Copies.with(ON, "collectionInterval", Duration.ZERO))) {
      world = new EniWorld(settings);
      boolean primary = settings.equals(ON);
      NodeOperations node = world.node("node1", world.spec().usePrimary(primary).build(), false);
      grow(node);
      empty(node);
      world.pass(2 * REST);
      assertThat(world.interfaces("node1")).hasSize(2);
      assertThat(world.requests).doesNotContain("DetachNetworkInterface");
    }
  }

  @Test
  @DisplayName("an allocation on its way keeps the interface, and one that comes later finds none")
  void together() {
    NodeOperations node = emptied();
    world.pass(REST);
    AwsNetworkInterface second = world.interfaces("node1").get(1);
    world.delay("DetachNetworkInterface", Duration.ofSeconds(8));
    world.pass(1);
    world.run(Duration.ofSeconds(3));
    assertThat(world.requests).as("on its way").contains("DetachNetworkInterface");
    AllocationAction plan = EniWorld.asking(node, 4);
    assertThat(plan.onInterface()).isNotEqualTo(Optional.of(second.id()));
    AllocationAction stale =
        Copies.with(
            plan,
            Map.of(
                "onInterface",
                Optional.of(second.id()),
                "pool",
                Optional.of(second.subnet()),
                "firstCalls",
                List.of(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES.kind())));
    CompletionStage<AllocationOutcome> late = node.allocateIps(stale, world.context());
    assertThat(world.await(late)).isInstanceOf(AllocationOutcome.Refused.class);
    world.run(Duration.ofMinutes(2));
    assertThat(world.interfaces("node1")).hasSize(1);
  }

  @Test
  @DisplayName(
      "the detach's answer is lost: the interface gets nothing, and goes once a read shows")
  void answerLost() {
    for (boolean carriedOut : List.of(true, false)) {
      world = new EniWorld(ON);
      emptied();
      world.lose("DetachNetworkInterface", carriedOut);
      world.pass(REST + 4);
      world.answer();
      world.pass(REST + 8);
      assertThat(world.interfaces("node1")).as("carried out: " + carriedOut).hasSize(1);
      assertThat(world.ec2.unattached()).isZero();
    }
  }

  @Test
  @DisplayName("the operator ends between detach and delete: garbage collection deletes")
  void crash() {
    emptied();
    world.refuse("DeleteNetworkInterface", "InternalError", 500);
    world.pass(REST + 2);
    assertThat(world.interfaces("node1")).hasSize(1);
    assertThat(world.ec2.unattached()).isEqualTo(1);
    EniWorld again = world.restarted();
    world.faults();
    again.node("node1");
    again.pass(8);
    assertThat(again.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("a refused detach keeps the interface in use")
  void refused() {
    NodeOperations node = emptied();
    world.refuse("DetachNetworkInterface", "UnauthorizedOperation", 403);
    world.pass(REST + 3);
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.sent("DetachNetworkInterface")).as("ten minutes count anew").isOne();
    assertThat(EniWorld.known(node).statistics().interfacesWithRoom()).isEqualTo(2);
    assertThat(world.ec2.unattached()).isZero();
  }

  /**
   * The interface with something on it, as EC2 shows it only when it is asked for that one alone.
   */
  private static AwsNetworkInterface holding(AwsNetworkInterface each, String held) {
    IpAddress ipv6 = IpAddress.parse("2001:db8::1");
    return switch (held) {
      case "single" -> Copies.with(each, "singles", AddressSet.of(IpAddress.parse("10.0.0.99")));
      case "prefix" -> Copies.with(each, "prefixes", List.of(Cidr.parse("10.0.0.96/28")));
      case "ipv6" -> Copies.with(each, "ipv6", AddressSet.of(ipv6));
      case "ipv6 prefix" -> Copies.with(each, "ipv6Prefixes", List.of(Cidr.parse("2001:db8::/80")));
      case "public" -> Copies.with(each, "publicAddress", Optional.of(ipv6));
      case "other owner" -> Copies.with(each, "tags", Map.of(OwnerTags.CLUSTER, "other"));
      default -> {
        Attachment at = each.attachment().orElseThrow();
        Attachment other =
            held.equals("other attachment")
                ? Copies.with(at, "id", "eni-attach-1")
                : Copies.with(at, "instance", Optional.of(new InstanceId("i-0")));
        yield Copies.with(each, "attachment", Optional.of(other));
      }
    };
  }

  @DisplayName("not when the read right before the detach shows anything on it, or another owner")
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "single",
        "prefix",
        "ipv6",
        "ipv6 prefix",
        "public",
        "other owner",
        "other instance",
        "other attachment"
      })
  void heldAfterAll(String held) {
    world = new EniWorld(ON, ec2 -> EditedEc2.alone(ec2, each -> holding(each, held)));
    emptied();
    world.pass(REST + 4);
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
    assertThat(world.interfaces("node1")).hasSize(2);
  }

  @Test
  @DisplayName("ten minutes count anew when it had an address meanwhile")
  void usedMeanwhile() {
    emptied();
    world.pass(REST - 1);
    world.ec2.single(world.instance("node1"), 1);
    world.pass(1);
    IpAddress address = world.interfaces("node1").get(1).singles().first().orElseThrow();
    world.ec2.unassign(world.instance("node1"), address);
    world.pass(REST - 1);
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
    world.pass(4);
    assertThat(world.interfaces("node1")).hasSize(1);
  }

  @Test
  @DisplayName("one at a time, though two are without addresses for ten minutes")
  void oneAtATime() {
    NodeOperations node = grown();
    grow(node);
    empty(node);
    empty(node);
    world.pass(REST - 1);
    world.delay("DetachNetworkInterface", Duration.ofSeconds(8));
    world.run(Duration.ofMinutes(2));
    world.resync();
    world.run(Duration.ofSeconds(1));
    assertThat(world.sent("DetachNetworkInterface")).isOne();
    world.resync();
    world.run(Duration.ofSeconds(1));
    assertThat(world.sent("DetachNetworkInterface")).as("the first is on its way still").isOne();
    world.pass(REST + 4);
    assertThat(world.interfaces("node1")).as("the other goes, too").hasSize(1);
  }

  @Test
  @DisplayName("of each of several nodes")
  void severalNodes() {
    NodeOperations node = world.node("node1");
    NodeOperations other = world.node("node2");
    grow(node);
    grow(other);
    empty(node);
    empty(other);
    world.pass(REST + 4);
    assertThat(world.interfaces("node1")).hasSize(1);
    assertThat(world.interfaces("node2")).hasSize(1);
  }

  @Test
  @DisplayName("not of an instance that does not run, and once it runs")
  void stopped() {
    emptied();
    world.ec2.stop(world.instance("node1"));
    world.pass(REST + 4);
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
    world.ec2.start(world.instance("node1"));
    world.pass(REST + 4);
    assertThat(world.interfaces("node1")).hasSize(1);
  }
}
