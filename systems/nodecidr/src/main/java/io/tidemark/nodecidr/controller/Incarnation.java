package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.Reservation;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of one incarnation of a node beside the ledger: its requests, and what they meant.
 * Mutable; confined to the queue of its name.
 */
final class Incarnation {
  /** So many results in a row must be missing before that is reported. */
  private static final int REPORTED_AFTER = 3;

  final NodeOwner owner;

  /** The cloud's side; empty where blocks come from ranges of the cluster alone. */
  final Optional<CloudSync> cloud;

  /** Whether the node had its CIDRs before this controller led, or was seen to have some. */
  boolean inherited;

  /** The version without CIDRs for which the backend was asked last. */
  @Nullable String confirmed;

  boolean inFlight;

  /** A write of these blocks found other CIDRs, which are to be read; null for none. */
  @Nullable Reservation occupied;

  /** Whether a write found it gone, although the store may show it still. */
  boolean gone;

  /** Whether it was absent for the cooldown, which a read is to confirm. */
  boolean absenceDue;

  /** The reservation whose blocks are being written; 0 for none. */
  long writing;

  private int failures;

  /** Why its write has no result yet, when that takes long or was refused. */
  Optional<NodeProblem> matter = Optional.empty();

  private OptionalLong parkedUntil = OptionalLong.empty();

  Incarnation(NodeOwner owner, Optional<CloudSync> cloud) {
    this.owner = owner;
    this.cloud = cloud;
  }

  /** By which uid the server knows it; empty text for none. */
  String serverUid() {
    return owner.uid().equals(owner.name()) ? "" : owner.uid();
  }

  void endWrite() {
    writing = 0;
    failures = 0;
    matter = Optional.empty();
  }

  /** A request of the write had no result: reported when that goes on. */
  void waits(String detail) {
    failures++;
    if (failures >= REPORTED_AFTER) {
      matter = Optional.of(new NodeProblem(NodeCidrError.CIDR_WRITE_FAILED, detail));
    }
  }

  /** The write was refused: the next one comes much later, unless the node changes. */
  void park(String detail, long until) {
    matter = Optional.of(new NodeProblem(NodeCidrError.CIDR_FORBIDDEN, detail));
    parkedUntil = OptionalLong.of(until);
  }

  /** Until when nothing is written; empty when something may be now. */
  OptionalLong parkedUntil(long now) {
    if (parkedUntil.isPresent() && parkedUntil.getAsLong() - now <= 0) {
      parkedUntil = OptionalLong.empty();
    }
    return parkedUntil;
  }

  /** A refused write is tried again at once, since something changed. */
  void unpark() {
    parkedUntil = OptionalLong.empty();
  }

  boolean isRefused() {
    return matter.filter(it -> it.code() == NodeCidrError.CIDR_FORBIDDEN).isPresent();
  }
}
