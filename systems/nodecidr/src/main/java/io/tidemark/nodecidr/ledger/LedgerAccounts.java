package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The accounts of all incarnations that have, or are to get, CIDRs, by uid; and how an account
 * begins to cool, is taken back and ends. Mutable; {@link CidrLedger} owns it and has the lock.
 */
final class LedgerAccounts {
  private final ClusterCidrs cidrs;
  private final CidrLayers layers;
  private final CoolingNodes cooling;
  private final Map<String, NodeAccount> accounts = new HashMap<>();

  LedgerAccounts(ClusterCidrs cidrs, CidrLayers layers, CoolingNodes cooling) {
    this.cidrs = cidrs;
    this.layers = layers;
    this.cooling = cooling;
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

  /** Claims as {@link CidrLedger#claim} says. */
  List<CidrFinding> claim(NodeOwner owner, List<Cidr> has) {
    NodeAccount account = of(owner);
    present(account);
    List<CidrFinding> findings = new ArrayList<>();
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

  /** The present problems of the CIDRs that a node claims. */
  List<CidrFinding> findings(NodeOwner owner) {
    List<CidrFinding> findings = new ArrayList<>();
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

  /** The problems of a CIDR that a node claims, or is about to claim. */
  List<CidrFinding> about(NodeOwner owner, Cidr cidr) {
    return CidrFinding.about(owner, cidr, cidrs, layers, this::name);
  }

  /** The other nodes that have, or are to get, addresses that this one claims or is to get. */
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

  /** Whether a CIDR cools as {@link CidrLedger#isCooling} says. */
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
      cooling.takeBack(account);
    }
    cooling.add(account, now);
  }

  /** The node is there: nothing of it cools. */
  void present(NodeAccount account) {
    if (account.absent) {
      account.absent = false;
      cooling.takeBack(account);
    }
  }

  /** The cooling blocks of a node become free. */
  void end(NodeAccount account) {
    account.claims.forEach(each -> layers.remove(Layer.COOLING, each, account.owner.uid()));
    accounts.remove(account.owner.uid());
    cooling.forget(account);
  }
}
