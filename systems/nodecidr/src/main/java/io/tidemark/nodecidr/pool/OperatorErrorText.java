package io.tidemark.nodecidr.pool;

import io.tidemark.error.ErrorCode;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The text of {@code status.ipam.operator-status.error}: first what the Cilium operator says, then
 * our code, what was found and the remedy. Pure.
 */
final class OperatorErrorText {
  /** Problems of writing the object itself, which cannot be written into it. */
  private static final Set<NodeCidrError> LEFT_OUT =
      Set.of(NodeCidrError.CIDR_WRITE_FAILED, NodeCidrError.CIDR_FORBIDDEN);

  /** The problems whose numbers change all the time; the text leaves them out. */
  private static final Set<NodeCidrError> COUNTED =
      Set.of(NodeCidrError.CIDR_EXHAUSTED, NodeCidrError.CIDR_WITHHELD);

  private static final int LENGTH_MAX = 1024;

  private OperatorErrorText() {}

  /**
   * The text; empty when nothing is wrong.
   *
   * @param open what was found, by the problem
   */
  static String of(Map<? extends ErrorCode, String> open) {
    String text =
        open.entrySet().stream()
            .filter(each -> !LEFT_OUT.contains(each.getKey()))
            .sorted(Comparator.comparing(each -> each.getKey().label()))
            .map(each -> of(each.getKey(), each.getValue()))
            .collect(Collectors.joining("; "));
    return text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX - 1) + '\u2026' : text;
  }

  private static String of(ErrorCode code, String detail) {
    int colon = detail.indexOf(": ");
    String first = colon < 0 ? detail : detail.substring(0, colon);
    boolean more = colon >= 0 && !COUNTED.contains(code);
    return first
        + " ["
        + code.label()
        + "] "
        + (more ? detail.substring(colon + 2) + ". " : "")
        + code.remedy();
  }
}
