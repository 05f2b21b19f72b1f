package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.ledger.CidrLedger.CooledNode;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.ledger.Reservation.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The ledger of node CIDRs")
class CidrLedgerTest {
  private static final Duration COOLDOWN = Duration.ofSeconds(60);
  private static final long SECOND = 1_000_000_000L;
  private static final NodeOwner A = new NodeOwner("a", "uid-a");
  private static final NodeOwner B = new NodeOwner("b", "uid-b");
  private static final NodeOwner C = new NodeOwner("c", "uid-c");

  private static final PodCidrsOutcome ACCEPTED = PodCidrsOutcome.ACCEPTED;
  private static final PodCidrsOutcome GONE = PodCidrsOutcome.GONE;
  private static final PodCidrsOutcome REFUSED = PodCidrsOutcome.REFUSED;
  private static final PodCidrsOutcome UNKNOWN = PodCidrsOutcome.UNKNOWN;

  private static CidrLedger ledger(String cidrs) {
    return new CidrLedger(TestCidrs.of(cidrs), COOLDOWN);
  }

  /** A node was absent at a time, and a minute later a read confirms it. */
  private static void gone(CidrLedger ledger, NodeOwner node) {
    ledger.absent(node, 0);
    ledger.due(60 * SECOND);
    ledger.confirmAbsent(node);
  }

  private static List<Cidr> cidrs(String... texts) {
    return Stream.of(texts).map(Cidr::parse).toList();
  }

  private static Reservation reserved(CidrLedger ledger, NodeOwner node, long now) {
    ReserveOutcome outcome = ledger.reserve(node, now);
    assertThat(outcome).isInstanceOf(ReserveOutcome.Reserved.class);
    return ((ReserveOutcome.Reserved) outcome).reservation();
  }

  private static List<Cidr> assign(CidrLedger ledger, NodeOwner node) {
    Reservation reservation = reserved(ledger, node, 0);
    assertThat(ledger.settle(reservation, ACCEPTED, 0).reservation().state())
        .isEqualTo(State.CLAIMED);
    return reservation.blocks();
  }

  @Test
  @DisplayName("NC-B27 A node that a list lacked and that lives keeps its block")
  void presentAfterAll() {
    CidrLedger ledger = ledger("10.0.0.0/24,24");
    List<Cidr> blocks = assign(ledger, A);
    ledger.absent(A, 0);
    assertThat(ledger.due(60 * SECOND)).containsExactly(A);
    ledger.confirmPresent(A);
    ledger.confirmAbsent(A);
    assertThat(ledger.claims(A)).as("a late confirmation").isEqualTo(blocks);
    assertThat(ledger.reserve(B, 61 * SECOND)).isInstanceOf(ReserveOutcome.Exhausted.class);

    ledger.absent(A, 65 * SECOND);
    ledger.confirmAbsent(A);
    assertThat(ledger.claims(A)).as("a late answer while it cools anew").isEqualTo(blocks);
    ledger.claim(A, blocks);
    ledger.absent(A, 70 * SECOND);
    ledger.claim(A, blocks);
    assertThat(ledger.due(200 * SECOND)).isEmpty();
  }

  @Test
  @DisplayName("NC-B7 NC-P7 Two owners of a block are reported, and it is free after the last one")
  void twoOwners() {
    CidrLedger ledger = ledger("10.0.0.0/23,24");
    assertThat(ledger.claim(A, cidrs("10.0.0.0/24"))).isEmpty();
    assertThat(ledger.claim(B, cidrs("10.0.0.0/24")))
        .extracting(NodeProblem::message)
        .containsExactly(
            "TM-1403 CIDR_CONFLICT: 10.0.0.0/24 is a CIDR of node a. Delete one of the nodes and"
                + " register it again; the CIDRs of a node cannot be changed.");
    assertThat(ledger.claim(B, cidrs("10.0.0.0/24"))).as("once").isEmpty();
    gone(ledger, A);
    assertThat(assign(ledger, C)).isEqualTo(cidrs("10.0.1.0/24"));
    assertThat(ledger.usage().get(0).free()).isZero();
  }

  @Test
  @DisplayName("NC-B8 The end of a claim on excluded addresses leaves them excluded")
  void excluded() {
    CidrLedger ledger = ledger("10.0.0.0/23,24 -10.0.0.64/26");
    assertThat(ledger.claim(A, cidrs("10.0.0.0/24")))
        .extracting(NodeProblem::detail)
        .containsExactly("10.0.0.0/24 overlaps 10.0.0.64/26, a CIDR that services excludes");
    gone(ledger, A);
    assertThat(assign(ledger, B)).isEqualTo(cidrs("10.0.1.0/24"));
    assertThat(ledger.reserve(C, 0)).isInstanceOf(ReserveOutcome.Exhausted.class);
    assertThat(ledger.usage().get(0).excluded()).isEqualTo(1);
  }

