package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeOrderTest {
  @Test
  @DisplayName("F-1 deficits 5, 3, then balanced, then surplus 9 before 2")
  void order() {
    List<Integer> sorted =
        List.of(-2, 3, 0, -9, 5).stream().sorted(NodeReport.BY_NEEDED_ADDRESSES).toList();
    assertEquals(List.of(5, 3, 0, -9, -2), sorted);
  }
}
