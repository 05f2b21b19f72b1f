package io.tidemark.nodecidr.ledger;

import io.tidemark.testing.ErrorDocs;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeCidrErrorTest {
  @Test
  @DisplayName("docs/errors.md lists every code of node CIDRs as it is")
  void documented() {
    ErrorDocs.assertListed(1400, 1499, List.of(NodeCidrError.class));
    ErrorDocs.assertSound(List.of(NodeCidrError.class));
  }
}
