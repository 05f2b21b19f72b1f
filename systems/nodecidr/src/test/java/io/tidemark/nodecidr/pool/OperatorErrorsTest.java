package io.tidemark.nodecidr.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The operator's error in the status of CiliumNodes (node-cidr 17.4, NC-P6)")
class OperatorErrorsTest {
  private final PoolWorld world = new PoolWorld("10.0.0.0/23,24");

  private String errorOf(String name) {
    return world.server.node(name).operatorError().orElse("");
  }

  private long writes(String name) {
    return world.requests.stream().filter(("UPDATE_STATUS " + name)::equals).count();
  }

  @Test
  @DisplayName("NC-P6 a node without a block says so until it has one, and is written twice")
  void exhausted() {
    world.start();
    IntStream.range(0, 3).forEach(i -> world.create("n" + i));
    assertThat(errorOf("n2"))
        .isEqualTo(
            "allocator full [TM-1401] Add a range, or remove nodes that are gone; a new cluster can"
                + " use smaller blocks.");
    world.server.delete("n0");
    world.settle();
    assertThat(errorOf("n2")).startsWith("allocator full [TM-14");
    world.pass(Duration.ofSeconds(70));
    assertThat(world.cidrsOf("n2")).isEqualTo("10.0.0.0/24");
    assertThat(errorOf("n2")).isEmpty();
    assertThat(writes("n2")).isLessThanOrEqualTo(3);
    assertThat(writes("n1")).isZero();
    assertThat(world.events).contains("open n2 CIDR_EXHAUSTED", "solved n2 CIDR_EXHAUSTED");
  }

  @Test
  @DisplayName("NC-P6 NC-P7 both owners of a CIDR say so, until one is gone")
  void duplicate() {
    world.create("a", "10.0.1.0/24");
    world.create("b", "10.0.1.0/24");
    world.start();
    assertThat(errorOf("a"))
        .isEqualTo(
            "requested CIDR (10.0.1.0/24) is already allocated [TM-1403] 10.0.1.0/24 is a CIDR of"
                + " node b. "
                + NodeCidrError.CIDR_CONFLICT.remedy());
    assertThat(errorOf("b")).contains("[TM-1403] 10.0.1.0/24 is a CIDR of node a.");
    world.server.delete("b");
    world.settle();
    assertThat(errorOf("a")).isEmpty();
    assertThat(writes("a")).isEqualTo(2);
  }

  @Test
  @DisplayName("NC-P6 foreign CIDRs, a family that is off and changed CIDRs, in the same words")
  void words() {
    world.create("foreign", "192.168.0.0/24");
    world.create("off", "10.0.0.0/24", "fd00::/112");
    world.start();
    world.create("changed");
    world.server.assign("changed", "10.0.0.0/25");
    world.settle();
    assertThat(errorOf("foreign"))
        .startsWith("allocator not configured for the requested CIDR 192.168.0.0/24 [TM-1404] ");
    assertThat(errorOf("off"))
        .contains(
            "unable to allocate CIDR fd00::/112 since allocator for IPv6 addresses does not exist"
                + " [TM-1413] podCIDRs[1] is fd00::/112");
    assertThat(errorOf("changed"))
        .contains(
            "node has CIDRs allocated (10.0.1.0/24) that conflict with requested CIDRs 10.0.0.0/25"
                + " [TM-1406] ");
  }

  @Test
  @DisplayName("NC-P6 a text that an earlier operator left goes, and other fields stay")
  void left() {
    world.create("a", "10.0.0.0/24");
    world.server.changeStatus("a", node -> node.withOperatorError("left by another"));
    NodeResource ignored = world.server.createIgnored("ignored", "10.0.0.0/24");
    world.start();
    world.server.delete("ignored");
    world.settle();
    assertThat(errorOf("a")).isEmpty();
    assertThat(ignored.operatorError()).isEmpty();
    assertThat(world.requests).doesNotContain("UPDATE_STATUS ignored");
  }

  @Test
  @DisplayName("NC-P6 a text of a former leader that arrives late is replaced, and once only")
  void late() {
    world.start();
    world.create("a");
    world.server.changeStatus("a", node -> node.withOperatorError("of a former leader"));
    world.settle();
    assertThat(errorOf("a")).isEmpty();
    world.server.changeStatus("a", node -> node.withOperatorError("of a second operator"));
    world.settle();
    assertThat(errorOf("a")).isEqualTo("of a second operator");
    world.create("b", "10.0.0.0/24");
    assertThat(errorOf("a")).startsWith("requested CIDR (10.0.0.0/24) is already allocated");
  }

  @Test
  @DisplayName("NC-P6 the text is short, and leaves out what concerns the object's writes alone")
  void text() {
    assertThat(OperatorErrors.text(Map.of())).isEmpty();
    assertThat(OperatorErrors.text(Map.of(NodeCidrError.CIDR_WRITE_FAILED, "x"))).isEmpty();
    assertThat(OperatorErrors.text(Map.of(NodeCidrError.CIDR_CONFLICT, "x".repeat(5000))))
        .hasSize(1024);
    assertThat(
            OperatorErrors.text(
                Map.of(NodeCidrError.CIDR_UNREADABLE, "a: b", NodeCidrError.CIDR_FOREIGN, "c")))
        .isEqualTo(
            "c [TM-1404] "
                + NodeCidrError.CIDR_FOREIGN.remedy()
                + "; a [TM-1405] b. "
                + NodeCidrError.CIDR_UNREADABLE.remedy());
  }
}
