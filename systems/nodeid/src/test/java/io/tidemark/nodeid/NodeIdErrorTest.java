package io.tidemark.nodeid;

import io.tidemark.testing.ErrorDocs;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeIdErrorTest {
  @Test
  @DisplayName("docs/errors.md lists every code of node ids as it is")
  void documented() {
    ErrorDocs.assertListed(1500, 1599, List.of(NodeIdError.class));
    ErrorDocs.assertSound(List.of(NodeIdError.class));
  }
}
