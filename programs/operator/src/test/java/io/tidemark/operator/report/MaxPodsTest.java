package io.tidemark.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.Finding;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Nodes that take more pods than they can have addresses for")
class MaxPodsTest {
  private static MaxPods node(String group, int maxPods, int addresses, boolean prefixes) {
    return new MaxPods(group, maxPods, addresses, Math.max(0, maxPods - 2 - addresses), prefixes);
  }

  @Test
  @DisplayName("are one finding per group, with the numbers of the worst and a remedy")
  void groups() {
    List<Finding> found =
        MaxPods.findings(
            List.of(
                node("t3.small/web", 29, 9, true),
                node("m5.large/web", 110, 27, false),
                node("m5.large/web", 120, 60, false),
                node("m5.large/web", 40, 25, false),
                node("m5.large/web", 29, 27, false),
                node("m5.xlarge/web", 58, 56, false),
                node("", 30, 27, false)));

    assertThat(found)
        .extracting(each -> each.subject() + ": " + each.detail() + ". " + each.remedy())
        .containsExactly(
            "nodes without labels of a group: 1 node takes 30 pods and can have addresses for 27:"
                + " up to 1 pods a node would wait. Set max-pods to at most 29, let the nodes use"
                + " prefixes if their type has them, or use a larger instance type.",
            "nodes of m5.large/web: 3 nodes take up to 120 pods and can have addresses for 27: up"
                + " to 81 pods a node would wait. Set max-pods to at most 27, let the nodes use"
                + " prefixes if their type has them, or use a larger instance type.",
            "nodes of t3.small/web: 1 node takes 29 pods and can have addresses for 9: up to 18"
                + " pods a node would wait. Set max-pods to at most 11, or use a larger instance"
                + " type.");
    assertThat(found).extracting(Finding::verdict).containsOnly(Finding.Verdict.WARNING);
  }

  @Test
  @DisplayName("are not reported where all fit")
  void fit() {
    assertThat(MaxPods.findings(List.of(node("m5.large", 29, 27, false)))).isEmpty();
  }
}