  @Test
  @DisplayName("NC-B12 A CIDR outside the ranges is reported and claimed, and harms nobody")
  void foreign() {
    CidrLedger ledger = ledger("10.0.0.0/23,24");
    assertThat(ledger.claim(A, cidrs("172.10.0.0/24")))
        .extracting(NodeProblem::message)
        .containsExactly(
            "TM-1404 CIDR_FOREIGN: 172.10.0.0/24 is in no configured range. Configure the range that"
                + " the CIDR is in, or delete the node and register it again.");
    assertThat(ledger.claims(A)).isEqualTo(cidrs("172.10.0.0/24"));
    assertThat(ledger.usage().get(0).free()).isEqualTo(2);
    gone(ledger, A);
    assertThat(ledger.claims(A)).isEmpty();
  }

  @Test
  @DisplayName("NC-B2 A reservation that may have reached its node is not withdrawn")
  void withdrawn() {
    CidrLedger ledger = ledger("10.0.0.0/23,24");
    Reservation held = reserved(ledger, A, 0);
    ledger.withdraw(A);
    assertThat(ledger.reservation(A)).isEmpty();
    Reservation open = reserved(ledger, A, 0);
    assertThat(open.number()).isNotEqualTo(held.number());
    ledger.settle(open, UNKNOWN, 0);
    ledger.withdraw(A);
    assertThat(ledger.reservation(A).map(Reservation::blocks)).contains(open.blocks());
    assertThat(ledger.usage().get(0).free()).isEqualTo(1);
  }

  @Test
  @DisplayName("NC-B23 Who is to get a block and who has it by now are rivals of each other")
  void rivals() {
    CidrLedger ledger = ledger("10.0.0.0/23,24");
    List<Cidr> blocks = reserved(ledger, A, 0).blocks();
    ledger.claim(B, blocks);
    assertThat(ledger.rivals(A)).containsExactly(B);
    assertThat(ledger.rivals(B)).containsExactly(A);
    assertThat(ledger.rivals(C)).isEmpty();
  }

  @Test
  @DisplayName("NC-AM18 Exclusions at the end of a range do not count as blocks given out")
  void excludedEnd() {
    Cidr range = Cidr.parse("10.0.0.0/16");
    CidrLedger ledger = ledger("10.0.0.0/16,24 -10.0.255.0/24");
    ledger.rounds().publishFirst();
    assertThat(ledger.rounds().due()).contains(Map.of(range, 16L));
    ledger.claim(A, cidrs("10.0.100.0/24"));
    assertThat(ledger.rounds().due()).as("those of nodes do").contains(Map.of(range, 117L));
  }

  @Test
  @DisplayName("NC-AM18 What was gone under a former leader cools on, unless it is here by now")
  void cooledBefore() {
    CidrLedger ledger = ledger("10.0.0.0/22,24");
    List<Cidr> blocks = assign(ledger, A);
    Duration left = Duration.ofSeconds(40);
    ledger.cool(new CooledNode(A, blocks, left), 0);
    ledger.cool(new CooledNode(B, cidrs("10.0.3.0/24"), left), 0);
    assertThat(ledger.usage().get(0).claimed()).isEqualTo(1);
    assertThat(ledger.due(39 * SECOND)).isEmpty();
    assertThat(ledger.due(40 * SECOND)).containsExactly(B);
    ledger.cool(new CooledNode(C, cidrs("10.0.2.0/24"), Duration.ofHours(1)), 40 * SECOND);
    assertThat(ledger.due(100 * SECOND)).as("no longer than a cooldown").containsExactly(C);
  }

  // ---- CiliumNodes, whose CIDRs can change

  private static CidrLedger ofCiliumNodes() {
    return new CidrLedger(
        TestCidrs.of("10.0.0.0/22,24 fd00::/64,64", Target.CILIUM_NODE), COOLDOWN);
  }

