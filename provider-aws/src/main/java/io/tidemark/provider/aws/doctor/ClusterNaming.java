package io.tidemark.provider.aws.doctor;

import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.Optional;

/** What it means that the cluster has a name, or none (provider-aws 6, M9). Pure. */
final class ClusterNaming {
  /** What EKS puts on the instances of a cluster. */
  static final String TAG = "aws:eks:cluster-name";

  private ClusterNaming() {}

  /**
   * The finding.
   *
   * @param name empty when nobody named it
   * @param source where the name comes from
   */
  static Finding finding(Optional<String> name, String source) {
    return name.map(
            known ->
                Finding.of("cluster", "name", Verdict.OK, "'" + known + "', from " + source, ""))
        .orElseGet(
            () ->
                Finding.of(
                    "cluster",
                    "name",
                    Verdict.WARNING,
                    "nobody names it, so its own left-over interfaces cannot be known by their"
                        + " tags and are not deleted",
                    "Set cluster-name; or eni-gc-tags; or eni-gc-allow-unnamed, where the account"
                        + " has no other cluster."));
  }
}
