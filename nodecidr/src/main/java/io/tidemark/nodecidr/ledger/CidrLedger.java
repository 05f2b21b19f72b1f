package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.Frontier.Giving;
import io.tidemark.nodecidr.ledger.Reservation.State;
import io.tidemark.nodecidr.ledger.Settlement.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ObjLongConsumer;

/**
 * Which node has which blocks of pod addresses, and which blocks are free.
 *
 * <p>A node without CIDRs gets a {@link Reservation} of one block per family, or nothing. The
 * reservation is open until the result of its write is known, and meanwhile nobody else gets its
 * blocks. A claim belongs to a node by its uid and ends only after the node was absent for the
 * cooldown and a read by name has confirmed it. Several nodes may claim the same addresses; these
 * are free when the last of the claims has ended.
 *
 * <p>Each method decides at once, under one lock that is never held across a call; times are those
 * of {@link io.tidemark.time.TimeSource#nanos()}. The caller does all work for one uid in order.
 * Any thread may call.
 */
public final class CidrLedger {
  private final ClusterCidrs cidrs;
  private final CidrLayers layers;
  private final Map<String, NodeAccount> accounts = new HashMap<>();
  private final CoolingNodes cooling;

  /** Nodes that got nothing, by uid, the one that waits longest first. */
  private final Map<String, NodeOwner> waiting = new LinkedHashMap<>();

  private final LedgerRounds rounds;

  private long lastNumber;

  /**
   * A ledger in which nothing is claimed.
   *
   * @param cooldown how long a node must be absent before its blocks may go to another
   */
  public CidrLedger(ClusterCidrs cidrs, Duration cooldown) {
    this(cidrs, cooldown, (range, passedOver) -> {});
  }

  /**
   * The same, observed.
   *
   * @param searched receives the range of each block that is reserved, and how many taken blocks
   *     the search for it passed over; must not block
   */
  public CidrLedger(ClusterCidrs cidrs, Duration cooldown, ObjLongConsumer<Cidr> searched) {
    this.cidrs = cidrs;
    this.layers = new CidrLayers(cidrs, searched);
    this.rounds = new LedgerRounds(this, layers);
    this.cooling = new CoolingNodes(cooldown.toNanos(), layers);
  }

  /** The ranges. */
  public ClusterCidrs cidrs() {
    return cidrs;
  }

  /** How far blocks were given out, for leaders before and after this one. */
  public LedgerRounds rounds() {
    return rounds;
  }

  /** Gives out nothing before a time: a former leader's requests may still have an effect. */
  public void withholdUntil(long nanos) {
    rounds.withholdUntil(nanos, Map.of());
  }

  /**
   * A node has these CIDRs. Its claims only grow: what it had before stays its own. An open
   * reservation of a Node ends, since its CIDRs never change; that of a CiliumNode ends when it
   * shows a CIDR of each family that is being written.
   *
   * @param has none: a CiliumNode that is known has lost its own
   * @return what is wrong with those that it did not claim before
   */
  public synchronized List<CidrFinding> claim(NodeOwner owner, List<Cidr> has) {
    boolean known = cidrs.areOfCiliumNodes() && accounts.containsKey(owner.uid());
    if (has.isEmpty() && !known) {
      return List.of();
    }
    NodeAccount account = account(owner);
    present(account);
    List<CidrFinding> findings = new ArrayList<>();
    List<Cidr> claims = new ArrayList<>(account.claims);
    for (Cidr each : has) {
      if (!claims.contains(each)) {
        findings.addAll(CidrFinding.about(owner, each, cidrs, layers, this::name));
        layers.add(Layer.CLAIMED, each, owner.uid());
        claims.add(each);
      }
    }
    account.claims = List.copyOf(claims);
    account.show(has);
    if (!cidrs.areOfCiliumNodes() || account.showsWhatIsWritten()) {
      account.endReservation(layers);
    }
    if (!isIncomplete(account)) {
      waiting.remove(owner.uid());
    }
    return List.copyOf(findings);
  }

  /**
   * Whether a CiliumNode has CIDRs, but not of each family, or does not show them any more. {@link
   * #reserve} reserves what is to be added.
   */
  public synchronized boolean isIncomplete(NodeOwner owner) {
    NodeAccount account = accounts.get(owner.uid());
    return account != null && isIncomplete(account);
  }

