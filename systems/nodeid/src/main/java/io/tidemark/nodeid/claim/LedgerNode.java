package io.tidemark.nodeid.claim;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.nodeid.NodeId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The knowledge of one name: its node and the claims that name it. {@link IdLedger} owns it. */
final class LedgerNode {
  final String name;

  @Nullable ClusterNode node;

  /** By id; those of earlier nodes of the name too. */
  final NavigableMap<NodeId, Claim> claims = new TreeMap<>();

  @Nullable NodeId reserved;

  /** The id that the node was seen to show while it held the claim. */
  @Nullable NodeId confirmed;

  /** Claims besides the one that the node keeps, and since when. */
  final Map<NodeId, Long> surplus = new HashMap<>();

  Absence absence = Absence.UNCONFIRMED;

  /** When the node was read and was not there; only from {@link Absence#COOLING} on. */
  long absentSinceNanos;

  /** How far the end of the claims of a node that is not there has come. */
  enum Absence {
    /** It is not known, and was not looked for. */
    UNCONFIRMED,
    /** It was looked for and is not there. */
    COOLING,
    /** It was not there again after the cooldown. */
    OVER
  }

  LedgerNode(String name) {
    this.name = name;
  }

  boolean isPresent() {
    return node != null;
  }

  /** When the node was created; the latest of all where that is not known. */
  Instant created() {
    return Optional.ofNullable(node).flatMap(ClusterNode::created).orElse(Instant.MAX);
  }

  Optional<NodeId> mirror() {
    return Optional.ofNullable(node).flatMap(NodeIdMirror::id);
  }

  /**
   * The id that the node keeps: the one that it shows, if it has the claim; without a mirror the
   * lowest. Empty when it holds no claim, or shows an id without its claim.
   */
  Optional<NodeId> kept() {
    if (confirmed != null && claims.containsKey(confirmed)) {
      return Optional.of(confirmed);
    }
    Optional<NodeId> mirror = mirror();
    if (mirror.isPresent()) {
      return mirror.filter(claims::containsKey);
    }
    return claims.isEmpty() ? Optional.empty() : Optional.of(claims.firstKey());
  }

  /** The id that is being claimed for it: one that it shows, or one that was chosen. */
  Optional<NodeId> next() {
    return Optional.ofNullable(reserved).or(() -> mirror().filter(shown -> kept().isEmpty()));
  }

  boolean isEmpty() {
    return node == null && claims.isEmpty();
  }
}
