package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import io.tidemark.time.CoolingQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all incarnations that have, or are to get, CIDRs, by uid; and how an account
 * begins to cool, is taken back and ends. Those of absent nodes cool in the order in which their
 * cooldowns end; one that was due cools on until the absence is confirmed. Mutable; {@link
 * CidrLedger} owns it and has the lock.
 */
final class LedgerAccounts {
  private final ClusterCidrs cidrs;
  private final CidrLayers layers;
  private final long cooldownNanos;
  private final Map<String, NodeAccount> accounts = new HashMap<>();
  private final CoolingQueue<NodeAccount> queue = new CoolingQueue<>();

  /** The one that began to cool last, of each name; until its absence is confirmed. */
  private final Map<String, NodeAccount> cooling = new HashMap<>();

  LedgerAccounts(ClusterCidrs cidrs, CidrLayers layers, long cooldownNanos) {
    this.cidrs = cidrs;
    this.layers = layers;
    this.cooldownNanos = cooldownNanos;
  }

  Optional<NodeAccount> find(NodeOwner owner) {
    return Optional.ofNullable(accounts.get(owner.uid()));
  }

  NodeAccount of(NodeOwner owner) {
    return accounts.computeIfAbsent(owner.uid(), uid -> new NodeAccount(owner));
  }

  Collection<NodeAccount> all() {
    return accounts.values();
  }

  /** The name of the node with a uid; the uid where it is not known. */
  String name(String uid) {
    NodeAccount account = accounts.get(uid);
    return account == null ? uid : account.owner.name();
  }

  /** Whether a CiliumNode lacks CIDRs of a family, or a node shows none of its own any more. */
  boolean isIncomplete(NodeAccount account) {
    boolean lacks =
        cidrs.areOfCiliumNodes()
            ? !(account.missing(cidrs).isEmpty() && account.lost().isEmpty())
            : account.showsNone();
    return !account.claims.isEmpty() && lacks;
  }

  List<NodeProblem> claim(NodeOwner owner, List<Cidr> has) {
    NodeAccount account = of(owner);
    present(account);
    List<NodeProblem> findings = new ArrayList<>();
    List<Cidr> claims = new ArrayList<>(account.claims);
    for (Cidr each : has) {
      if (!claims.contains(each)) {
        findings.addAll(about(owner, each));
        layers.add(Layer.CLAIMED, each, owner.uid());
        claims.add(each);
      }
    }
    account.claims = List.copyOf(claims);
    account.show(has);
    if (!cidrs.areOfCiliumNodes() || account.showsWhatIsWritten()) {
      account.endReservation(layers);
    }
    return List.copyOf(findings);
  }

  List<NodeProblem> findings(NodeOwner owner) {
    List<NodeProblem> findings = new ArrayList<>();
    NodeAccount account = accounts.get(owner.uid());
    if (account != null) {
      for (Cidr each : account.claims) {
        findings.addAll(about(owner, each));
      }
      if (cidrs.areOfCiliumNodes()) {
        findings.addAll(account.changes());
      }
    }
    return findings;
  }

  /**
   * The problems of a CIDR that a node claims, or is about to claim: that it is in no range, and
   * each of those who have addresses of it. Blocks of an absent node are no conflict: it is most
   * probably gone.
   */
  List<NodeProblem> about(NodeOwner owner, Cidr cidr) {
    List<NodeProblem> findings = new ArrayList<>();
    boolean known =
        cidrs
            .of(cidr.family())
            .map(family -> !family.isOfCloud())
            .orElse(!cidrs.areOfCiliumNodes());
    if (known && !layers.isTouched(cidr)) {
      findings.add(
          cidrs.says(
              NodePodCidrs.foreign(cidr),
              "allocator not configured for the requested CIDR " + cidr));
    }
    layers.forEachOverlapping(
        cidr,
        (layer, other, holders) -> {
          for (String holder : holders) {
            if (layer != Layer.COOLING && !holder.equals(owner.uid())) {
              findings.add(
                  cidrs.says(
                      NodePodCidrs.conflict(cidr, other, holder(layer, holder)),
                      "requested CIDR (" + cidr + ") is already allocated"));
            }
          }
        });
    return findings;
  }

