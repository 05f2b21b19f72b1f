package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.LedgerModel.Node;
import io.tidemark.nodecidr.ledger.LedgerModel.Range;
import io.tidemark.nodecidr.ledger.Reservation.State;
import io.tidemark.nodecidr.ledger.Settlement.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Random steps on a ledger beside its model; after each step both must know the same. */
final class RandomLedgerSteps {
  private static final long COOLDOWN = 60;

  /** Kinds of steps, as often as they weigh. */
  enum Kind {
    CLAIM(6),
    RESERVE(12),
    ACCEPTED(8),
    GONE(2),
    OCCUPIED(2),
    REFUSED(2),
    ASKED_TO_WAIT(2),
    UNKNOWN(4),
    STALE(2),
    ABSENT(6),
    PRESENT(1),
    LATE_READ(2),
    TIME(4),
    DUE(6),
    WITHHOLD(1);

    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  record Step(Kind kind, long seed) {}

  private final LedgerModel model;
  private final CidrLedger ledger;
  private final List<NodeOwner> owners =
      IntStream.range(0, 14).mapToObj(i -> new NodeOwner("node-" + i % 10, "uid-" + i)).toList();
  private final List<Reservation> ended = new ArrayList<>();
  private final List<String> done = new ArrayList<>();
  private long now = 1_000;
  private long withheldUntil;
  private int assigned;

  RandomLedgerSteps(long seed) {
    ClusterCidrs cidrs = layout(new Random(seed));
    model = new LedgerModel(cidrs);
    ledger = new CidrLedger(cidrs, Duration.ofNanos(COOLDOWN));
    done.add(cidrs.toString());
  }

  /** How many nodes got CIDRs. */
  int assigned() {
    return assigned;
  }

  @Override
  public String toString() {
    return String.join("\n", done);
  }

  /** Small ranges of one family or both, one or several, and one of 2^26 blocks. */
  private static ClusterCidrs layout(Random random) {
    String ipv4 = "10.0.0.0/26," + (28 + random.nextInt(4));
    String ipv4Pool = "10.0.0.0/28,10.9.0.0/29,10.8.0.0/30,30";
    String ipv6 = "2001:db8::/61," + (64 + random.nextInt(3));
    String sparse = "2001:db8::/38,64";
    String families =
        switch (random.nextInt(6)) {
          case 0 -> ipv4;
          case 1 -> ipv6;
          case 2 -> ipv4 + " " + ipv6;
          case 3 -> ipv6 + " " + ipv4Pool;
          case 4 -> sparse;
          default -> ipv4Pool + " " + sparse;
        };
    StringBuilder text = new StringBuilder(families);
    if (families.contains(sparse)) {
      Cidr range = Cidr.parse("2001:db8::/38");
      // All but the first and the last eight blocks: aligned parts from the middle outwards.
      for (int length = 40; length <= 61; length++) {
        text.append(" -").append(range.subnet(length, 1)).append(" -");
        text.append(range.subnet(length, range.subnetCountSaturated(length) - 2));
      }
    }
    return TestCidrs.of(text + (random.nextBoolean() ? " -10.0.0.16/30 -2001:db8:0:2::/65" : ""));
  }

  void step(Step step) {
    Random random = new Random(step.seed() * 0x9E3779B97F4A7C15L);
    NodeOwner owner = owners.get(random.nextInt(owners.size()));
    done.add(now + " " + step.kind() + " " + owner.uid());
    switch (step.kind()) {
      case CLAIM -> claim(owner, cidrs(random));
      case RESERVE -> reserve(owner);
      case STALE -> stale(random);
      case ABSENT -> absent(owner);
      case PRESENT -> present(owner);
      case LATE_READ -> lateRead(owner);
      case TIME -> now += random.nextInt((int) COOLDOWN);
      case DUE -> due(random);
      case WITHHOLD -> {
        withheldUntil = now + random.nextInt(40);
        ledger.rounds().withholdUntil(withheldUntil, Map.of());
      }
      default -> settle(step.kind(), random);
    }
    model.tidy();
    compare();
  }

