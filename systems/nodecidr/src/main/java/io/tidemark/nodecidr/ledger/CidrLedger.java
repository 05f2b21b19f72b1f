package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.Reservation.State;
import io.tidemark.nodecidr.ledger.Settlement.Next;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

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
  private final LedgerAccounts accounts;
  private final LedgerRounds rounds;
  private final BlockRequests requests;

  /**
   * A node that is gone and whose CIDRs are given to nobody yet.
   *
   * @param left how long the cooldown lasts still; zero or less when it has ended and the absence
   *     is being confirmed
   */
  public record CooledNode(NodeOwner owner, List<Cidr> cidrs, Duration left) {}

  /** Nothing is claimed; a node must be absent for the cooldown before its blocks go to another. */
  public CidrLedger(ClusterCidrs cidrs, Duration cooldown) {
    this(cidrs, cooldown, (range, passedOver) -> {});
  }

  /**
   * The same; {@code searched} receives the range of each block that is reserved, and how many
   * taken blocks the search for it passed over. It must not block.
   */
  public CidrLedger(ClusterCidrs cidrs, Duration cooldown, ObjLongConsumer<Cidr> searched) {
    this.cidrs = cidrs;
    this.layers = new CidrLayers(cidrs, searched);
    this.rounds = new LedgerRounds(this, layers);
    this.accounts = new LedgerAccounts(cidrs, layers, cooldown.toNanos());
    this.requests = new BlockRequests(cidrs, layers, accounts, rounds);
  }

  public ClusterCidrs cidrs() {
    return cidrs;
  }

  /** How far blocks were given out, for leaders before and after this one. */
  public LedgerRounds rounds() {
    return rounds;
  }

  /**
   * A node has these CIDRs. Its claims only grow: what it had before stays its own. An open
   * reservation of a Node ends, since its CIDRs never change; that of a CiliumNode ends when it
   * shows a CIDR of each family that is being written.
   *
   * @param has none: a CiliumNode that is known has lost its own
   * @return what is wrong with those that it did not claim before
   */
  public synchronized List<NodeProblem> claim(NodeOwner owner, List<Cidr> has) {
    boolean known = cidrs.areOfCiliumNodes() && accounts.find(owner).isPresent();
    if (has.isEmpty() && !known) {
      return List.of();
    }
    List<NodeProblem> findings = accounts.claim(owner, has);
    if (!isIncomplete(owner)) {
      requests.forget(owner);
    }
    return findings;
  }

  /**
   * A Kubernetes Node that claims CIDRs has none, as a read of it has shown: {@link #reserve}
   * reserves its own again, unless others have them by now.
   */
  public synchronized void lost(NodeOwner owner) {
    accounts.find(owner).filter(account -> !account.absent).ifPresent(it -> it.show(List.of()));
  }

  /**
   * Whether a CiliumNode has CIDRs, but not of each family, or a node does not show them any more.
   * {@link #reserve} reserves what is to be added.
   */
  public synchronized boolean isIncomplete(NodeOwner owner) {
    return accounts.find(owner).filter(accounts::isIncomplete).isPresent();
  }

  /**
   * Reserves one block of each family for a node that shows no CIDRs, or none of any. For a
   * CiliumNode these are the blocks that its name had last, while they cool; one that has CIDRs
   * gets blocks of the other families, and its own back.
   */
  public synchronized ReserveOutcome reserve(NodeOwner owner, long now) {
    return requests.reserve(owner, now);
  }

  /**
   * The same, where a cloud has {@code given} the node blocks, one per family at most, without
   * {@link #obstacles}: the reservation has these, and one block of each other family. An open
   * reservation stays as it is.
   */
  public synchronized ReserveOutcome reserve(NodeOwner owner, List<Cidr> given, long now) {
    return requests.reserve(owner, given, now);
  }

  /**
   * Why a node cannot have a CIDR: it is in no range, or another node or an exclusion has addresses
   * of it. What cools is no obstacle; see {@link #isCooling}.
   */
  public synchronized List<NodeProblem> obstacles(NodeOwner owner, Cidr cidr) {
    return accounts.about(owner, cidr);
  }

  /** Whether a node of another name, whose absence is not confirmed, had addresses of a CIDR. */
  public synchronized boolean isCooling(NodeOwner owner, Cidr cidr) {
    return accounts.isCooling(owner, cidr);
  }

  /** The result of a write of a reservation's blocks; one that has ended is not changed by it. */
  public synchronized Settlement settle(
      Reservation reservation, PodCidrsOutcome outcome, long now) {
    NodeAccount account = open(reservation);
    Reservation open = account == null ? null : account.reservation;
    if (account == null || open == null) {
      return new Settlement(reservation.in(State.FREED), Next.DONE);
    }
    if (outcome == PodCidrsOutcome.ACCEPTED) {
      account.claimReserved(open, layers);
      if (account.absent) {
        accounts.cool(account, now);
      }
      return new Settlement(open.in(State.CLAIMED), Next.DONE);
    }
    if (outcome == PodCidrsOutcome.GONE) {
      return gone(account, open, now);
    }
    if (outcome == PodCidrsOutcome.REFUSED && open.state() == State.HELD) {
      accounts.free(account);
      accounts.coolAgain(account, now);
      return new Settlement(open.in(State.FREED), Next.PARK);
    }
    Reservation still = outcome == PodCidrsOutcome.UNKNOWN ? open.in(State.UNCERTAIN) : open;
    account.reservation = still;
    return new Settlement(still, outcome == PodCidrsOutcome.REFUSED ? Next.PARK : Next.REPEAT);
  }

  /** The account with this reservation; null when it has ended. */
  private @Nullable NodeAccount open(Reservation reservation) {
    return accounts
        .find(reservation.owner())
        .filter(it -> it.reservation != null && it.reservation.number() == reservation.number())
        .orElse(null);
  }

  private Settlement gone(NodeAccount account, Reservation open, long now) {
    if (open.state() == State.HELD) {
      accounts.free(account);
      accounts.coolAgain(account, now);
      return new Settlement(open.in(State.FREED), Next.DONE);
    }
    // An earlier request may have reached the node before it went: its blocks cool like those of a
    // node that had them.
    account.claimReserved(open, layers);
    account.absent = true;
    accounts.cool(account, now);
    return new Settlement(open.in(State.COOLING), Next.DONE);
  }

  /**
   * A write of a reservation's blocks found that the node has others, so this request and every
   * earlier one had no effect: the blocks are free, and the others, as the node holds them, are
   * claimed.
   */
  public synchronized void occupied(Reservation reservation, List<String> podCidrs, long now) {
    NodeAccount account = open(reservation);
    if (account != null) {
      boolean absent = account.absent;
      accounts.free(account);
      claim(reservation.owner(), NodePodCidrs.read(cidrs, "", podCidrs).cidrs());
      if (absent) {
        absent(reservation.owner(), now);
      }
    }
  }

  /**
   * A node is not there: it was deleted, or a list of all nodes lacks it. Its claims cool from now
   * on; an open reservation waits for the result of its write.
   */
  public synchronized void absent(NodeOwner owner, long now) {
    requests.forget(owner);
    NodeAccount account = accounts.find(owner).orElse(null);
    if (account != null && !account.absent) {
      account.absent = true;
      accounts.cool(account, now);
    }
  }

  /**
   * The nodes whose claims have cooled long enough, each once: read each of them by name now, then
   * call {@link #confirmAbsent} or {@link #confirmPresent}. Until then their blocks stay taken.
   */
  public synchronized List<NodeOwner> due(long now) {
    return accounts.due(now);
  }

  /** The nodes that are gone and whose CIDRs cool, in no order. */
  public synchronized List<CooledNode> cooling(long now) {
    return accounts.all().stream()
        .filter(account -> account.absent && !account.claims.isEmpty())
        .map(account -> new CooledNode(account.owner, account.claims, accounts.left(account, now)))
        .toList();
  }

  /** A node was gone already under a former leader: its CIDRs cool on. */
  public synchronized void cool(CooledNode node, long now) {
    if (!accounts.find(node.owner()).isPresent()) {
      claim(node.owner(), node.cidrs());
      absent(node.owner(), accounts.began(node.left(), now));
    }
  }

  /** When {@link #due} has something to say; empty when nothing cools. */
  public synchronized OptionalLong nextDueNanos() {
    return accounts.nextDueNanos();
  }

  /**
   * The read by name found no node, or another uid: what cools of this one is free. A late answer,
   * about a node that was seen again meanwhile or cools anew, changes nothing.
   */
  public synchronized void confirmAbsent(NodeOwner owner) {
    NodeAccount account = accounts.find(owner).orElse(null);
    if (account != null && account.absent && !account.queued && account.reservation == null) {
      accounts.end(account);
    }
  }

  /** The node is there after all, with the same uid: its claims are as before. */
  public synchronized void confirmPresent(NodeOwner owner) {
    accounts.find(owner).ifPresent(accounts::present);
  }

  /**
   * The node shall get no blocks after all: it does not wait any more, and a reservation whose
   * blocks cannot have reached it is free. Not while a request with these blocks is in flight.
   */
  public synchronized void withdraw(NodeOwner owner) {
    requests.forget(owner);
    NodeAccount account = accounts.find(owner).orElse(null);
    Reservation open = account == null ? null : account.reservation;
    if (account != null && open != null && open.state() == State.HELD) {
      accounts.free(account);
    }
  }

  /** The present problems of the CIDRs that a node claims. */
  public synchronized List<NodeProblem> findings(NodeOwner owner) {
    return accounts.findings(owner);
  }

  /** The other nodes that have, or are to get, addresses that this one claims or is to get. */
  public synchronized List<NodeOwner> rivals(NodeOwner owner) {
    return accounts.rivals(owner);
  }

  /** The nodes that wait and can be served now, the one that waits longest first. */
  public synchronized List<NodeOwner> servable(long now) {
    return requests.servable(now);
  }

  public synchronized List<Cidr> claims(NodeOwner owner) {
    return accounts.find(owner).map(account -> account.claims).orElse(List.of());
  }

  public synchronized Optional<Reservation> reservation(NodeOwner owner) {
    return accounts.find(owner).map(account -> account.reservation);
  }

  /** The use of each range, in the order of the families. */
  public synchronized List<RangeUsage> usage() {
    return layers.usage();
  }
}
