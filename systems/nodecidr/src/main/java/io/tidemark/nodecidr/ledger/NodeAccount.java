package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A ledger's knowledge of one incarnation of a node. Mutable; {@link CidrLedger} owns it and keeps
 * it and the layers the same.
 */
final class NodeAccount {
  final NodeOwner owner;

  /** Its CIDRs, which cool while it is absent. */
  List<Cidr> claims = List.of();

  /** Of these, the ones that it had first of each family: others came without us. */
  private List<Cidr> own = List.of();

  /** The CIDRs that it showed last, and those that were written to it since. */
  private List<Cidr> shown = List.of();

  /** Open; null when nothing is being written to it. */
  @Nullable Reservation reservation;

  boolean absent;

  long since;

  /** Whether its cooldown has not ended. */
  boolean queued;

  NodeAccount(NodeOwner owner) {
    this.owner = owner;
  }

  void show(List<Cidr> has) {
    List<Cidr> first = new ArrayList<>(own);
    has.stream().filter(each -> isNone(own, each.family())).forEach(first::add);
    shown = List.copyOf(has);
    own = List.copyOf(first);
  }

  /** The families of which it never had a CIDR. */
  List<FamilyRanges> missing(ClusterCidrs cidrs) {
    return cidrs.families().stream().filter(each -> isNone(own, each.family())).toList();
  }

  /** Its CIDRs of families of which it shows none any more. */
  List<Cidr> lost() {
    return own.stream().filter(each -> isNone(shown, each.family())).toList();
  }

  boolean showsNone() {
    return shown.isEmpty();
  }

  /** Whether it shows a CIDR of each family that is being written to it. */
  boolean showsWhatIsWritten() {
    Reservation open = reservation;
    return open != null && open.blocks().stream().noneMatch(each -> isNone(shown, each.family()));
  }

  /** Its one block of each family; empty when it has others, or not one of each. */
  Optional<List<Cidr>> wholeBlocks(ClusterCidrs cidrs) {
    List<Cidr> blocks = new ArrayList<>();
    for (FamilyRanges family : cidrs.families()) {
      List<Cidr> ofFamily = of(claims, family.family());
      if (ofFamily.size() != 1 || cidrs.blockOf(ofFamily.get(0)).isEmpty()) {
        return Optional.empty();
      }
      blocks.addAll(ofFamily);
    }
    return blocks.size() == claims.size() ? Optional.of(blocks) : Optional.empty();
  }

  /** Where somebody changed its CIDRs to others. */
  List<NodeProblem> changes() {
    List<NodeProblem> changes = new ArrayList<>();
    for (IpFamily family : IpFamily.values()) {
      List<Cidr> before = of(own, family);
      List<Cidr> now = of(shown, family);
      if (!before.isEmpty() && !now.isEmpty() && !Set.copyOf(now).equals(Set.copyOf(before))) {
        String had = "node has CIDRs allocated (" + text(before) + ")";
        String has = " that conflict with requested CIDRs " + text(now) + ": somebody changed them";
        changes.add(new NodeProblem(NodeCidrError.CIDR_MISMATCH, text(now), had + has));
      }
    }
    return changes;
  }

  /** It has what was reserved for it, or must be taken to have it. */
  void claimReserved(Reservation open, CidrLayers layers) {
    for (Cidr block : open.blocks()) {
      layers.add(Layer.CLAIMED, block, owner.uid());
      layers.remove(Layer.RESERVED, block, owner.uid());
    }
    reservation = null;
    claims = open.joined(claims);
    show(open.joined(shown));
  }

  /** It does not have what was reserved for it. */
  void endReservation(CidrLayers layers) {
    Reservation open = reservation;
    if (open != null) {
      open.blocks().forEach(block -> layers.remove(Layer.RESERVED, block, owner.uid()));
      reservation = null;
    }
  }

  /** Its claims go from one layer to another. */
  void move(Layer from, Layer to, CidrLayers layers) {
    for (Cidr each : claims) {
      layers.add(to, each, owner.uid());
      layers.remove(from, each, owner.uid());
    }
  }

  private static List<Cidr> of(List<Cidr> cidrs, IpFamily family) {
    return cidrs.stream().filter(each -> each.family() == family).toList();
  }

  private static boolean isNone(List<Cidr> cidrs, IpFamily family) {
    return cidrs.stream().noneMatch(each -> each.family() == family);
  }

  private static String text(List<Cidr> cidrs) {
    return cidrs.stream().map(Cidr::toString).collect(Collectors.joining(", "));
  }
}
