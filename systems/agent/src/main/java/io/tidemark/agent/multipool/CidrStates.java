package io.tidemark.agent.multipool;

import io.tidemark.agent.multipool.CidrEntry.Phase;
import io.tidemark.ip.Cidr;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The agent's states of the blocks of one pool and family (allocators 5.1): each that is offered is
 * taken up, dropped or rejected, and what is taken up is drawn from or in quarantine. Immutable and
 * pure; monotonic nanoseconds.
 */
final class CidrStates {
  /** Nothing was offered yet. */
  static final CidrStates EMPTY = new CidrStates(List.of(), Set.of(), Map.of(), Map.of(), false);

  private final List<CidrEntry> entries;
  private final Set<Cidr> dropped;
  private final Map<Cidr, Rejection> rejected;

  /** Of an earlier process, until the first offer. */
  private final Map<Cidr, Recalled> recalled;

  /** Whether all that was ever dropped is known, so that anything else on offer is new. */
  private final boolean knowsDropped;

  record Recalled(RememberedCidr.State state, long nanos) {}

  interface Use {
    /** Addresses that are in use or cool. */
    int held(Cidr cidr);

    /** Addresses that are free; 0 of a block that was not taken up before. */
    int free(Cidr cidr);
  }

  /**
   * The needs of the pool.
   *
   * @param wanted addresses to have, in use or free
   * @param used addresses in use or cooling
   * @param excluded addresses that nobody may have
   * @param mayDrop whether blocks are given back now
   */
  record Need(int wanted, int used, int excluded, boolean mayDrop) {
    /** Free addresses to keep. */
    private int spare() {
      return Math.max(0, wanted - used);
    }
  }

  CidrStates(
      List<CidrEntry> entries,
      Set<Cidr> dropped,
      Map<Cidr, Rejection> rejected,
      Map<Cidr, Recalled> recalled,
      boolean knowsDropped) {
    this.entries = List.copyOf(entries);
    this.dropped = Collections.unmodifiableSet(new LinkedHashSet<>(dropped));
    this.rejected = Collections.unmodifiableMap(new LinkedHashMap<>(rejected));
    this.recalled = Map.copyOf(recalled);
    this.knowsDropped = knowsDropped;
  }

  /** States that goes on from what an earlier process stored about the pool. */
  static CidrStates recalling(Map<Cidr, Recalled> recalled) {
    return new CidrStates(List.of(), Set.of(), Map.of(), recalled, true);
  }

  /**
   * The blocks that are taken up: the blocks on offer in the operator's order, then those
   * withdrawn.
   */
  List<CidrEntry> entries() {
    return entries;
  }

  /** Blocks on offer that were given back. */
  Set<Cidr> dropped() {
    return dropped;
  }

  /** Blocks on offer that cannot be taken up. */
  Map<Cidr, Rejection> rejected() {
    return rejected;
  }

  /** When the next quarantine ends; empty when there is none. */
  OptionalLong nextEndNanos() {
    return entries.stream()
        .filter(each -> each.phase() == Phase.QUARANTINED && !each.withdrawn())
        .mapToLong(CidrEntry::nanos)
        .reduce((a, b) -> a - b < 0 ? a : b);
  }

  /** The blocks after a version of the object was seen, and as the pool is used now. */
  CidrStates observe(OfferedCidrs offer, Use use, Need need, QuarantineRule rule, long now) {
    Taking taking = new Taking(offer, use, rule, now);
    List<CidrEntry> next = taking.entries();
    Set<Cidr> left = taking.dropped;
    next = reclaimed(next, taking, need);
    next = need.mayDrop() ? withoutSurplus(next, left, use, need) : next;
    boolean same =
        knowsDropped
            && recalled.isEmpty()
            && next.equals(entries)
            && left.equals(dropped)
            && taking.rejected.equals(rejected);
    return same ? this : new CidrStates(next, left, taking.rejected, Map.of(), true);
  }

  /** Takes up what is offered and new, and sees what became of the others. */
  private final class Taking {
    private final OfferedCidrs offer;
    private final Use use;
    private final QuarantineRule rule;
    private final long now;
    private final Set<Cidr> offered;
    private final Set<Cidr> dropped;
    private final Map<Cidr, Rejection> rejected = new LinkedHashMap<>();
    private final DisjointBlocks blocks = new DisjointBlocks();

    Taking(OfferedCidrs offer, Use use, QuarantineRule rule, long now) {
      this.offer = offer;
      this.use = use;
      this.rule = rule;
      this.now = now;
      this.offered = new HashSet<>(offer.cidrs());
      this.dropped = new LinkedHashSet<>(CidrStates.this.dropped);
      recalled.forEach(
          (cidr, was) -> {
            if (was.state() == RememberedCidr.State.DROPPED) {
              dropped.add(cidr);
            }
          });
      dropped.retainAll(offered);
    }

    List<CidrEntry> entries() {
      Map<Cidr, CidrEntry> known = new LinkedHashMap<>();
      for (CidrEntry each : entries) {
        if (offered.contains(each.cidr()) || use.held(each.cidr()) > 0) {
          known.put(each.cidr(), each);
          blocks.add(each.cidr(), each.capacity());
        }
      }
      List<CidrEntry> next = new ArrayList<>();
      for (Cidr cidr : offer.cidrs()) {
        CidrEntry entry = known.remove(cidr);
        if (entry == null) {
          take(cidr, next);
        } else {
          boolean unused = use.held(cidr) == 0;
          next.add(confirmed((unused ? entry.with(offer.edges()) : entry).withdrawn(false)));
        }
      }
      known.values().forEach(each -> next.add(withdrawn(each)));
      return next;
    }

