package io.tidemark.nodecidr;

import io.tidemark.cluster.EventWording;
import io.tidemark.error.ErrorCode;
import io.tidemark.nodecidr.ledger.CidrFinding;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The content of a Kubernetes Event about a node. The text begins as that of the Kubernetes
 * controller manager, since people search for it, and goes on with code, numbers and remedy.
 *
 * @param reason as the controller manager has it, where it has one
 * @param detail what was found, without a full stop
 * @param text a few sentences
 */
public record NodeCidrEvent(NodeCidrError code, String reason, String detail, String text) {
  /** Events of nodes read so, and bear the component of the controller manager. */
  public static final EventWording WORDING =
      new EventWording() {
        @Override
        public String component() {
          return "cidrAllocator";
        }

        @Override
        public String reason(ErrorCode code) {
          return code instanceof NodeCidrError ours
              ? NodeCidrEvent.reason(ours)
              : EventWording.USUAL.reason(code);
        }

        @Override
        public String open(String object, ErrorCode code, String detail) {
          return code instanceof NodeCidrError ours
              ? of(NodeOwner.named(object), ours, detail).text()
              : EventWording.USUAL.open(object, code, detail);
        }
      };

  /** A node has no CIDRs since no block is free. */
  public static NodeCidrEvent of(NodeOwner node, ReserveOutcome.Exhausted outcome) {
    return of(node, NodeCidrError.CIDR_EXHAUSTED, ranges(outcome.usage()));
  }

  /** A node has no CIDRs yet. */
  public static NodeCidrEvent of(NodeOwner node, ReserveOutcome.Withheld outcome) {
    return of(
        node,
        NodeCidrError.CIDR_WITHHELD,
        outcome.usage().isEmpty()
            ? "requests of a former leader may still have an effect"
            : ranges(outcome.usage()));
  }

  /** Something is wrong with a CIDR of a node. */
  public static NodeCidrEvent of(NodeOwner node, CidrFinding finding) {
    return of(node, finding.code(), finding.detail());
  }

  /**
   * Anything else.
   *
   * @param detail what was found, without a full stop
   */
  public static NodeCidrEvent of(NodeOwner node, NodeCidrError code, String detail) {
    String reason = reason(code);
    return new NodeCidrEvent(
        code,
        reason,
        detail,
        "Node "
            + node.name()
            + " status is now: "
            + reason
            + ". "
            + code.label()
            + " "
            + code.name()
            + ": "
            + detail
            + ". "
            + code.remedy());
  }

  private static String ranges(List<RangeUsage> usage) {
    return usage.stream().map(RangeUsage::toString).collect(Collectors.joining("; "));
  }

  private static String reason(NodeCidrError code) {
    return switch (code) {
      case CIDR_EXHAUSTED, CIDR_LEAKED, CIDR_WITHHELD, CLOUD_RANGE_MISSING -> "CIDRNotAvailable";
      case CIDR_WRITE_FAILED, CIDR_FORBIDDEN -> "CIDRAssignmentFailed";
      case CIDR_CONFLICT -> "CIDRConflict";
      case CIDR_FOREIGN, RANGE_COVERED, START_REFUSED -> "CIDRForeign";
      case CIDR_UNREADABLE -> "CIDRUnreadable";
      case CIDR_MISMATCH, FAMILY_OFF -> "CIDRMismatch";
      case CIDR_MODE -> "CloudCIDRAllocatorInvalidMode";
      case CLOUD_MISMATCH -> "CloudCIDRAllocatorMismatch";
      case SECOND_ALLOCATOR -> "CIDRSecondAllocator";
    };
  }
}
