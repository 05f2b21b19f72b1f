package io.tidemark.provider.aws.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.Finding;
import java.util.List;

/** The findings of a checkup, by words of their subjects. */
final class Findings {
  private Findings() {}

  /** The one finding whose subject has these words. */
  static Finding only(List<Finding> findings, String subject) {
    List<Finding> found =
        findings.stream().filter(each -> each.subject().contains(subject)).toList();
    assertThat(found).as(subject).hasSize(1);
    return found.get(0);
  }

  /** Each expectation is words of a subject and, last, the verdict. */
  static void assertVerdicts(List<Finding> findings, String... expected) {
    for (String each : expected) {
      int last = each.lastIndexOf(' ');
      assertThat(only(findings, each.substring(0, last)).verdict().name())
          .as(each)
          .isEqualTo(each.substring(last + 1));
    }
  }
}
