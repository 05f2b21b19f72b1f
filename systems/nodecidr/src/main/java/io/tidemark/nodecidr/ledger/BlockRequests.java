package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.LedgerRange.Giving;
import io.tidemark.nodecidr.ledger.Reservation.State;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who asks for blocks: gives them out, all families or none, and keeps the nodes that wait for
 * some. Mutable; {@link CidrLedger} owns it and has the lock.
 */
final class BlockRequests {
  private final ClusterCidrs cidrs;
  private final CidrLayers layers;
  private final LedgerAccounts accounts;
  private final LedgerRounds rounds;

  /** Nodes that got nothing, by uid, the one that waits longest first. */
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  /** A node that got nothing; {@code given} is what it has of the cloud already. */
  private record Waiting(NodeOwner owner, List<Cidr> given) {}

  private long lastNumber;

  BlockRequests(
      ClusterCidrs cidrs, CidrLayers layers, LedgerAccounts accounts, LedgerRounds rounds) {
    this.cidrs = cidrs;
    this.layers = layers;
    this.accounts = accounts;
    this.rounds = rounds;
  }

  /** Reserves as {@link CidrLedger#reserve} says, with what the cloud gives or gave before. */
  ReserveOutcome reserve(NodeOwner owner, long now) {
    Waiting waits = waiting.get(owner.uid());
    return reserve(owner, waits == null ? List.of() : waits.given(), now);
  }

  ReserveOutcome reserve(NodeOwner owner, List<Cidr> given, long now) {
    NodeAccount known = accounts.find(owner).orElse(null);
    if (known != null && known.reservation != null) {
      accounts.present(known);
      return new ReserveOutcome.Reserved(known.reservation);
    }
    if (known != null && !known.claims.isEmpty() && !accounts.isIncomplete(known)) {
      accounts.present(known);
      return new ReserveOutcome.Assigned(known.claims);
    }
    List<Cidr> back = known == null ? List.of() : ownAgain(known);
    List<FamilyRanges> missing = known == null ? cidrs.families() : lacking(known);
    if (known == null || known.claims.isEmpty()) {
      List<Cidr> former = formerBlocks(owner);
      missing = former.isEmpty() ? missing : List.of();
      back = former.isEmpty() ? back : former;
    }
    missing = missing.stream().filter(family -> isNotGiven(family, given)).toList();
    Optional<ReserveOutcome> shortage = shortage(missing, now);
    if (shortage.isPresent()) {
      queue(owner, given);
      if (back.isEmpty()) {
        return shortage.get();
      }
      missing = List.of();
    } else {
      waiting.remove(owner.uid());
    }
    List<Cidr> blocks = new ArrayList<>();
    for (FamilyRanges family : missing) {
      blocks.add(layers.reserve(family.family(), owner.uid()));
    }
    List<Cidr> named = given.isEmpty() ? back : given;
    named.forEach(block -> layers.add(Layer.RESERVED, block, owner.uid()));
    blocks.addAll(named);
    Reservation reservation =
        new Reservation(
            ++lastNumber,
            owner,
            given.isEmpty() && cidrs.areOfCiliumNodes() ? List.copyOf(blocks) : inOrder(blocks),
            State.HELD);
    accounts.of(owner).reservation = reservation;
    return new ReserveOutcome.Reserved(reservation);
  }

  /** The blocks that a node has lost and nobody else has: it gets these back. */
  private List<Cidr> ownAgain(NodeAccount account) {
    return account.lost().stream()
        .filter(each -> accounts.holders(each, account.owner).isEmpty())
        .toList();
  }

  /** The families of which a node gets a new block: it had none, or others have what it lost. */
  private List<FamilyRanges> lacking(NodeAccount account) {
    List<Cidr> back = ownAgain(account);
    List<Cidr> lost = account.lost();
    List<FamilyRanges> missing = account.missing(cidrs);
    return cidrs.families().stream()
        .filter(
            each -> missing.contains(each) || (isNotGiven(each, back) && !isNotGiven(each, lost)))
        .toList();
  }

