package io.tidemark.nodecidr;

import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.error.ErrorCode;
import io.tidemark.nodecidr.ledger.NodeCidrError;

/**
 * The content of a Kubernetes Event about a node. The text begins as that of the Kubernetes
 * controller manager, since people search for it, and goes on with code, numbers and remedy.
 *
 * @param reason as the controller manager has it, where it has one
 * @param detail what was found, without a full stop
 * @param text a few sentences
 */
public record NodeCidrEvent(ErrorCode code, String reason, String detail, String text) {
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
              ? of(object, new NodeProblem(ours, detail)).text()
              : EventWording.USUAL.open(object, code, detail);
        }
      };

  public static NodeCidrEvent of(String node, NodeProblem problem) {
    String reason = WORDING.reason(problem.code());
    return new NodeCidrEvent(
        problem.code(),
        reason,
        problem.detail(),
        "Node " + node + " status is now: " + reason + ". " + problem.message());
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
