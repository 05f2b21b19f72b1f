package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rows of 10.4 over the strict EC2. It charges what EC2 charges: 17 addresses for an interface
 * with one prefix, 1 + n for one with n singles.
 */
@DisplayName("Prefixes where subnets are fragmented (provider-aws 2.4, 10.4)")
class FragmentedSubnetsTest {
  private static final Map<String, String> PODS = Map.of("for", "pods");
  private static final int WITH_PREFIX = 17;

  private final EniWorld world = new EniWorld();
  private final String home = world.home();

  private String podSubnet(String block) {
    String id = world.ec2.subnet(block);
    world.ec2.mark(id, PODS);
    return id;
  }

  private NodeOperations node(String type, boolean reference) {
    world.launch("node1", type, home);
    EniSpec spec = world.spec(type, home).subnetTags(PODS).build();
    return world.node("node1", spec, true, reference);
  }

  private AwsNetworkInterface newest() {
    List<AwsNetworkInterface> all = world.interfaces("node1");
    return all.get(all.size() - 1);
  }

  private int known(String subnet) {
    return Objects.requireNonNull(world.provider.poolQuota().get(new PoolId(subnet)))
        .availableIps();
  }

  @Test
  @DisplayName("AWS-35 one fragmented subnet: two singles there, and so much less is free")
  void singlesInTheOnly() {
    String only = podSubnet("10.0.4.0/22");
    world.fragment(only, "10.0.4.0/22");
    NodeOperations node = node("m5.large", false);
    int free = world.ec2.freeAddresses(only);
    world.grow(node, 2);
    assertThat(newest().subnet().text()).isEqualTo(only);
    assertThat(newest().singles().size()).isEqualTo(2);
    assertThat(world.ec2.freeAddresses(only)).isEqualTo(free - 3);
    assertThat(known(only)).isEqualTo(free - 3);
  }

  @Test
  @DisplayName(
      "AWS-37 AWS-38 a healthy sibling gives the prefix, three times; nothing from the other")
  void healthySibling() {
    String fragmented = podSubnet("10.0.4.0/22");
    String healthy = podSubnet("10.0.2.0/23");
    world.fragment(fragmented, "10.0.4.0/22");
    NodeOperations node = node("m5.xlarge", false);
    int bad = world.ec2.freeAddresses(fragmented);
    int good = world.ec2.freeAddresses(healthy);
    assertThat(bad).as("the fragmented one has more free").isGreaterThan(good);
    for (int i = 1; i <= 3; i++) {
      world.grow(node, 2);
      assertThat(newest().subnet().text()).isEqualTo(healthy);
      assertThat(newest().prefixes()).hasSize(1);
      assertThat(node.isPrefixDelegated()).isTrue();
      assertThat(world.ec2.freeAddresses(fragmented)).isEqualTo(bad);
      assertThat(world.ec2.freeAddresses(healthy)).isEqualTo(good - i * WITH_PREFIX);
    }
    assertThat(known(healthy)).isEqualTo(good - 3 * WITH_PREFIX);
  }

  @DisplayName(
      "AWS-39 a node with a single, three creations of the roomy one: ours with prefixes, 3 x 17,"
          + " the reference's profile without, 3 x 3")
  @ParameterizedTest(name = "the reference's: {0}")
  @ValueSource(booleans = {false, true})
  void degraded(boolean reference) {
    String small = podSubnet("10.0.1.0/25");
    String roomy = podSubnet("10.0.8.0/21");
    int before = world.ec2.freeAddresses(roomy);
    int smallBefore = world.ec2.freeAddresses(small);
    NodeOperations node = node("m5.xlarge", reference);
    world.ec2.single(world.instance("node1"), 0);
    assertThat(world.sync("node1")).isNotNull();
    for (int i = 0; i < 3; i++) {
      assertThat(node.isPrefixDelegated()).isNotEqualTo(reference);
      world.grow(node, 2);
      assertThat(newest().singles().size()).isEqualTo(reference ? 2 : 0);
    }
    assertThat(world.ec2.freeAddresses(roomy))
        .isEqualTo(before - 3 * (reference ? 3 : WITH_PREFIX));
    assertThat(world.ec2.freeAddresses(small)).isEqualTo(smallBefore);
  }

