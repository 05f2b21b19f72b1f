package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.ledger.Reservation.State;
import io.tidemark.nodecidr.ledger.Settlement.Next;
import java.time.Duration;
import java.util.ArrayList;
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

  private static final PodCidrsOutcome ACCEPTED = new PodCidrsOutcome.Accepted();
  private static final PodCidrsOutcome GONE = new PodCidrsOutcome.Gone();
  private static final PodCidrsOutcome REFUSED = new PodCidrsOutcome.Refused("403");
  private static final PodCidrsOutcome UNKNOWN = new PodCidrsOutcome.Unknown("timeout");

  private static CidrLedger ledger(String range, int length, Exclusion... exclusions) {
    return new CidrLedger(
        ClusterCidrs.of(Cidr.parse(range), length, List.of(exclusions)), COOLDOWN);
  }

  private static CidrLedger dual(String ipv4, int ipv4Length, String ipv6, int ipv6Length) {
    return new CidrLedger(
        new ClusterCidrs(
            List.of(
                new FamilyRanges(IpFamily.IPV4, ipv4Length, List.of(Cidr.parse(ipv4))),
                new FamilyRanges(IpFamily.IPV6, ipv6Length, List.of(Cidr.parse(ipv6)))),
            List.of()),
        COOLDOWN);
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
  @DisplayName("NC-AM20 An accepted write makes the reserved blocks the node's own")
  void accepted() {
    CidrLedger ledger = dual("10.244.0.0/16", 24, "fd00:10:244::/48", 64);
    for (int i = 0; i < 3; i++) {
      NodeOwner node = NodeOwner.named("node-" + i);
      assertThat(assign(ledger, node))
          .isEqualTo(
              cidrs(
                  "10.244." + i + ".0/24",
                  i == 0 ? "fd00:10:244::/64" : "fd00:10:244:" + i + "::/64"));
      assertThat(ledger.reservation(node)).isEmpty();
    }
    assertThat(ledger.usage().get(0))
        .hasToString(
            "10.244.0.0/16 has 256 blocks of /24: 3 used, 0 excluded, 0 cooling, 253 free");
  }

  @Test
  @DisplayName("NC-B3 When one family ends, no block of the other is taken")
  void allFamiliesOrNone() {
    CidrLedger ledger = dual("10.244.0.0/16", 24, "fd00::/63", 64);
    assign(ledger, A);
    assign(ledger, B);
    for (int i = 0; i < 10; i++) {
      assertThat(ledger.reserve(C, 0))
          .isEqualTo(
              new ReserveOutcome.Exhausted(
                  List.of(new RangeUsage(Cidr.parse("fd00::/63"), 64, 2, 0, 2, 0, 0, 0))));
    }
    assertThat(ledger.usage().get(0).free()).isEqualTo(254);
    ledger.absent(A, 0);
    ledger.absent(B, 0);
    ledger.due(60 * SECOND).forEach(ledger::confirmAbsent);
    assertThat(ledger.servable(60 * SECOND)).containsExactly(C);
  }

  @Test
  @DisplayName("NC-B1 A repeated write has the same blocks, and a late result changes nothing")
  void lateResult() {
    CidrLedger ledger = ledger("10.0.0.0/22", 24);
    Reservation first = reserved(ledger, A, 0);
    assertThat(reserved(ledger, A, 1)).isEqualTo(first);
    assertThat(ledger.settle(first, REFUSED, 2).next()).isEqualTo(Next.PARK);
    Reservation other = reserved(ledger, B, 3);
    Reservation second = reserved(ledger, A, 4);
    assertThat(second.blocks()).doesNotContainAnyElementsOf(other.blocks());

    Settlement late = ledger.settle(first, ACCEPTED, 5);
    assertThat(late.reservation().state()).isEqualTo(State.FREED);
    assertThat(late.next()).isEqualTo(Next.DONE);
    assertThat(ledger.claims(A)).isEmpty();
    assertThat(ledger.reservation(A)).contains(second);
  }

  @Test
  @DisplayName("NC-B2 Nobody gets the block of a write without a result, whatever else is answered")
  void unknownResult() {
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
    Reservation open = reserved(ledger, A, 0);
    Settlement unknown = ledger.settle(open, UNKNOWN, 1);
    assertThat(unknown.next()).isEqualTo(Next.REPEAT);
    assertThat(unknown.reservation().state()).isEqualTo(State.UNCERTAIN);
    assertThat(unknown.reservation().blocks()).isEqualTo(open.blocks());
    Settlement waiting = ledger.settle(open, new PodCidrsOutcome.AskedToWait(), 2);
    assertThat(waiting.reservation().state()).isEqualTo(State.UNCERTAIN);
    Settlement refused = ledger.settle(open, REFUSED, 3);
    assertThat(refused.next()).isEqualTo(Next.PARK);
    assertThat(refused.reservation().isOpen()).isTrue();

    assertThat(assign(ledger, B)).doesNotContainAnyElementsOf(open.blocks());
    assertThat(ledger.reserve(C, 4)).isInstanceOf(ReserveOutcome.Exhausted.class);
    assertThat(ledger.settle(open, ACCEPTED, 5).reservation().state()).isEqualTo(State.CLAIMED);
    assertThat(ledger.claims(A)).isEqualTo(open.blocks());
  }

  @Test
  @DisplayName(
      "NC-B4 A node that is gone gives its block back: at once, or cooled after an unknown")
  void gone() {
    CidrLedger ledger = ledger("10.0.0.0/24", 24);
    Reservation held = reserved(ledger, A, 0);
    assertThat(ledger.settle(held, GONE, 0).reservation().state()).isEqualTo(State.FREED);
    Reservation open = reserved(ledger, B, 0);
    ledger.settle(open, UNKNOWN, 0);
    assertThat(ledger.settle(open, GONE, 10).reservation().state()).isEqualTo(State.COOLING);
    assertThat(ledger.reserve(C, 10))
        .isInstanceOfSatisfying(
            ReserveOutcome.Withheld.class,
            it -> assertThat(it.untilNanos()).isEqualTo(10 + 60 * SECOND));
    assertThat(ledger.due(9 + 60 * SECOND)).isEmpty();
    assertThat(ledger.due(10 + 60 * SECOND)).containsExactly(B);
    ledger.confirmAbsent(B);
    assertThat(ledger.servable(10 + 60 * SECOND)).containsExactly(C);
    assertThat(reserved(ledger, C, 10 + 60 * SECOND).blocks()).isEqualTo(held.blocks());
  }

  @Test
  @DisplayName("NC-AM20 A node that has other CIDRs claims these, and the reserved block is free")
  void occupied() {
    CidrLedger ledger = ledger("10.0.0.0/22", 24);
    Reservation open = reserved(ledger, A, 0);
    ledger.settle(open, UNKNOWN, 0);
    Settlement settlement =
        ledger.settle(open, new PodCidrsOutcome.Occupied(List.of("010.0.3.7/24", "x")), 0);
    assertThat(settlement.reservation().state()).isEqualTo(State.FREED);
    assertThat(settlement.findings())
        .extracting(CidrFinding::code)
        .containsExactly(NodeCidrError.CIDR_UNREADABLE);
    assertThat(ledger.claims(A)).isEqualTo(cidrs("10.0.3.0/24"));
    assertThat(ledger.usage().get(0).free()).isEqualTo(3);
  }

  @Test
  @DisplayName("NC-B26 A node that got CIDRs and is shown without them gets no others")
  void ownMemory() {
    CidrLedger ledger = ledger("10.0.0.0/16", 24);
    List<Cidr> blocks = assign(ledger, A);
    assertThat(ledger.claim(A, List.of())).isEmpty();
    assertThat(ledger.reserve(A, 5)).isEqualTo(new ReserveOutcome.Assigned(blocks));
    assertThat(ledger.usage().get(0).claimed()).isEqualTo(1);
  }

  @Test
  @DisplayName("NC-B5 NC-B6 NC-AM17 Blocks are free after the cooldown and a read that confirms it")
  void release() {
    CidrLedger ledger = ledger("10.0.0.0/24", 24);
    List<Cidr> blocks = assign(ledger, A);
    ledger.absent(A, 10);
    ledger.absent(A, 20 * SECOND);
    assertThat(ledger.nextDueNanos()).hasValue(10 + 60 * SECOND);
    assertThat(ledger.usage().get(0).cooling()).isEqualTo(1);
    assertThat(ledger.reserve(B, 11)).isInstanceOf(ReserveOutcome.Withheld.class);
    assertThat(ledger.due(10 + 60 * SECOND)).containsExactly(A);
    assertThat(ledger.due(10 + 60 * SECOND)).as("each once").isEmpty();
    assertThat(ledger.nextDueNanos()).isEmpty();
    assertThat(ledger.reserve(B, 61 * SECOND))
        .as("not before the read")
        .isInstanceOf(ReserveOutcome.Withheld.class);
    ledger.confirmAbsent(A);
    assertThat(reserved(ledger, B, 61 * SECOND).blocks()).isEqualTo(blocks);
  }

  @Test
  @DisplayName("NC-B27 A node that a list lacked and that lives keeps its block")
  void presentAfterAll() {
    CidrLedger ledger = ledger("10.0.0.0/24", 24);
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
  @DisplayName("NC-AM17 A node created again under the same name is another owner")
  void recreated() {
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
    List<Cidr> before = assign(ledger, A);
    NodeOwner again = new NodeOwner("a", "uid-a2");
    assertThat(assign(ledger, again)).doesNotContainAnyElementsOf(before);
    ledger.absent(A, 0);
    ledger.due(60 * SECOND);
    ledger.confirmAbsent(A);
    assertThat(ledger.claims(again)).hasSize(1);
    assertThat(ledger.usage().get(0).free()).isEqualTo(1);
  }

  @Test
  @DisplayName("NC-B7 NC-P7 Two owners of a block are reported, and it is free after the last one")
  void twoOwners() {
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
    assertThat(ledger.claim(A, cidrs("10.0.0.0/24"))).isEmpty();
    assertThat(ledger.claim(B, cidrs("10.0.0.0/24")))
        .extracting(CidrFinding::message)
        .containsExactly(
            "TM-1403 CIDR_CONFLICT: 10.0.0.0/24 is a CIDR of node a. Delete one of the nodes and"
                + " register it again; the CIDRs of a node cannot be changed.");
    assertThat(ledger.claim(B, cidrs("10.0.0.0/24"))).as("once").isEmpty();
    ledger.absent(A, 0);
    ledger.due(60 * SECOND);
    ledger.confirmAbsent(A);
    assertThat(assign(ledger, C)).isEqualTo(cidrs("10.0.1.0/24"));
    assertThat(ledger.usage().get(0).free()).isZero();
  }

  @Test
  @DisplayName("NC-B8 The end of a claim on excluded addresses leaves them excluded")
  void excluded() {
    CidrLedger ledger =
        ledger("10.0.0.0/23", 24, new Exclusion(Cidr.parse("10.0.0.64/26"), "exclude-cidrs"));
    assertThat(ledger.claim(A, cidrs("10.0.0.0/24")))
        .extracting(CidrFinding::detail)
        .containsExactly("10.0.0.0/24 overlaps 10.0.0.64/26, a CIDR that exclude-cidrs excludes");
    ledger.absent(A, 0);
    ledger.due(60 * SECOND);
    ledger.confirmAbsent(A);
    assertThat(assign(ledger, B)).isEqualTo(cidrs("10.0.1.0/24"));
    assertThat(ledger.reserve(C, 0)).isInstanceOf(ReserveOutcome.Exhausted.class);
    assertThat(ledger.usage().get(0).excluded()).isEqualTo(1);
  }

  @DisplayName("NC-B9 NC-B29 Of blocks of mixed lengths, none is free while another touches it")
  @ParameterizedTest(name = "{0} goes while {1} stays")
  @CsvSource({
    "10.0.0.32/27, 10.0.0.64/27, 10.0.1.0/24",
    "10.0.0.0/23, 10.0.0.64/27, 10.0.1.0/24",
    "10.0.0.64/27, 10.0.0.0/23, none",
    "10.0.0.0/24, 10.0.0.0/24, 10.0.1.0/24",
    "10.0.0.0/24, 10.0.1.0/24, 10.0.0.0/24",
    "0.0.0.0/0, 10.0.0.128/25, 10.0.1.0/24",
  })
  void mixedLengths(String goes, String stays, String next) {
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
    ledger.claim(A, cidrs(goes));
    ledger.claim(B, cidrs(stays));
    ledger.absent(A, 0);
    ledger.due(60 * SECOND);
    ledger.confirmAbsent(A);
    ReserveOutcome outcome = ledger.reserve(C, 60 * SECOND);
    if (next.equals("none")) {
      assertThat(outcome).isInstanceOf(ReserveOutcome.Exhausted.class);
    } else {
      assertThat(((ReserveOutcome.Reserved) outcome).reservation().blocks()).isEqualTo(cidrs(next));
    }
  }

  @Test
  @DisplayName("NC-B10 The same claims again, as a watch shows them, count once")
  void claimedAgain() {
    CidrLedger ledger = ledger("10.10.0.0/22", 24);
    for (int i = 0; i < 3; i++) {
      ledger.claim(A, cidrs("10.10.0.0/24"));
      ledger.claim(B, cidrs("10.10.2.0/24"));
    }
    assertThat(ledger.usage().get(0).claimed()).isEqualTo(2);
    assertThat(assign(ledger, C)).isEqualTo(cidrs("10.10.1.0/24"));
  }

  @Test
  @DisplayName("NC-B12 A CIDR outside the ranges is reported and claimed, and harms nobody")
  void foreign() {
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
    assertThat(ledger.claim(A, cidrs("172.10.0.0/24")))
        .extracting(CidrFinding::message)
        .containsExactly(
            "TM-1404 CIDR_FOREIGN: 172.10.0.0/24 is in no configured range. Configure the range that"
                + " the CIDR is in, or delete the node and register it again.");
    assertThat(ledger.claims(A)).isEqualTo(cidrs("172.10.0.0/24"));
    assertThat(ledger.usage().get(0).free()).isEqualTo(2);
    ledger.absent(A, 0);
    ledger.due(60 * SECOND);
    ledger.confirmAbsent(A);
    assertThat(ledger.claims(A)).isEmpty();
  }

  @Test
  @DisplayName("NC-AM18 After a take-over nothing is given out before its time, and claims go on")
  void withheld() {
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
    ledger.rounds().withholdUntil(75, Map.of());
    ledger.claim(A, cidrs("10.0.0.0/24"));
    assertThat(ledger.reserve(B, 74)).isEqualTo(new ReserveOutcome.Withheld(75, List.of()));
    assertThat(ledger.servable(74)).isEmpty();
    assertThat(ledger.servable(75)).containsExactly(B);
    assertThat(reserved(ledger, B, 75).blocks()).isEqualTo(cidrs("10.0.1.0/24"));
    assertThat(ledger.servable(75)).isEmpty();
  }

  @Test
  @DisplayName("NC-AM22 A free block can serve as many nodes as it is blocks, the oldest first")
  void servable() {
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
    assign(ledger, A);
    assign(ledger, B);
    List<NodeOwner> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(NodeOwner.named("w" + i));
      ledger.reserve(waiting.get(i), 0);
    }
    ledger.reserve(waiting.get(0), 1);
    assertThat(ledger.servable(1)).isEmpty();
    ledger.absent(waiting.get(1), 1);
    ledger.absent(A, 1);
    ledger.absent(B, 1);
    ledger.due(1 + 60 * SECOND).forEach(ledger::confirmAbsent);
    assertThat(ledger.servable(61 * SECOND)).containsExactly(waiting.get(0), waiting.get(2));
  }

  @Test
  @DisplayName("NC-P2 Of several ranges the first that is not full is used, next-fit inside")
  void severalRanges() {
    CidrLedger ledger =
        new CidrLedger(
            new ClusterCidrs(
                List.of(
                    new FamilyRanges(
                        IpFamily.IPV4, 24, cidrs("10.0.0.0/23", "10.9.0.0/24", "10.4.0.0/24"))),
                List.of()),
            Duration.ZERO);
    List<Cidr> given = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      given.addAll(assign(ledger, NodeOwner.named("n" + i)));
    }
    assertThat(given).isEqualTo(cidrs("10.0.0.0/24", "10.0.1.0/24", "10.9.0.0/24", "10.4.0.0/24"));
    ledger.absent(NodeOwner.named("n0"), 0);
    ledger.due(0).forEach(ledger::confirmAbsent);
    assertThat(assign(ledger, C)).isEqualTo(cidrs("10.0.0.0/24"));
  }

  @Test
  @DisplayName("A node that is deleted while its write is under way cools when it was accepted")
  void deletedMeanwhile() {
    CidrLedger ledger = ledger("10.0.0.0/24", 24);
    Reservation open = reserved(ledger, A, 0);
    ledger.absent(A, 1);
    assertThat(ledger.cooling(1)).isEmpty();
    assertThat(ledger.due(100 * SECOND)).isEmpty();
    assertThat(ledger.settle(open, ACCEPTED, 100 * SECOND).reservation().state())
        .isEqualTo(State.CLAIMED);
    assertThat(ledger.due(159 * SECOND)).isEmpty();
    assertThat(ledger.due(160 * SECOND)).containsExactly(A);
  }

  @Test
  @DisplayName(
      "A node that is deleted while it gets CIDRs of others keeps these until it has cooled")
  void deletedAndOccupied() {
    CidrLedger ledger = ledger("10.0.0.0/22", 24);
    Reservation open = reserved(ledger, A, 0);
    ledger.absent(A, 0);
    ledger.settle(open, new PodCidrsOutcome.Occupied(List.of("10.0.3.0/24")), 100 * SECOND);
    assertThat(ledger.claims(A)).isEqualTo(cidrs("10.0.3.0/24"));
    assertThat(ledger.due(160 * SECOND)).containsExactly(A);
    ledger.confirmAbsent(A);
    assertThat(ledger.usage().get(0).free()).isEqualTo(4);
  }

  @ParameterizedTest(name = "its write is under way: {0}")
  @CsvSource({"true", "false"})
  @DisplayName("NC-B27 Nothing cools of a node that was missed and asks for CIDRs again")
  void asksAgain(boolean writing) {
    CidrLedger ledger = ledger("10.0.0.0/22", 24);
    Reservation open = reserved(ledger, A, 0);
    if (!writing) {
      ledger.settle(open, ACCEPTED, 0);
    }
    ledger.absent(A, 0);
    ledger.reserve(A, SECOND);
    ledger.settle(open, ACCEPTED, 2 * SECOND);
    assertThat(ledger.usage().get(0).claimed()).isEqualTo(1);
    assertThat(ledger.due(500 * SECOND)).isEmpty();
  }

  @Test
  @DisplayName("NC-B2 A reservation that may have reached its node is not withdrawn")
  void withdrawn() {
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
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
    CidrLedger ledger = ledger("10.0.0.0/23", 24);
    List<Cidr> blocks = reserved(ledger, A, 0).blocks();
    ledger.claim(B, blocks);
    assertThat(ledger.rivals(A)).containsExactly(B);
    assertThat(ledger.rivals(B)).containsExactly(A);
    assertThat(ledger.rivals(C)).isEmpty();
  }

  @Test
  @DisplayName(
      "NC-AM18 Exclusions at the end of a range do not count as blocks that were given out")
  void excludedEnd() {
    Cidr range = Cidr.parse("10.0.0.0/16");
    CidrLedger ledger =
        ledger("10.0.0.0/16", 24, new Exclusion(Cidr.parse("10.0.255.0/24"), "exclude-cidrs"));
    ledger.rounds().publishFirst();
    assertThat(ledger.rounds().due()).contains(Map.of(range, 16L));
    ledger.claim(A, cidrs("10.0.100.0/24"));
    assertThat(ledger.rounds().due()).as("those of nodes do").contains(Map.of(range, 117L));
  }

  @Test
  @DisplayName("NC-AM18 What was gone under a former leader cools on, unless it is here by now")
  void cooledBefore() {
    CidrLedger ledger = ledger("10.0.0.0/22", 24);
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
        new ClusterCidrs(
            List.of(
                new FamilyRanges(IpFamily.IPV4, 24, cidrs("10.0.0.0/22")),
                new FamilyRanges(IpFamily.IPV6, 64, cidrs("fd00::/64"))),
            List.of(),
            Target.CILIUM_NODE),
        COOLDOWN);
  }

  @Test
  @DisplayName("NC-P8 A CiliumNode that shows none of its CIDRs any more gets them again")
  void emptied() {
    CidrLedger ledger = ofCiliumNodes();
    List<Cidr> blocks = assign(ledger, A);
    assertThat(ledger.isIncomplete(A)).isFalse();
    ledger.claim(A, List.of());
    assertThat(ledger.isIncomplete(A)).isTrue();
    assertThat(reserved(ledger, A, 1).blocks()).isEqualTo(blocks);
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
    ledger.absent(A, 0);
    ledger.due(60 * SECOND).forEach(ledger::confirmAbsent);
    assertThat(ledger.servable(60 * SECOND)).containsExactly(B);
    assertThat(reserved(ledger, B, 60 * SECOND).blocks()).isEqualTo(blocks.subList(1, 2));
  }

  @Test
  @DisplayName("NC-AM22 A CiliumNode that waits for one family does not hold up those of the other")
  void familiesApart() {
    CidrLedger ledger = ofCiliumNodes();
    assign(ledger, A);
    ledger.claim(B, cidrs("10.0.1.0/24"));
    NodeOwner full = NodeOwner.named("full");
    ledger.claim(full, cidrs("10.0.2.0/23"));
    ledger.claim(C, cidrs("fd01::/64"));
    for (NodeOwner each : List.of(B, C)) {
      assertThat(ledger.reserve(each, 0)).isInstanceOf(ReserveOutcome.Exhausted.class);
    }
    ledger.absent(full, 0);
    ledger.due(60 * SECOND).forEach(ledger::confirmAbsent);
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
    CidrLedger ledger = ledger("10.0.0.0/22", 24);
    List<Cidr> blocks = assign(ledger, A);
    ledger.absent(A, 0);
    ledger.lost(A);
    ledger.confirmPresent(A);
    assertThat(ledger.isIncomplete(A)).isFalse();
    assertThat(ledger.reserve(A, 1)).isEqualTo(new ReserveOutcome.Assigned(blocks));
  }
}