  /** All nodes are gone, and nothing cools any more: every block is given out, each once. */
  void end() {
    for (NodeOwner owner : owners) {
      ledger.reservation(owner).ifPresent(it -> ledger.settle(it, PodCidrsOutcome.GONE, now));
      ledger.absent(owner, now);
    }
    now = Math.max(now + COOLDOWN, withheldUntil);
    ledger.due(now);
    owners.forEach(ledger::confirmAbsent);
    model.nodes.clear();
    long nodes = model.servable();
    List<Cidr> given = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      List<Cidr> blocks = blocks(ledger.reserve(TestCidrs.named("new-" + i), now));
      assertThat(blocks).as("NC-I1 %d of %d nodes get blocks", i, nodes).isNotEmpty();
      given.addAll(blocks);
    }
    List<Cidr> all = model.ranges.stream().flatMap(range -> range.blocks.stream()).toList();
    assertThat(given).as("NC-I4 each once").doesNotHaveDuplicates().isSubsetOf(all);
    assertThat(ledger.reserve(TestCidrs.named("last"), now))
        .as("NC-I1 all are given out")
        .isInstanceOf(ReserveOutcome.Exhausted.class);
  }

  // ---- what a node shows

  private List<Cidr> cidrs(Random random) {
    return Stream.generate(() -> cidr(random)).limit(1 + random.nextInt(2)).distinct().toList();
  }

  /** A block, a part of one, several of them, the CIDR of another node, or none of ours. */
  private Cidr cidr(Random random) {
    Range range = model.ranges.get(random.nextInt(model.ranges.size()));
    Cidr block = range.blocks.get(random.nextInt(range.blocks.size()));
    int bits = block.family().bits();
    List<Exclusion> exclusions = model.cidrs.exclusions();
    return switch (random.nextInt(7)) {
      case 4, 5 ->
          exclusions.isEmpty() ? block : exclusions.get(random.nextInt(exclusions.size())).cidr();
      case 0 -> Cidr.containing(block.last(), Math.min(bits, block.prefixLength() + 1));
      case 1 -> Cidr.containing(block.first(), block.prefixLength() - 1);
      case 2 -> Cidr.containing(block.first(), block.prefixLength() - random.nextInt(3));
      case 3 -> random.nextInt(4) == 0 ? Cidr.parse("192.0.2.0/24") : block;
      default -> block;
    };
  }

  private void claim(NodeOwner owner, List<Cidr> cidrs) {
    done.add("  " + cidrs);
    Node node = model.node(owner);
    List<NodeProblem> findings = ledger.claim(owner, cidrs);
    for (Cidr each : cidrs) {
      if (!node.claims.contains(each)) {
        assertThat(findings.stream().anyMatch(it -> it.value().equals(each.toString())))
            .as("NC-B7 a finding about %s in %s", each, findings)
            .isEqualTo(isForeign(each) || isContested(owner, each));
        node.claims.add(each);
      }
    }
    node.reserved = List.of();
    node.uncertain = false;
    node.absent = false;
    node.due = false;
    model.waiting.remove(owner.uid());
  }

  private boolean isForeign(Cidr cidr) {
    return model.ranges.stream().noneMatch(range -> range.range.overlaps(cidr));
  }

  private boolean isContested(NodeOwner owner, Cidr cidr) {
    return model.cidrs.exclusions().stream().anyMatch(each -> each.cidr().overlaps(cidr))
        || model.nodes.entrySet().stream()
            .filter(each -> !each.getKey().equals(owner.uid()))
            .map(each -> each.getValue())
            .flatMap(
                node ->
                    Stream.concat(
                        node.absent ? Stream.of() : node.claims.stream(), node.reserved.stream()))
            .anyMatch(cidr::overlaps);
  }

  // ---- reservations