  @Test
  @DisplayName("AWS-40 no tags, the node's own subnet without a prefix: the sibling gives it")
  void homeFragmented() {
    String sibling = world.ec2.subnet("10.0.8.0/21");
    world.leaveFree(home, "10.0.0.0/24", 16);
    world.fragment(home, "10.0.0.0/24");
    NodeOperations node = world.node("node1", world.spec().build(), true);
    int small = world.ec2.freeAddresses(home);
    int before = world.ec2.freeAddresses(sibling);
    world.grow(node, 2);
    assertThat(world.ec2.freeAddresses(sibling)).isEqualTo(before - WITH_PREFIX);
    assertThat(world.ec2.freeAddresses(home)).isEqualTo(small);
    assertThat(node.isPrefixDelegated()).isTrue();
  }

  @Test
  @DisplayName(
      "AWS-42 AWS-43 an attached interface in a fragmented subnet: a prefix and two singles")
  void mixed() {
    world.ec2.subnet("10.0.8.0/21");
    NodeOperations node = world.node("node1", world.spec().build(), true);
    assertThat(world.allocate(node, 2)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1").get(0).prefixes()).hasSize(1);
    world.fragment(home, "10.0.0.0/24");
    int free = world.ec2.freeAddresses(home);
    assertThat(world.allocate(node, 2))
        .isInstanceOfSatisfying(
            AllocationOutcome.Allocated.class,
            allocated -> assertThat(allocated.addresses()).isEqualTo(2));
    AwsNetworkInterface first = world.interfaces("node1").get(0);
    assertThat(first.prefixes()).hasSize(1);
    assertThat(first.singles().size()).isEqualTo(2);
    assertThat(world.attached("node1")).isEqualTo(18);
    assertThat(world.ec2.freeAddresses(home)).isEqualTo(free - 2);
    assertThat(EniWorld.known(node).interfaces()).hasSize(1);
    assertThat(EniWorld.known(node).interfaces().get(0).size()).isEqualTo(18);
  }

  @Test
  @DisplayName("AWS-45 in the end: 16/0, then fragmented, 20/12 on one interface with four singles")
  void endToEnd() {
    world.running(EniWorld.delegating(), world.spec(), EniWorld.EIGHT);
    assertThat(world.availableUsed("node1")).isEqualTo("16/0");
    world.fragment(home, "10.0.0.0/24");
    world.run(Duration.ofMinutes(2));
    world.use("node1", 12);
    assertThat(world.availableUsed("node1")).isEqualTo("20/12");
    assertThat(world.interfaces("node1")).hasSize(1);
    assertThat(newest().prefixes()).hasSize(1);
    assertThat(newest().singles().size()).isEqualTo(4);
  }

  @Test
  @DisplayName("T4 8.4 every rung below the first is counted, and what is on its way is told")
  void counted() {
    String fragmented = podSubnet("10.0.4.0/22");
    String sibling = podSubnet("10.0.2.0/23");
    NodeOperations node = node("m5.large", false);
    AllocationAction plan = EniWorld.asking(node, 20);
    world.fragment(fragmented, "10.0.4.0/22"); // not known yet
    var stage = node.createInterface(plan, world.context());
    assertThat(world.interfaceMetrics.value(Metric.ENI_IN_FLIGHT, fragmented)).isEqualTo(33);
    assertThat(world.await(stage)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(newest().subnet().text()).isEqualTo(sibling);
    assertThat(world.interfaceMetrics.value(Metric.ENI_FALLBACK, "onePrefix")).isEqualTo(1);
    assertThat(world.interfaceMetrics.value(Metric.ENI_FALLBACK, "sibling")).isEqualTo(1);
    assertThat(world.interfaceMetrics.value(Metric.ENI_FALLBACK, "prefixes")).isNaN();
    assertThat(world.interfaceMetrics.value(Metric.ENI_IN_FLIGHT, fragmented)).isZero();
    assertThat(world.interfaceMetrics.value(Metric.ENI_IN_FLIGHT, sibling)).isZero();
  }
}
