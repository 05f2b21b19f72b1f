package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.EditedEc2;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Which unattached interfaces are deleted, and when (provider-aws 6, M9)")
class EniGarbageCollectorTest {
  /** Two accounts: a listing of the VPCs, which the instances' account answers, lacks them. */
  private static Ec2Api withoutUnattached(Ec2Api ec2) {
    return EditedEc2.reads(
        ec2,
        (query, all) ->
            query.values().containsKey("vpc-id")
                ? all.stream().filter(each -> each.attachment().isPresent()).toList()
                : all);
  }

  @DisplayName("by description and tags")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          The description must begin as a creation's: set, by default, or the reference's \
            | with description=Pods; node; park set Pods_(i-0) tidemark.io/cluster=test; \
              park default Tidemark_(i-0) tidemark.io/cluster=test; \
              park reference Cilium-CNI_(i-0) tidemark.io/cluster=test; \
              park bare Pods tidemark.io/cluster=test; \
              park theirs Pods_of_the_database tidemark.io/cluster=test; \
              park longer Tidemarks_(i-0) tidemark.io/cluster=test; \
              park id (i-0) tidemark.io/cluster=test; pass 7; gone set default reference; \
              there bare theirs longer id
          eni-gc-tags replace the name of the cluster \
            | with collectionTags=team=a; cluster -; node; park ours Tidemark_(i-0) team=a; \
              park other Tidemark_(i-0) team=b; pass 7; gone ours; there other; \
              metric ENI_GC_STATE:on 1
          eni-gc-tags replace the name of the cluster with two accounts, too \
            | with collectionTags=team=a crossAccount; cluster -; node; \
              park ours Tidemark_(i-0) team=a; park other Tidemark_(i-0) team=b; pass 7; gone ours; \
              there other; metric ENI_GC_STATE:on 1
          """)
  void story(String what, String story) {
    UnaryOperator<Ec2Api> edits =
        what.contains("two accounts")
            ? EniGarbageCollectorTest::withoutUnattached
            : UnaryOperator.identity();
    EniStory.run(new EniWorld(Samples.SETTINGS, edits), what, story);
  }
}