  private void reserve(NodeOwner owner) {
    ReserveOutcome outcome = ledger.reserve(owner, now);
    done.add("  " + outcome);
    Node node = model.nodes.get(owner.uid());
    if (node != null && !node.reserved.isEmpty()) {
      node.absent = false;
      assertThat(blocks(outcome)).as("NC-B1 the open reservation").isEqualTo(node.reserved);
    } else if (node != null && !node.claims.isEmpty()) {
      node.absent = false;
      node.due = false;
      assertThat(outcome)
          .as("NC-B26 own memory")
          .isEqualTo(new ReserveOutcome.Assigned(node.claims));
    } else if (withheldUntil > now) {
      wait(owner);
      assertThat(outcome)
          .as("NC-AM18 nothing is given out")
          .isEqualTo(new ReserveOutcome.Withheld(List.of()));
    } else if (model.cidrs.families().stream().anyMatch(it -> model.free(it.family()).isEmpty())) {
      wait(owner);
      assertThat(outcome)
          .as("NC-B3 all families or none")
          .isInstanceOfAny(ReserveOutcome.Exhausted.class, ReserveOutcome.Withheld.class);
    } else {
      List<Cidr> expected =
          model.cidrs.families().stream().map(it -> model.next(it.family())).toList();
      assertThat(blocks(outcome)).as("NC-I4 the next free blocks").isEqualTo(expected);
      assertThat(ledger.reservation(owner).map(Reservation::state)).contains(State.HELD);
      model.node(owner).reserved = expected;
      model.waiting.remove(owner.uid());
    }
  }

  /** Those of a reservation; none of another outcome. */
  private static List<Cidr> blocks(ReserveOutcome outcome) {
    return outcome instanceof ReserveOutcome.Reserved it ? it.reservation().blocks() : List.of();
  }

  private void wait(NodeOwner owner) {
    if (!model.waiting.contains(owner.uid())) {
      model.waiting.add(owner.uid());
    }
  }

  private void settle(Kind kind, Random random) {
    List<Reservation> open =
        owners.stream().flatMap(owner -> ledger.reservation(owner).stream()).toList();
    if (open.isEmpty()) {
      return;
    }
    Reservation reservation = open.get(random.nextInt(open.size()));
    List<Cidr> theirs = cidrs(random);
    Settlement settlement = settle(kind, reservation, theirs);
    done.add("  " + kind + " " + theirs + " " + settlement);
    Node node = model.node(reservation.owner());
    State state = settlement.reservation().state();
    boolean uncertain = node.uncertain;
    State expected =
        switch (kind) {
          case ACCEPTED -> State.CLAIMED;
          case GONE -> uncertain ? State.COOLING : State.FREED;
          case OCCUPIED -> State.FREED;
          case REFUSED -> uncertain ? State.UNCERTAIN : State.FREED;
          case ASKED_TO_WAIT -> uncertain ? State.UNCERTAIN : State.HELD;
          default -> State.UNCERTAIN;
        };
    assertThat(state).as("NC-AM20 NC-B2 %s, uncertain %s", kind, uncertain).isEqualTo(expected);
    switch (kind) {
      case ACCEPTED -> {
        claimed(node);
        assigned++;
      }
      case GONE -> {
        node.absent |= uncertain;
        if (uncertain) {
          claimed(node);
        } else {
          ends(node);
        }
      }
      case OCCUPIED -> {
        ends(node);
        theirs.stream().filter(it -> !node.claims.contains(it)).forEach(node.claims::add);
        node.since = now;
      }
      case REFUSED -> {
        assertThat(settlement.next()).as("NC-AM20 refused").isEqualTo(Next.PARK);
        if (!uncertain) {
          ends(node);
        }
      }
      case ASKED_TO_WAIT -> {}
      default -> {
        node.uncertain = true;
        assertThat(settlement.next()).isEqualTo(Next.REPEAT);
      }
    }
    if (!settlement.reservation().isOpen()) {
      ended.add(settlement.reservation());
    }
  }

  private void claimed(Node node) {
    node.claims.clear();
    node.claims.addAll(node.reserved);
    node.since = now;
    ends(node);
  }

  private static void ends(Node node) {
    node.reserved = List.of();
    node.uncertain = false;
  }

