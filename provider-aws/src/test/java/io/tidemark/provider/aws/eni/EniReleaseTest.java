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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("Interfaces that nobody needs are given back (provider-aws 3.4, eni-release)")
class EniReleaseTest {
  private static final EniSettings ON = Samples.with("releaseInterfaces", true);

  @DisplayName("as these stories tell, never while anybody may need them")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          after ten minutes without addresses: detached, then deleted, nothing left behind \
            | node; grow 4; 5s; remember; empty; pass 9; interfaces 2; pass 4; interfaces 1; \
              unattached 0; free home 5; known 1; \
              inOrder DetachNetworkInterface DeleteNetworkInterface; grow 4; interfaces 2
          never with an address on it, a public one, somebody else's, or the instance's own \
            | node; grow 4; 5s; park theirs Tidemark_(i-0) owner=somebody; attach theirs 2; \
              pass 30; interfaces 3; empty; public 1; pass 30; interfaces 3; \
              never DetachNetworkInterface
          not while the node lacks addresses \
            | node; grow 4; 5s; empty; need 30; interfaces 2; never DetachNetworkInterface
          not where primary addresses serve pods \
            | node primary; grow 4; 5s; empty; pass 20; interfaces 2; never DetachNetworkInterface
          not when it is off \
            | with releaseInterfaces=false; node; grow 4; 5s; empty; pass 20; interfaces 2; \
              never DetachNetworkInterface
          not without garbage collection \
            | with collectionInterval=PT0S; node; grow 4; 5s; empty; pass 20; interfaces 2; \
              never DetachNetworkInterface
          the detach's answer is lost: the interface gets nothing, and goes once a read shows \
            | node; grow 4; 5s; empty; loseAnswer DetachNetworkInterface; pass 14; answer; \
              pass 18; interfaces 1; unattached 0
          the detach is lost: the interface gets nothing, and goes once a read shows \
            | node; grow 4; 5s; empty; lose DetachNetworkInterface; pass 14; answer; pass 18; \
              interfaces 1; unattached 0
          the operator ends between detach and delete: garbage collection deletes \
            | node; grow 4; 5s; empty; refuse DeleteNetworkInterface InternalError 500; pass 12; \
              interfaces 1; unattached 1; restart; serve; node; pass 8; unattached 0
          a refused detach keeps the interface in use, and ten minutes count anew \
            | node; grow 4; 5s; empty; refuse DetachNetworkInterface UnauthorizedOperation 403; \
              pass 13; interfaces 2; sent DetachNetworkInterface 1; room 2; unattached 0
          ten minutes count anew when it had an address meanwhile \
            | node; grow 4; 5s; empty; pass 9; single 1; pass 1; unassign 1; pass 9; \
              never DetachNetworkInterface; pass 4; interfaces 1
          one at a time, though two are without addresses for ten minutes; then the other \
            | node; 2x grow 4; 5s; 2x empty; pass 9; delay DetachNetworkInterface 8s; 2m; \
              resync; 1s; sent DetachNetworkInterface 1; resync; 1s; \
              sent DetachNetworkInterface 1; pass 14; interfaces 1
          of each of several nodes \
            | node; node node2; grow 4; 5s; grow 4 node2; 5s; empty; empty node2; pass 14; \
              interfaces 1; interfaces 1 node2
          not of an instance that does not run, and once it runs \
            | node; grow 4; 5s; empty; stop; pass 14; never DetachNetworkInterface; start; \
              pass 14; interfaces 1
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(ON), what, story);
  }

  @Test
  @DisplayName("an allocation on its way keeps the interface, and one that comes later finds none")
  void together() {
    EniWorld world = new EniWorld(ON);
    String onItsWay =
        "node; grow 4; 5s; empty; pass 10; delay DetachNetworkInterface 8s; pass 1; 3s;"
            + " asked DetachNetworkInterface";
    NodeOperations node = EniStory.run(world, "the detach is on its way", onItsWay).node();
    AwsNetworkInterface second = world.interfaces("node1").get(1);
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
    EniStory.run(
        new EniWorld(ON, ec2 -> EditedEc2.alone(ec2, each -> holding(each, held))),
        held,
        "node; grow 4; 5s; empty; pass 14; never DetachNetworkInterface; interfaces 2");
  }
}
