package io.tidemark.operator.kubectl;

import io.tidemark.error.CloudError;
import io.tidemark.error.CoreError;
import io.tidemark.error.ErrorCode;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.spi.BlockedReason;
import java.util.stream.Stream;

/**
 * A code that this version does not have: a newer operator wrote it.
 *
 * @param label as it was written
 */
record PublishedCode(String label, Meaning meaning) implements ErrorCode {
  /**
   * The code of this label.
   *
   * @param remedy of one that this version does not have
   */
  static ErrorCode of(String label, String remedy) {
    return Stream.<ErrorCode[]>of(
            BlockedReason.values(),
            NodeCidrError.values(),
            NodeIdError.values(),
            CoreError.values(),
            CloudError.values())
        .flatMap(Stream::of)
        .filter(code -> code.label().equals(label))
        .findFirst()
        .orElseGet(() -> new PublishedCode(label, new Meaning(0, Kind.INTERNAL, remedy)));
  }

  @Override
  public String name() {
    return "(of another version)";
  }
}
