package io.tidemark.provider.aws.doctor;

import io.tidemark.resilience.CallResult;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.Optional;

/**
 * Whether the cluster has a name, and what that means (provider-aws 6, M9). Pure.
 *
 * @param name empty when nobody named it, also after a failure, since the operator then works
 *     without a name; failed when the deadline ended the question
 * @param source where the name comes from
 */
record ClusterNaming(CallResult<Optional<String>> name, String source) {
  static final String TAG = "aws:eks:cluster-name";

  static final String SETTING = "cluster-name";

  private static final String AREA = "cluster";
  private static final String SUBJECT = "name";

  ClusterNaming {
    CallResult<Optional<String>> asked = name;
    name =
        asked.match(
            told -> asked,
            failure ->
                failure.isOfDeadline() ? asked : new CallResult.Answered<>(Optional.empty()));
  }

  Finding finding() {
    return name.match(
        told -> told.map(this::named).orElseGet(ClusterNaming::unnamed),
        failure -> FailureWords.undecided(AREA, SUBJECT, failure));
  }

  private Finding named(String known) {
    return Finding.of(AREA, SUBJECT, Verdict.OK, "'" + known + "', from " + source, "");
  }

  private static Finding unnamed() {
    return Finding.of(
        AREA,
        SUBJECT,
        Verdict.WARNING,
        "cluster-name is unset or 'default', which names no cluster, so tags cannot identify its"
            + " orphaned interfaces, and they are not deleted",
        "Set cluster-name; or eni-gc-tags; or eni-gc-allow-unnamed, where the account has no other"
            + " cluster.");
  }
}