  private boolean isIncomplete(NodeAccount account) {
    return cidrs.areOfCiliumNodes()
        && !account.claims.isEmpty()
        && !(account.missing(cidrs).isEmpty() && account.lost().isEmpty());
  }

  /**
   * Reserves one block of each family for a node that shows no CIDRs, or none of any. For a
   * CiliumNode these are the blocks that its name had last, while they cool; one that has CIDRs
   * gets blocks of the other families, and its own back.
   */
  public synchronized ReserveOutcome reserve(NodeOwner owner, long now) {
    NodeAccount known = accounts.get(owner.uid());
    if (known != null && known.reservation != null) {
      present(known);
      return new ReserveOutcome.Reserved(known.reservation);
    }
    if (known != null && !known.claims.isEmpty() && !isIncomplete(known)) {
      present(known);
      return new ReserveOutcome.Assigned(known.claims);
    }
    List<Cidr> back = known == null ? List.of() : known.lost();
    List<FamilyRanges> missing = known == null ? cidrs.families() : known.missing(cidrs);
    if (known == null || known.claims.isEmpty()) {
      List<Cidr> former = formerBlocks(owner);
      missing = former.isEmpty() ? missing : List.of();
      back = former.isEmpty() ? back : former;
    }
    Optional<ReserveOutcome> shortage = shortage(missing, now);
    if (shortage.isPresent()) {
      waiting.putIfAbsent(owner.uid(), owner);
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
    back.forEach(block -> layers.add(Layer.RESERVED, block, owner.uid()));
    blocks.addAll(back);
    Reservation reservation = new Reservation(++lastNumber, owner, blocks, State.HELD);
    account(owner).reservation = reservation;
    return new ReserveOutcome.Reserved(reservation);
  }

  /** Why no blocks of these families are given out now; empty when they are. */
  private Optional<ReserveOutcome> shortage(List<FamilyRanges> families, long now) {
    OptionalLong until = rounds.withheldUntil(now);
    Optional<ReserveOutcome> full = Optional.empty();
    boolean unpublished = false;
    for (FamilyRanges family : families) {
      Giving giving = layers.giving(family.family());
      if (giving == Giving.WITHHELD) {
        return Optional.of(new ReserveOutcome.Withheld(until.orElse(now), List.of()));
      }
      unpublished |= giving == Giving.UNPUBLISHED;
      if (giving == Giving.FULL && full.isEmpty()) {
        full = Optional.of(lacking(family.family(), now));
      }
    }
    return full.isEmpty() && unpublished ? Optional.of(new ReserveOutcome.Unpublished()) : full;
  }

  /**
   * The blocks of the last CiliumNode of that name, which cool: one of each family, of which nobody
   * else has an address. They cool on under the new ones, should these be given back.
   */
  private List<Cidr> formerBlocks(NodeOwner owner) {
    NodeAccount former = cooling.named(owner.name());
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
                      || !holders.stream().allMatch(uid -> name(uid).equals(owner.name())));
    }
    return shared[0] ? List.of() : blocks;
  }

  /**
   * The result of a write of a reservation's blocks. A reservation that has ended is not changed by
   * a late result.
   */
  public synchronized Settlement settle(
      Reservation reservation, PodCidrsOutcome outcome, long now) {
    NodeAccount account = accounts.get(reservation.owner().uid());
    if (account == null
        || account.reservation == null
        || account.reservation.number() != reservation.number()) {
      return new Settlement(reservation.in(State.FREED), Next.DONE, List.of());
    }
    Reservation open = account.reservation;
    if (outcome instanceof PodCidrsOutcome.Accepted) {
      account.claimReserved(open, layers);
      if (account.absent) {
        cool(account, now);
      }
      return new Settlement(open.in(State.CLAIMED), Next.DONE, List.of());
    }
    if (outcome instanceof PodCidrsOutcome.Gone) {
      return gone(account, open, now);
    }
    if (outcome instanceof PodCidrsOutcome.Occupied other) {
      NodePodCidrs theirs = NodePodCidrs.read(cidrs, "", other.podCidrs());
      List<CidrFinding> findings = new ArrayList<>(theirs.findings());
      boolean absent = account.absent;
      free(account);
      findings.addAll(claim(open.owner(), theirs.cidrs()));
      if (absent) {
        absent(open.owner(), now);
      }
      return new Settlement(open.in(State.FREED), Next.DONE, findings);
    }
    if (outcome instanceof PodCidrsOutcome.Refused && open.state() == State.HELD) {
      free(account);
      coolAgain(account, now);
      return new Settlement(open.in(State.FREED), Next.PARK, List.of());
    }
    if (outcome instanceof PodCidrsOutcome.Unknown) {
      account.reservation = open.in(State.UNCERTAIN);
    }
    return new Settlement(
        account.reservation,
        outcome instanceof PodCidrsOutcome.Refused ? Next.PARK : Next.REPEAT,
        List.of());
  }

  /**
   * A node is not there: it was deleted, or a list of all nodes lacks it. Its claims cool from now
   * on; an open reservation waits for the result of its write.
   */
  public synchronized void absent(NodeOwner owner, long now) {
    waiting.remove(owner.uid());
    NodeAccount account = accounts.get(owner.uid());
    if (account == null || account.absent) {
      return;
    }
    account.absent = true;
    cool(account, now);
  }

  /**
   * The nodes whose claims have cooled long enough, each once: read each of them by name now, then
   * call {@link #confirmAbsent} or {@link #confirmPresent}. Until then their blocks stay taken.
   */
  public synchronized List<NodeOwner> due(long now) {
    return cooling.due(now);
  }

  /** The nodes that are gone and whose CIDRs cool, in no order. */
  public synchronized List<CooledNode> cooling(long now) {
    return accounts.values().stream()
        .filter(account -> account.absent && !account.claims.isEmpty())
        .map(account -> new CooledNode(account.owner, account.claims, cooling.left(account, now)))
        .toList();
  }

  /** A node was gone already under a former leader: its CIDRs cool on. */
  public synchronized void cool(CooledNode node, long now) {
    if (!accounts.containsKey(node.owner().uid())) {
      List<CidrFinding> unusedConflicts = claim(node.owner(), node.cidrs());
      absent(node.owner(), cooling.began(node.left(), now));
    }
  }

  /** When {@link #due} has something to say; empty when nothing cools. */
  public synchronized OptionalLong nextDueNanos() {
    return cooling.nextDueNanos();
  }

  /**
   * The read by name found no node, or another uid: what cools of this one is free. A late answer,
   * about a node that was seen again meanwhile or cools anew, changes nothing.
   */
  public synchronized void confirmAbsent(NodeOwner owner) {
    NodeAccount account = accounts.get(owner.uid());
    if (account != null && account.absent && !account.queued && account.reservation == null) {
      account.claims.forEach(each -> layers.remove(Layer.COOLING, each, owner.uid()));
      accounts.remove(owner.uid());
      cooling.forget(account);
    }
  }

  /** The node is there after all, with the same uid: its claims are as before. */
  public synchronized void confirmPresent(NodeOwner owner) {
    NodeAccount account = accounts.get(owner.uid());
    if (account != null) {
      present(account);
    }
  }

  /**
   * The node shall get no blocks after all: it does not wait any more, and a reservation whose
   * blocks cannot have reached it is free. Not while a request with these blocks is in flight.
   */
  public synchronized void withdraw(NodeOwner owner) {
    waiting.remove(owner.uid());
    NodeAccount account = accounts.get(owner.uid());
    Reservation open = account == null ? null : account.reservation;
    if (account != null && open != null && open.state() == State.HELD) {
      free(account);
    }
  }

  /** What is wrong now with the CIDRs that a node claims. */
  public synchronized List<CidrFinding> findings(NodeOwner owner) {
    List<CidrFinding> findings = new ArrayList<>();
    for (Cidr each : claims(owner)) {
      findings.addAll(CidrFinding.about(owner, each, cidrs, layers, this::name));
    }
    NodeAccount account = accounts.get(owner.uid());
    if (account != null && cidrs.areOfCiliumNodes()) {
      findings.addAll(account.changes());
    }
    return findings;
  }

  /** The other nodes that have, or are to get, addresses that this one claims or is to get. */
  public synchronized List<NodeOwner> rivals(NodeOwner owner) {
    NodeAccount account = accounts.get(owner.uid());
    Set<NodeOwner> rivals = new LinkedHashSet<>();
    if (account != null) {
      Reservation open = account.reservation;
      List<Cidr> has = open == null ? account.claims : open.blocks();
      for (Cidr each : has) {
        layers.forEachOverlapping(
            each,
            (layer, cidr, holders) -> {
              if (layer == Layer.CLAIMED || layer == Layer.RESERVED) {
                holders.stream()
                    .filter(uid -> !uid.equals(owner.uid()))
                    .forEach(uid -> rivals.add(account(uid).owner));
              }
            });
      }
    }
    return List.copyOf(rivals);
  }

  /** The nodes that wait and can be served now, the one that waits longest first. */
  public synchronized List<NodeOwner> servable(long now) {
    List<NodeOwner> servable = new ArrayList<>();
    Map<IpFamily, Long> left = new EnumMap<>(IpFamily.class);
    OptionalLong unusedEnd = rounds.withheldUntil(now);
    cidrs.families().forEach(each -> left.put(each.family(), layers.givable(each.family())));
    for (NodeOwner owner : waiting.values()) {
      NodeAccount known = accounts.get(owner.uid());
      List<FamilyRanges> missing = known == null ? cidrs.families() : known.missing(cidrs);
      if (missing.stream().allMatch(each -> left.getOrDefault(each.family(), 0L) > 0)) {
        servable.add(owner);
        missing.forEach(each -> left.merge(each.family(), -1L, Long::sum));
      } else if (!cidrs.areOfCiliumNodes()) {
        break; // the others lack the same families
      }
    }
    return servable;
  }

  /** How many nodes wait for blocks. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /** The CIDRs that a node claims; none when it is not known. */
  public synchronized List<Cidr> claims(NodeOwner owner) {
    NodeAccount account = accounts.get(owner.uid());
    return account == null ? List.of() : account.claims;
  }

  /** The open reservation of a node. */
  public synchronized Optional<Reservation> reservation(NodeOwner owner) {
    return Optional.ofNullable(accounts.get(owner.uid())).map(account -> account.reservation);
  }

  /** The use of each range, in the order of the families. */
  public synchronized List<RangeUsage> usage() {
    return layers.usage();
  }

  /** How often blocks of each range changed, in the order of the families. */
  public synchronized List<RangeChanges> changes() {
    return layers.changes();
  }

  private NodeAccount account(NodeOwner owner) {
    return accounts.computeIfAbsent(owner.uid(), uid -> new NodeAccount(owner));
  }

  private NodeAccount account(String uid) {
    return Objects.requireNonNull(accounts.get(uid), uid);
  }

  private ReserveOutcome lacking(IpFamily family, long now) {
    List<RangeUsage> usage =
        layers.usage().stream().filter(each -> each.range().family() == family).toList();
    boolean cools = usage.stream().anyMatch(each -> each.cooling() > 0);
    return cools
        ? new ReserveOutcome.Withheld(cooling.nextDueNanos().orElse(now), usage)
        : new ReserveOutcome.Exhausted(usage);
  }

  private Settlement gone(NodeAccount account, Reservation open, long now) {
    if (open.state() == State.HELD) {
      free(account);
      coolAgain(account, now);
      return new Settlement(open.in(State.FREED), Next.DONE, List.of());
    }
    // An earlier request may have reached the node before it went: its blocks cool like those of a
    // node that had them.
    account.claimReserved(open, layers);
    account.absent = true;
    cool(account, now);
    return new Settlement(open.in(State.COOLING), Next.DONE, List.of());
  }

  private void free(NodeAccount account) {
    account.endReservation(layers);
    if (account.claims.isEmpty()) {
      accounts.remove(account.owner.uid());
    }
  }

  /** An absent node's reservation has ended: its cooldown may have ended meanwhile. */
  private void coolAgain(NodeAccount account, long now) {
    if (account.absent && !account.claims.isEmpty() && !account.queued) {
      cool(account, now);
    }
  }

  private void cool(NodeAccount account, long now) {
    if (account.claims.isEmpty()) {
      if (account.reservation == null) {
        accounts.remove(account.owner.uid());
      }
      return;
    }
    if (account.queued) {
      cooling.takeBack(account);
    }
    cooling.add(account, now);
  }

  private void present(NodeAccount account) {
    if (!account.absent) {
      return;
    }
    account.absent = false;
    cooling.takeBack(account);
  }

  private String name(String uid) {
    NodeAccount account = accounts.get(uid);
    return account == null ? uid : account.owner.name();
  }
}