  private Settlement settle(Kind kind, Reservation reservation, List<Cidr> theirs) {
    if (kind == Kind.OCCUPIED) {
      ledger.occupied(reservation, theirs.stream().map(Cidr::toString).toList(), now);
      return new Settlement(
          ledger.reservation(reservation.owner()).orElseGet(() -> reservation.in(State.FREED)),
          Next.DONE);
    }
    return ledger.settle(reservation, PodCidrsOutcome.valueOf(kind.name()), now);
  }

  /** A result that comes when its node has the next reservation already. */
  private void stale(Random random) {
    List<Reservation> late =
        ended.stream().filter(each -> ledger.reservation(each.owner()).isPresent()).toList();
    if (!late.isEmpty()) {
      Reservation reservation = late.get(random.nextInt(late.size()));
      Kind kind = Kind.values()[2 + random.nextInt(6)];
      Settlement settlement = settle(kind, reservation, cidrs(random));
      assertThat(settlement.next()).as("NC-B1 a late result").isEqualTo(Next.DONE);
    }
  }

  // ---- absence

  private void absent(NodeOwner owner) {
    ledger.absent(owner, now);
    model.waiting.remove(owner.uid());
    Node node = model.nodes.get(owner.uid());
    if (node != null && !node.absent) {
      node.absent = true;
      node.since = now;
    }
  }

  private void present(NodeOwner owner) {
    ledger.confirmPresent(owner);
    Node node = model.nodes.get(owner.uid());
    if (node != null) {
      node.absent = false;
      node.due = false;
    }
  }

  /** The answer of an earlier read, which found no such node. */
  private void lateRead(NodeOwner owner) {
    ledger.confirmAbsent(owner);
    Node node = model.nodes.get(owner.uid());
    if (node != null && node.absent && node.due && node.reserved.isEmpty()) {
      node.claims.clear();
    }
  }

  private void due(Random random) {
    List<NodeOwner> due = ledger.due(now);
    List<String> expected =
        model.nodes.entrySet().stream()
            .filter(each -> isDue(each.getValue()))
            .sorted(Comparator.comparing(each -> each.getValue().since))
            .map(each -> each.getKey())
            .toList();
    assertThat(due)
        .extracting(NodeOwner::uid)
        .as("NC-AM17 what has cooled for %d", COOLDOWN)
        .containsExactlyInAnyOrderElementsOf(expected);
    for (NodeOwner each : due) {
      Node node = model.node(each);
      node.due = true;
      switch (random.nextInt(3)) {
        case 0 -> present(each);
        case 1 -> {
          ledger.confirmAbsent(each);
          node.claims.clear();
        }
        default -> {} // the read failed: the blocks stay taken
      }
    }
  }

  private boolean isDue(Node node) {
    return node.absent && !node.due && !node.claims.isEmpty() && now - node.since >= COOLDOWN;
  }

  // ---- both sides

  private void compare() {
    List<RangeUsage> usage = ledger.usage();
    for (int i = 0; i < usage.size(); i++) {
      Range range = model.ranges.get(i);
      assertThat(usage.get(i))
          .as("NC-I1 NC-I2 use of %s", range.range)
          .isEqualTo(model.usage(range, usage.get(i)));
    }
    for (NodeOwner owner : owners) {
      Node node = model.nodes.get(owner.uid());
      assertThat(ledger.claims(owner))
          .as("NC-I5 claims of %s", owner.uid())
          .isEqualTo(node == null ? List.of() : node.claims);
      assertThat(ledger.reservation(owner).map(Reservation::blocks).orElse(List.of()))
          .as("NC-I7 reservation of %s", owner.uid())
          .isEqualTo(node == null ? List.of() : node.reserved);
    }
    assertThat(ledger.servable(now))
        .extracting(NodeOwner::uid)
        .as("NC-AM22 who can be served")
        .isEqualTo(
            model.waiting.stream().limit(withheldUntil > now ? 0 : model.servable()).toList());
  }
}
