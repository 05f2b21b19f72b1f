package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pools of a multi-pool agent")
class PodPoolsTest {
  private static final NodeResource NODE =
      TestResources.node(
          """
          {'ipam':{'pools':{'x':1,
            'requested':[{'pool':'mars','needed':{'ipv4-addrs':8,'x':2},'x':3},
                         {'pool':'default','needed':{'ipv6-addrs':16}}],
            'allocated':[{'pool':'mars','cidrs':['10.0.1.0/27','10.0.0.0/27'],'x':4},
                         {'pool':'default','cidrs':['f00d::/120'],'allowFirstIP':true},
                         {'pool':'mars','cidrs':['10.0.2.0/27','10.0.0.0/27']}]}}}
          """,
          "{}");

  @Test
  @DisplayName("Demand and blocks are read by pool, blocks in their order and each once")
  void read() {
    assertThat(NODE.pools())
        .isEqualTo(
            pools(
                Map.of("default", new AddressDemand(0, 16), "mars", new AddressDemand(8, 0)),
                Map.of(
                    "default",
                    new PoolCidrs(List.of(Cidr.parse("f00d::/120")), true, false),
                    "mars",
                    cidrs("10.0.1.0/27", "10.0.0.0/27", "10.0.2.0/27"))));
    assertThat(NodeResource.named("n").pools()).isEqualTo(PodPools.NONE);
  }

  @Test
  @DisplayName("Entries are written by pool, and those that stay keep their unknown fields")
  void write() {
    NodeResource written =
        NODE.withPools(
            pools(
                Map.of("jupiter", new AddressDemand(1, 1), "mars", new AddressDemand(40, 8)),
                Map.of(
                    "mars",
                    cidrs("10.0.2.0/27"),
                    "default",
                    new PoolCidrs(List.of(Cidr.parse("f00d::/120")), false, true))));
    assertThat(NodeResourceJson.print(written).replace('"', '\''))
        .contains(
            "'requested':[{'needed':{'ipv4-addrs':1,'ipv6-addrs':1},'pool':'jupiter'},"
                + "{'pool':'mars','needed':{'ipv4-addrs':40,'ipv6-addrs':8,'x':2},'x':3}]",
            "'allocated':[{'pool':'default','cidrs':['f00d::/120'],'allowFirstIP':false,"
                + "'allowLastIP':true},{'pool':'mars','cidrs':['10.0.2.0/27'],'x':4}]",
            "'x':1");
    assertThat(written.ipam().allocatedCidrs())
        .containsExactlyInAnyOrder(Cidr.parse("f00d::/120"), Cidr.parse("10.0.2.0/27"));
  }

  @Test
  @DisplayName("Equal pools change nothing, and none at all leave no member behind")
  void bounds() {
    assertThat(NODE.withPools(NODE.pools())).isSameAs(NODE);
    NodeResource node = NodeResource.named("n");
    NodeResource written = node.withPools(NODE.pools());
    assertThat(written.pools()).isEqualTo(NODE.pools());
    assertThat(written.withPools(PodPools.NONE))
        .isEqualTo(node.withPreAllocate(8).withPreAllocate(0));
  }

  @Test
  @DisplayName("The order of a pool's blocks is no difference between two objects")
  void order() {
    NodeResource one = node("10.0.0.0/27", "10.0.1.0/27");
    assertThat(one.sameSpec(node("10.0.1.0/27", "10.0.0.0/27"))).isTrue();
    assertThat(one.sameSpec(node("10.0.1.0/27"))).isFalse();
  }

  private static NodeResource node(String... blocks) {
    return NodeResource.named("n").withPools(pools(Map.of(), Map.of("mars", cidrs(blocks))));
  }

  private static PoolCidrs cidrs(String... blocks) {
    return PoolCidrs.of(List.of(blocks).stream().map(Cidr::parse).toArray(Cidr[]::new));
  }

  private static PodPools pools(
      Map<String, AddressDemand> requested, Map<String, PoolCidrs> allocated) {
    return new PodPools(new TreeMap<>(requested), new TreeMap<>(allocated));
  }
}
