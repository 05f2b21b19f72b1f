package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.CidrStates.Need;
import io.tidemark.agent.multipool.OfferedCidrs.Edges;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The addresses of many blocks")
class RangeAllocatorTest {
  private static final CidrStates.Use UNUSED =
      new CidrStates.Use() {
        @Override
        public int held(Cidr cidr) {
          return 0;
        }

        @Override
        public int free(Cidr cidr) {
          return 0;
        }
      };

  private static CidrStates states(Edges edges, String... blocks) {
    List<Cidr> cidrs = Stream.of(blocks).map(Cidr::parse).toList();
    return CidrStates.EMPTY.observe(
        OfferedCidrs.of(cidrs, edges),
        UNUSED,
        new Need(1000, 0, 0, false),
        TestPools.QUARANTINE,
        0);
  }

  private static RangeAllocator of(CidrStates states) {
    RangeAllocator empty =
        RangeAllocator.empty(new PoolName("p"), IpFamily.IPV4, 0, CidrStates.EMPTY);
    return empty.with(states, Optional.empty());
  }

  @Test
  @DisplayName("Positions follow the operator's order of the blocks, not that of their addresses")
  void positions() {
    RangeAllocator ranges = of(states(Edges.BOTH, "10.0.1.0/30", "10.0.0.0/30", "10.0.2.0/31"));
    assertThat(ranges.capacity()).isEqualTo(10);
    for (int position = 0; position < 10; position++) {
      assertThat(ranges.position(ranges.address(position))).isEqualTo(position);
    }
    assertThat(ranges.address(0)).hasToString("10.0.1.0");
    assertThat(ranges.address(4)).hasToString("10.0.0.0");
    for (String other : List.of("9.255.255.255", "10.0.0.4", "10.0.2.2", "f00d::1")) {
      assertThat(ranges.position(IpAddress.parse(other))).as(other).isEqualTo(-1);
    }
    assertThat(ranges.origin()).isEqualTo("10.0.1.0/30, 10.0.0.0/30, 10.0.2.0/31");
  }

  @Test
  @DisplayName("The fullest block with room is drawn from, then the first of the operator's order")
  void fullestFirst() {
    RangeAllocator ranges = of(states(Edges.BOTH, "10.0.1.0/30", "10.0.0.0/30"));
    assertThat(ranges.take(4)).isTrue();
    assertThat(Stream.generate(ranges::takeNext).limit(3)).allMatch(position -> position > 4);
    assertThat(Stream.generate(ranges::takeNext).limit(4)).allMatch(position -> position < 4);
    assertThat(ranges.takeNext()).isEqualTo(-1);
    ranges.free(6);
    assertThat(ranges.takeNext()).isEqualTo(6);
  }

  @Test
  @DisplayName("Taken addresses of a block are counted to its last one, and others not")
  void countTaken() {
    RangeAllocator ranges = of(states(Edges.BOTH, "10.0.0.0/30", "10.0.1.0/30"));
    ranges.take(0);
    ranges.take(3);
    ranges.take(4);
    assertThat(ranges.countTaken(Cidr.parse("10.0.0.0/30"), ip -> true)).isEqualTo(2);
    assertThat(ranges.countTaken(Cidr.parse("10.0.0.0/30"), ip -> ip.toString().endsWith("3")))
        .isEqualTo(1);
    assertThat(ranges.countTaken(Cidr.parse("10.0.9.0/30"), ip -> true)).isZero();
    assertThat(ranges.freeIn(Cidr.parse("10.0.9.0/30"))).isZero();
  }

  @Test
  @DisplayName("A block keeps what is taken when others come and go, also the first of them")
  void otherBlocks() {
    RangeAllocator before = of(states(Edges.BOTH, "10.0.0.0/30", "10.0.1.0/30"));
    before.take(1);
    before.take(5);
    RangeAllocator more =
        before.with(states(Edges.BOTH, "10.0.0.0/30", "10.0.2.0/30"), Optional.empty());
    assertThat(more.freeCount()).isEqualTo(7);
    assertThat(more.take(1)).as("taken before").isFalse();
    RangeAllocator edges = more.with(states(Edges.NONE, "10.0.0.0/30"), Optional.empty());
    assertThat(edges.freeCount()).as("of another size").isEqualTo(2);
  }

  @Test
  @DisplayName("A74 What belongs to an interface that is not known is not handed out")
  void interfaces() {
    CidrStates states = states(Edges.BOTH, "10.0.0.0/30");
    RangeAllocator ranges = of(states).with(states, Optional.of(Map.of()));
    assertThat(ranges.freeCount()).isZero();
    assertThat(ranges.takeNext()).isEqualTo(-1);
    assertThat(ranges.withheld(0, "a")).isNotNull();
    assertThat(ranges.with(states, Optional.empty()).freeCount()).isEqualTo(4);
  }

  @Test
  @DisplayName("Of many blocks four are named, and how many more there are")
  void origin() {
    String[] blocks = {"10.0.0.0/30", "10.0.1.0/30", "10.0.2.0/30", "10.0.3.0/30", "10.0.4.0/30"};
    assertThat(of(states(Edges.BOTH, blocks)).origin())
        .isEqualTo("10.0.0.0/30, 10.0.1.0/30, 10.0.2.0/30, 10.0.3.0/30 and 1 more");
  }
}