    /** Should it be offered again after it was not listed, that may be our own word. */
    private CidrEntry withdrawn(CidrEntry entry) {
      boolean unlisted =
          entry.phase() != Phase.ADOPTED_AGAIN && !offer.listed().contains(entry.cidr());
      return (unlisted ? entry.in(Phase.ADOPTED_AGAIN, now) : entry).withdrawn(true);
    }

    private void take(Cidr cidr, List<CidrEntry> next) {
      if (dropped.contains(cidr) && use.held(cidr) == 0) {
        return;
      }
      CidrEntry entry = adopted(cidr);
      Rejection rejection = blocks.add(cidr, entry.capacity());
      if (rejection == null) {
        next.add(confirmed(entry));
      } else {
        rejected.put(cidr, rejection);
      }
    }

    private CidrEntry adopted(Cidr cidr) {
      if (dropped.remove(cidr)) { // pods have addresses of it: it was offered again since
        return new CidrEntry(cidr, offer.edges(), Phase.ADOPTED_AGAIN, now, false);
      }
      Recalled was = recalled.get(cidr);
      boolean releasing = offer.releasing().contains(cidr);
      if (was != null && !releasing && was.state() != RememberedCidr.State.ADOPTED) {
        return new CidrEntry(
            cidr, offer.edges(), Phase.valueOf(was.state().name()), was.nanos(), false);
      }
      long since = was == null ? now : was.nanos();
      return new CidrEntry(cidr, offer.edges(), adopting(cidr, was != null), since, false);
    }

    private Phase adopting(Cidr cidr, boolean known) {
      if (offer.releasing().contains(cidr)) {
        return Phase.ADOPTED_AGAIN;
      }
      if (!offer.mayBeDropped()) {
        return Phase.FIRST;
      }
      return known || knowsDropped ? Phase.ADOPTED : Phase.ADOPTED_AGAIN;
    }

    /** Takes up what was dropped; null when another block has some of its addresses by now. */
    private @Nullable CidrEntry again(Cidr cidr) {
      CidrEntry entry = new CidrEntry(cidr, offer.edges(), Phase.ADOPTED_AGAIN, now, false);
      if (blocks.add(cidr, entry.capacity()) != null) {
        return null;
      }
      dropped.remove(cidr);
      return confirmed(entry);
    }

    private CidrEntry confirmed(CidrEntry entry) {
      switch (entry.phase()) {
        case FIRST, ADOPTED, ADOPTED_AGAIN -> {
          if (!offer.listed().contains(entry.cidr())) {
            return entry;
          }
          boolean prompt =
              entry.phase() == Phase.FIRST
                  || (entry.phase() == Phase.ADOPTED
                      && now - entry.nanos() <= rule.promptWithin().toNanos());
          return prompt
              ? entry.in(Phase.DRAWN, 0)
              : entry.in(Phase.QUARANTINED, now + rule.pause().toNanos());
        }
        case QUARANTINED -> {
          return now - entry.nanos() >= 0 ? entry.in(Phase.DRAWN, 0) : entry;
        }
        default -> {
          return entry;
        }
      }
    }
  }

  /** Takes up what was dropped, as far as all else is too little. */
  private static List<CidrEntry> reclaimed(List<CidrEntry> entries, Taking taking, Need need) {
    long lacking = (long) need.wanted() + need.excluded();
    for (CidrEntry each : entries) {
      lacking -= each.withdrawn() ? taking.use.held(each.cidr()) : each.capacity();
    }
    if (lacking <= 0 || taking.dropped.isEmpty()) {
      return entries;
    }
    Map<Cidr, CidrEntry> all = new LinkedHashMap<>();
    entries.forEach(each -> all.put(each.cidr(), each));
    List<CidrEntry> next = new ArrayList<>();
    for (Cidr cidr : taking.offer.cidrs()) {
      CidrEntry entry = all.remove(cidr);
      if (entry == null && lacking > 0 && taking.dropped.contains(cidr)) {
        entry = taking.again(cidr);
        lacking -= entry == null ? 0 : entry.capacity();
      }
      if (entry != null) {
        next.add(entry);
      }
    }
    next.addAll(all.values());
    return next;
  }

  /** Drops what is not used, from the last on, as long as enough stays free without it. */
  private static List<CidrEntry> withoutSurplus(
      List<CidrEntry> entries, Set<Cidr> dropped, Use use, Need need) {
    long free = 0;
    for (CidrEntry each : entries) {
      free += each.isDrawn() ? use.free(each.cidr()) : 0;
    }
    List<CidrEntry> kept = new ArrayList<>(entries);
    for (int i = entries.size() - 1; i >= 0; i--) {
      CidrEntry each = entries.get(i);
      long own = each.isDrawn() ? use.free(each.cidr()) : 0;
      if (!each.withdrawn()
          && each.isConfirmed()
          && use.held(each.cidr()) == 0
          && free - own >= need.spare()) {
        free -= own;
        dropped.add(each.cidr());
        kept.remove(i);
      }
    }
    return kept;
  }

  @Override
  public String toString() {
    return entries + ", dropped " + dropped + ", rejected " + rejected;
  }
}
