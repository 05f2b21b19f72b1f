package io.tidemark.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.CidrAllocator.Result;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.PodCidrsOutcome;
import io.tidemark.nodecidr.ledger.Reservation;
import io.tidemark.nodecidr.ledger.Settlement;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The range allocator, by the verbs of the controller manager")
class CidrAllocatorTest {
  private static final NodeOwner NODE = new NodeOwner("node0", "uid-0");

  private static CidrAllocator allocator(String ranges) {
    return CidrAllocator.rangeAllocator(TestCidrs.of(ranges), Duration.ZERO, new VirtualTime(0));
  }

  private static String written(CidrAllocator allocator, NodeOwner node) {
    Result result = allocator.allocateOrOccupyCidr(node, List.of());
    assertThat(result).isInstanceOf(Result.Allocated.class);
    Reservation reservation = ((Result.Allocated) result).reservation();
    Settlement settlement = allocator.settle(reservation, PodCidrsOutcome.ACCEPTED);
    return String.join(
        " ", settlement.reservation().blocks().stream().map(Cidr::toString).toList());
  }

  private static NodeOwner holder(CidrAllocator allocator, String cidr) {
    NodeOwner node = TestCidrs.named("holder of " + cidr);
    assertThat(allocator.allocateOrOccupyCidr(node, List.of(cidr)))
        .isInstanceOf(Result.Occupied.class);
    return node;
  }

  @DisplayName("NC-16 NC-17 NC-18 NC-19 NC-20 NC-21 NC-22 NC-23 takes note of nodes that exist")
  @ParameterizedTest(name = "{1} in {0}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.10.0.0/16,24                        | 10.10.0.1/24           | -
          10.10.0.0/16,24 ace:cab:deca::/8,24    | 10.10.0.1/24 a00::/86  | -
          10.10.0.0/16,24                        | 172.10.0.1/24          | CIDR_FOREIGN
          10.10.0.0/16,24                        | 10.10.0.1/24 a00::/86  | FAMILY_OFF CIDR_FOREIGN
          10.10.0.0/16,24 ace:cab:deca::/8,24    | 172.10.0.1/24 a00::/86 | CIDR_FOREIGN
          10.10.0.0/16,24 ace:cab:deca::/8,24    | 10.10.0.1/24 cdd::/86  | CIDR_FOREIGN
          """)
  void existing(String ranges, String cidrs, String codes) {
    CidrAllocator allocator = allocator(ranges);
    Result result = allocator.allocateOrOccupyCidr(NODE, List.of(cidrs.split(" ")));
    assertThat(result)
        .isInstanceOfSatisfying(
            Result.Occupied.class,
            it ->
                assertThat(it.findings())
                    .extracting(each -> each.code().name())
                    .isEqualTo(codes.equals("-") ? List.of() : List.of(codes.split(" "))));
  }

  @DisplayName("NC-24 NC-25 NC-26 NC-27 NC-28 gives a node the next block of each range")
  @ParameterizedTest(name = "{0}, taken {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          127.123.234.0/24,30                                   | | 127.123.234.0/30
          127.123.234.0/24,30 -127.123.234.0/26                 | | 127.123.234.64/30
          127.123.234.0/24,30 -127.123.234.0/26                 | 127.123.234.64/30 127.123.234.68/30 127.123.234.72/30 127.123.234.80/30 | 127.123.234.76/30
          127.0.0.0/8,24 ace:cab:deca::/84,98                   | | 127.0.0.0/24 ace:cab:deca::/98
          ace:cab:deca::/84,98 127.0.0.0/8,24 -127.123.234.0/26 | | ace:cab:deca::/98 127.0.0.0/24
          """)
  void allocated(String ranges, String taken, String expected) {
    CidrAllocator allocator = allocator(ranges);
    Stream.ofNullable(taken)
        .flatMap(all -> Stream.of(all.split(" ")))
        .forEach(each -> holder(allocator, each));
    assertThat(written(allocator, NODE)).isEqualTo(expected);
  }

