package io.tidemark.provider.aws.doctor;

import io.tidemark.resilience.CallResult;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.Optional;

/** What it means that the cluster has a name, or none (provider-aws 6, M9). Pure. */
final class ClusterNaming {
  /** What EKS puts on the instances of a cluster. */
  static final String TAG = "aws:eks:cluster-name";

  /** The setting that names it. */
  static final String SETTING = "cluster-name";

  private static final String AREA = "cluster";
  private static final String SUBJECT = "name";

  private ClusterNaming() {}

  /**
   * The finding.
   *
   * @param name empty when nobody named it, or why it could not be asked for
   * @param source where the name comes from
   */
  static Finding finding(CallResult<Optional<String>> name, String source) {
    return name.match(
        told -> told.map(known -> named(known, source)).orElseGet(ClusterNaming::unnamed),
        failure ->
            failure.isOfDeadline() ? FailureWords.undecided(AREA, SUBJECT, failure) : unnamed());
  }

  private static Finding named(String name, String source) {
    return Finding.of(AREA, SUBJECT, Verdict.OK, "'" + name + "', from " + source, "");
  }

  private static Finding unnamed() {
    return Finding.of(
        AREA,
        SUBJECT,
        Verdict.WARNING,
        "it has no name, so tags cannot identify its orphaned interfaces, and they are not deleted",
        "Set cluster-name; or eni-gc-tags; or eni-gc-allow-unnamed, where the account has no other"
            + " cluster.");
  }
}
