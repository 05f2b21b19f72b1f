package io.tidemark.demand;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LearnedDemandTest {
  private final LearnedDemand cluster = new LearnedDemand();

  @Test
  @DisplayName("A thousand groups have their own demand, all further ones share one")
  void groups() {
    GroupDemand first = cluster.group("group 0", 0);
    for (int i = 1; i < 999; i++) {
      cluster.group("group " + i, 0);
    }
    GroupDemand last = cluster.group("group 999", 0);

    assertNotSame(first, last);
    assertSame(first, cluster.group("group 0", 1));
    assertSame(last, cluster.group("group 999", 1));
    assertSame(cluster.group("group 1000", 0), cluster.group("group 1001", 0));
    assertNotSame(last, cluster.group("group 1000", 0));
  }
}