  /** Keeps the place of a node that waits already. */
  private void queue(NodeOwner owner, List<Cidr> given) {
    waiting.merge(owner.uid(), new Waiting(owner, List.copyOf(given)), (before, now) -> now);
  }

  private static boolean isNotGiven(FamilyRanges family, List<Cidr> given) {
    return given.stream().noneMatch(each -> each.family() == family.family());
  }

  private List<Cidr> inOrder(List<Cidr> blocks) {
    return cidrs.families().stream()
        .flatMap(family -> blocks.stream().filter(each -> each.family() == family.family()))
        .toList();
  }

  /** Why no blocks of these families are given out now; empty when they are. */
  private Optional<ReserveOutcome> shortage(List<FamilyRanges> families, long now) {
    rounds.isWithheld(now); // ends what is over
    Optional<ReserveOutcome> full = Optional.empty();
    boolean unpublished = false;
    for (FamilyRanges family : families) {
      Giving giving = layers.giving(family.family());
      if (giving == Giving.WITHHELD) {
        return Optional.of(new ReserveOutcome.Withheld(List.of()));
      }
      unpublished |= giving == Giving.UNPUBLISHED;
      if (giving == Giving.FULL && full.isEmpty()) {
        full = Optional.of(lacking(family.family()));
      }
    }
    return full.isEmpty() && unpublished ? Optional.of(new ReserveOutcome.Unpublished()) : full;
  }

  private ReserveOutcome lacking(IpFamily family) {
    List<RangeUsage> usage =
        layers.usage().stream().filter(each -> each.range().family() == family).toList();
    boolean cools = usage.stream().anyMatch(each -> each.cooling() > 0);
    return cools ? new ReserveOutcome.Withheld(usage) : new ReserveOutcome.Exhausted(usage);
  }

  /**
   * The blocks of the last CiliumNode of that name, which cool: one of each family, of which nobody
   * else has an address. They cool on under the new ones, should these be given back.
   */
  private List<Cidr> formerBlocks(NodeOwner owner) {
    NodeAccount former = accounts.cooling(owner.name());
    if (!cidrs.areOfCiliumNodes()
        || former == null
        || former.reservation != null
        || former.owner.equals(owner)) {
      return List.of();
    }
    List<Cidr> blocks = former.wholeBlocks(cidrs).orElse(List.of());
    boolean[] shared = new boolean[1];
    for (Cidr block : blocks) {
      layers.forEachOverlapping(
          block,
          (layer, cidr, holders) ->
              shared[0] |=
                  layer != Layer.COOLING
                      || !holders.stream()
                          .allMatch(uid -> accounts.name(uid).equals(owner.name())));
    }
    return shared[0] ? List.of() : blocks;
  }

  List<NodeOwner> servable(long now) {
    List<NodeOwner> servable = new ArrayList<>();
    Map<IpFamily, Long> left = new EnumMap<>(IpFamily.class);
    rounds.isWithheld(now);
    cidrs.families().forEach(each -> left.put(each.family(), layers.givable(each.family())));
    for (Waiting waits : waiting.values()) {
      NodeOwner owner = waits.owner();
      List<FamilyRanges> missing =
          accounts.find(owner).map(this::lacking).orElse(cidrs.families()).stream()
              .filter(family -> isNotGiven(family, waits.given()))
              .toList();
      if (missing.stream().allMatch(each -> left.getOrDefault(each.family(), 0L) > 0)) {
        servable.add(owner);
        missing.forEach(each -> left.merge(each.family(), -1L, Long::sum));
      } else if (!cidrs.areOfCiliumNodes()) {
        break; // the others lack the same families
      }
    }
    return servable;
  }

  void forget(NodeOwner owner) {
    waiting.remove(owner.uid());
  }
}