  private String holder(Layer layer, String holder) {
    return switch (layer) {
      case EXCLUDED -> "that " + holder + " excludes";
      case RESERVED -> "that is being written to node " + name(holder);
      case CLAIMED, COOLING -> "of node " + name(holder);
    };
  }

  List<NodeOwner> rivals(NodeOwner owner) {
    NodeAccount account = accounts.get(owner.uid());
    Set<NodeOwner> rivals = new LinkedHashSet<>();
    if (account != null) {
      Reservation open = account.reservation;
      List<Cidr> has = open == null ? account.claims : open.blocks();
      has.forEach(each -> rivals.addAll(holders(each, owner)));
    }
    return List.copyOf(rivals);
  }

  /** Who else has, or is to get, addresses of a CIDR. */
  Set<NodeOwner> holders(Cidr cidr, NodeOwner owner) {
    Set<NodeOwner> others = new LinkedHashSet<>();
    layers.forEachOverlapping(
        cidr,
        (layer, found, holders) -> {
          if (layer == Layer.CLAIMED || layer == Layer.RESERVED) {
            holders.stream()
                .filter(uid -> !uid.equals(owner.uid()))
                .forEach(uid -> others.add(known(uid).owner));
          }
        });
    return others;
  }

  boolean isCooling(NodeOwner owner, Cidr cidr) {
    boolean[] cools = new boolean[1];
    layers.forEachOverlapping(
        cidr,
        (layer, found, holders) ->
            cools[0] |=
                layer == Layer.COOLING
                    && holders.stream().anyMatch(uid -> !name(uid).equals(owner.name())));
    return cools[0];
  }

  private NodeAccount known(String uid) {
    return Objects.requireNonNull(accounts.get(uid), uid);
  }

  /** The reservation of a node has ended, and it does not have the blocks. */
  void free(NodeAccount account) {
    account.endReservation(layers);
    if (account.claims.isEmpty()) {
      accounts.remove(account.owner.uid());
    }
  }

  /** An absent node's reservation has ended: its cooldown may have ended meanwhile. */
  void coolAgain(NodeAccount account, long now) {
    if (account.absent && !account.claims.isEmpty() && !account.queued) {
      cool(account, now);
    }
  }

  /** The claims of an absent node cool from now on. */
  void cool(NodeAccount account, long now) {
    if (account.claims.isEmpty()) {
      if (account.reservation == null) {
        accounts.remove(account.owner.uid());
      }
      return;
    }
    if (account.queued) {
      takeBack(account);
    }
    account.move(Layer.CLAIMED, Layer.COOLING, layers);
    queue.add(account, now);
    account.since = now;
    account.queued = true;
    cooling.put(account.owner.name(), account);
  }

  /** The claims of a node are as before. */
  private void takeBack(NodeAccount account) {
    if (account.queued) {
      queue.remove(account);
      account.queued = false;
    }
    account.move(Layer.COOLING, Layer.CLAIMED, layers);
    cooling.remove(account.owner.name(), account);
  }

  /** The node is there: nothing of it cools. */
  void present(NodeAccount account) {
    if (account.absent) {
      account.absent = false;
      takeBack(account);
    }
  }

  /** The cooling blocks of a node become free. */
  void end(NodeAccount account) {
    account.claims.forEach(each -> layers.remove(Layer.COOLING, each, account.owner.uid()));
    accounts.remove(account.owner.uid());
    cooling.remove(account.owner.name(), account);
  }

  /** The incarnation of that name that cools; null when none does. */
  @Nullable NodeAccount cooling(String name) {
    return cooling.get(name);
  }

  Duration left(NodeAccount account, long now) {
    return Duration.ofNanos(account.since + cooldownNanos - now);
  }

  /** When a cooldown began that lasts so long still. */
  long began(Duration left, long now) {
    return now + Math.min(left.toNanos(), cooldownNanos) - cooldownNanos;
  }

  List<NodeOwner> due(long now) {
    List<NodeOwner> due = new ArrayList<>();
    while (!queue.isEmpty() && now - queue.headNanos() >= cooldownNanos) {
      NodeAccount account = queue.poll();
      account.queued = false;
      due.add(account.owner);
    }
    return due;
  }

  OptionalLong nextDueNanos() {
    return queue.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(queue.headNanos() + cooldownNanos);
  }
}