  @Test
  @DisplayName("NC-30 counts no block twice")
  void once() {
    CidrAllocator allocator = allocator("10.10.0.0/22,24");
    for (int i = 0; i < 2; i++) {
      holder(allocator, "10.10.0.0/24");
      holder(allocator, "10.10.2.0/24");
    }
    assertThat(written(allocator, NODE)).isEqualTo("10.10.1.0/24");
    assertThat(allocator.usage().get(0).claimed()).isEqualTo(3);
  }

  @Test
  @DisplayName("NC-31 NC-32 tells what is exhausted, and gives out what was released")
  void exhausted() {
    CidrAllocator allocator = allocator("127.123.234.0/28,30");
    List<NodeOwner> holders =
        Stream.of("127.123.234.0/30", "127.123.234.4/30", "127.123.234.8/30", "127.123.234.12/30")
            .map(each -> holder(allocator, each))
            .toList();
    assertThat(allocator.allocateOrOccupyCidr(NODE, List.of()))
        .isEqualTo(
            new Result.Failed(
                "failed to allocate cidr from cluster cidr at idx:0: CIDR allocation failed; there"
                    + " are no remaining CIDRs left to allocate in the accepted range",
                new NodeCidrEvent(
                    NodeCidrError.CIDR_EXHAUSTED,
                    "CIDRNotAvailable",
                    "127.123.234.0/28 has 4 blocks of /30: 4 used, 0 excluded, 0 cooling, 0 free",
                    "Node node0 status is now: CIDRNotAvailable. TM-1401 CIDR_EXHAUSTED:"
                        + " 127.123.234.0/28 has 4 blocks of /30: 4 used, 0 excluded, 0 cooling, 0"
                        + " free. Add a range, or remove nodes that are gone; a new cluster can use"
                        + " smaller blocks.")));
    allocator.releaseCidr(holders.get(1));
    assertThat(written(allocator, NODE)).isEqualTo("127.123.234.4/30");
    assertThat(allocator.usage().get(0).free()).as("nothing is lost").isZero();
  }

  @Test
  @DisplayName("NC-33 gives a released block to the same node again when it is the only one")
  void again() {
    CidrAllocator allocator = allocator("127.123.234.0/28,30");
    Stream.of("127.123.234.4/30", "127.123.234.8/30", "127.123.234.12/30")
        .forEach(each -> holder(allocator, each));
    assertThat(written(allocator, NODE)).isEqualTo("127.123.234.0/30");
    allocator.releaseCidr(NODE);
    assertThat(written(allocator, NODE)).isEqualTo("127.123.234.0/30");
  }

  @Test
  @DisplayName("NC-34 keeps the block of a node that is being deleted, until it is removed")
  void terminating() {
    CidrAllocator allocator = allocator("10.10.0.0/23,24");
    NodeOwner terminating = holder(allocator, "10.10.0.0/24");
    assertThat(written(allocator, NODE)).isEqualTo("10.10.1.0/24");
    allocator.releaseCidr(terminating);
    assertThat(written(allocator, TestCidrs.named("next"))).isEqualTo("10.10.0.0/24");
  }

  @Test
  @DisplayName("NC-AM24 with a cooldown, says that a node waits, and serves it afterwards")
  void cooling() {
    VirtualTime clock = new VirtualTime(0);
    CidrAllocator allocator =
        CidrAllocator.rangeAllocator(TestCidrs.of("10.0.0.0/24,24"), Duration.ofSeconds(60), clock);
    NodeOwner gone = holder(allocator, "10.0.0.0/24");
    allocator.releaseCidr(gone);
    assertThat(allocator.allocateOrOccupyCidr(NODE, List.of()))
        .isInstanceOfSatisfying(
            Result.Failed.class,
            it ->
                assertThat(it.event().text())
                    .isEqualTo(
                        "Node node0 status is now: CIDRNotAvailable. TM-1410 CIDR_WITHHELD:"
                            + " 10.0.0.0/24 has 1 block of /24: 0 used, 0 excluded, 1 cooling, 0"
                            + " free. None; blocks become free when their pause has ended."));
    clock.runUntil(Duration.ofSeconds(60).toNanos());
    assertThat(written(allocator, NODE)).isEqualTo("10.0.0.0/24");
  }
}
