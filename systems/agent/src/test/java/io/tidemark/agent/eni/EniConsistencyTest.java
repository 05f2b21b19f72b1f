package io.tidemark.agent.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.PodIpPool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Versions of the object that contradict themselves")
class EniConsistencyTest {
  private static final NodeResource POOL =
      NodeResource.named("n")
          .withPool(PodIpPool.of(Map.of("eni-1", AddressSet.of(IpAddress.parse("10.0.0.9")))));

  private static Optional<String> problem(NodeResource node) {
    return new InterfaceRanges(CrdMode.ENI, new PoolName("default"), LocalInterfaces.ALL, List.of())
        .contradiction(node);
  }

  @Test
  @DisplayName("A71 An interface must name its VPC's block")
  void withoutVpc() {
    assertThat(problem(TestEni.node(POOL, TestEni.of("eni-1", "10.0.0.9").vpc(""))))
        .contains("interface eni-1 has no primary CIDR of its VPC");
  }

  @Test
  @DisplayName("A71 An object with an empty block of the VPC cannot be read")
  void emptyBlock() {
    String text =
        NodeResourceJson.print(
                TestEni.node(POOL, TestEni.of("eni-1").vpc("10.0.0.0/16", "10.1.0.0/16")))
            .replace("10.1.0.0/16", "");
    String outcome =
        NodeResourceJson.parse(text, "test")
            .match(resource -> "read", refused -> refused.problems().toString());
    assertThat(outcome).contains("status.eni.enis.eni-1.vpc.cidrs[0]");
  }

  @Test
  @DisplayName("A71 The interface of a pool's address must be there")
  void withoutInterface() {
    String text = "10.0.0.9 of the pool is on interface eni-1, which is not in the status";
    assertThat(problem(TestEni.node(POOL, TestEni.of("eni-2", "10.0.0.9")))).contains(text);
    assertThat(problem(POOL)).contains(text);
  }

  @Test
  @DisplayName("A71 The interface of a pool's address must list it")
  void withoutAddress() {
    assertThat(problem(TestEni.node(POOL, TestEni.of("eni-1", "10.0.0.8"))))
        .contains("10.0.0.9 of the pool is on interface eni-1, which does not list it");
  }

  @Test
  @DisplayName("A71 An object whose pool is on its interfaces is consistent")
  void consistent() {
    assertThat(problem(TestEni.node(POOL, TestEni.of("eni-1", "10.0.0.9")))).isEmpty();
    assertThat(problem(TestEni.node(POOL, TestEni.of("eni-1", "10.0.0.0/28")))).isEmpty();
    assertThat(problem(NodeResource.named("n"))).isEmpty();
  }
}
