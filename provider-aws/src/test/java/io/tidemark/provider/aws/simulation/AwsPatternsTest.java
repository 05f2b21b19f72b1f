package io.tidemark.provider.aws.simulation;

import io.tidemark.provider.aws.simulation.CloudSetup.Trait;
import io.tidemark.simulation.PatternStory;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

@Tag("long")
@DisplayName("Patterns on the AWS provider: what goes wrong rarely, each case in turn")
class AwsPatternsTest {
  @TestFactory
  @DisplayName("events unobserved, take-overs on old views, late writes, writes hit in between")
  List<DynamicTest> hold() {
    return PatternStory.tests(
        "AWS",
        PatternStory.Length::agents,
        (cluster, multiPool) ->
            cluster.on(AwsSimulatedCloud.with(CloudSetup.of().with(Trait.IPV6, multiPool))));
  }
}