  @Test
  @DisplayName("NC-AM22 A CiliumNode that waits for another family keeps its place when it is seen")
  void keepsItsPlace() {
    CidrLedger ledger = ofCiliumNodes();
    List<Cidr> blocks = assign(ledger, A);
    ledger.claim(B, cidrs("10.0.2.0/24"));
    assertThat(ledger.reserve(B, 0)).isInstanceOf(ReserveOutcome.Exhausted.class);
    assertThat(ledger.reserve(C, 0)).isInstanceOf(ReserveOutcome.Exhausted.class);
    ledger.claim(B, cidrs("10.0.2.0/24"));
    gone(ledger, A);
    assertThat(ledger.servable(60 * SECOND)).containsExactly(B);
    assertThat(reserved(ledger, B, 60 * SECOND).blocks()).isEqualTo(blocks.subList(1, 2));
  }

  @Test
  @DisplayName("NC-AM22 A CiliumNode that waits for one family does not hold up those of the other")
  void familiesApart() {
    CidrLedger ledger = ofCiliumNodes();
    assign(ledger, A);
    ledger.claim(B, cidrs("10.0.1.0/24"));
    NodeOwner full = TestCidrs.named("full");
    ledger.claim(full, cidrs("10.0.2.0/23"));
    ledger.claim(C, cidrs("fd01::/64"));
    for (NodeOwner each : List.of(B, C)) {
      assertThat(ledger.reserve(each, 0)).isInstanceOf(ReserveOutcome.Exhausted.class);
    }
    gone(ledger, full);
    assertThat(ledger.servable(60 * SECOND)).containsExactly(C);
  }

  @ParameterizedTest(name = "NC-AM17 {0}")
  @DisplayName("A cooldown that ends while a write is under way begins again with its result")
  @CsvSource({"refused", "gone"})
  void coolsAgain(String result) {
    CidrLedger ledger = ofCiliumNodes();
    ledger.claim(A, cidrs("10.0.0.0/24"));
    Reservation open = reserved(ledger, A, 0);
    ledger.absent(A, 0);
    assertThat(ledger.due(60 * SECOND)).containsExactly(A);
    ledger.confirmAbsent(A);
    assertThat(ledger.claims(A)).as("while its write is under way").hasSize(1);
    ledger.settle(open, result.equals("gone") ? GONE : REFUSED, 70 * SECOND);
    assertThat(ledger.due(129 * SECOND)).isEmpty();
    assertThat(ledger.due(130 * SECOND)).containsExactly(A);
    ledger.confirmAbsent(A);
    assertThat(ledger.usage().get(0).free()).isEqualTo(4);
  }

  @Test
  @DisplayName("NC-AM17 A result that leaves a node without more does not lengthen its cooldown")
  void coolsOn() {
    CidrLedger ledger = ofCiliumNodes();
    ledger.claim(A, cidrs("10.0.0.0/24"));
    Reservation open = reserved(ledger, A, 0);
    ledger.absent(A, 0);
    ledger.settle(open, REFUSED, 10 * SECOND);
    assertThat(ledger.due(60 * SECOND)).containsExactly(A);
    assertThat(ledger.due(100 * SECOND)).isEmpty();
  }

  @Test
  @DisplayName("NC-AM17 What an absent node has got at last cools as long as the other CIDRs")
  void coolsTogether() {
    CidrLedger ledger = ofCiliumNodes();
    ledger.claim(A, cidrs("10.0.0.0/24"));
    Reservation open = reserved(ledger, A, 0);
    ledger.absent(A, 0);
    ledger.settle(open, ACCEPTED, 50 * SECOND);
    assertThat(ledger.due(109 * SECOND)).isEmpty();
    assertThat(ledger.due(500 * SECOND)).as("once").containsExactly(A);
    ledger.confirmAbsent(A);
    assertThat(ledger.usage()).allMatch(each -> each.free() == each.blocks());
  }

  @Test
  @DisplayName("NC-AM20 A node that is there keeps what it has when a write for more is refused")
  void refusedMore() {
    CidrLedger ledger = ofCiliumNodes();
    ledger.claim(A, cidrs("10.0.0.0/24"));
    ledger.settle(reserved(ledger, A, 0), REFUSED, 0);
    assertThat(ledger.usage().get(0).claimed()).isEqualTo(1);
    assertThat(ledger.cooling(0)).isEmpty();
    assertThat(ledger.due(100 * SECOND)).isEmpty();
  }

  @Test
  @DisplayName("NC-B26 That a node has lost its CIDRs does not count once it is gone")
  void lostAndGone() {
    CidrLedger ledger = ledger("10.0.0.0/22,24");
    List<Cidr> blocks = assign(ledger, A);
    ledger.absent(A, 0);
    ledger.lost(A);
    ledger.confirmPresent(A);
    assertThat(ledger.isIncomplete(A)).isFalse();
    assertThat(ledger.reserve(A, 1)).isEqualTo(new ReserveOutcome.Assigned(blocks));
  }
}
