package io.tidemark.provider.aws.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.doctor.TargetSearch.Count;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import io.tidemark.testing.Samples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The owners of the nodes' interfaces")
class InterfaceOwnersTest {
  private static final NodeResource NODE = Samples.node("a").instanceId("i-1").build();
  private static final CallResult<Optional<String>> NAMED =
      new CallResult.Answered<>(Optional.of("example"));

  private static final AwsNetworkInterface INTERFACE = EmulatedDoors.attached("eni-1", "i-1");

  private static Finding found(
      boolean all, CallResult<Optional<String>> cluster, Map<String, String> tags) {
    Count count = new Count(1, all, List.of(Copies.with(INTERFACE, "tags", tags)));
    return InterfaceOwners.finding(
        new CallResult.Answered<>(count), new ClusterNaming(cluster, "a test"), List.of(NODE));
  }

  private static CallResult<Optional<String>> failed(String condition) {
    return new CallResult.Failed<>(Failure.of(Failure.Kind.TRANSIENT, condition, "no answer"));
  }

  @Test
  @DisplayName("are not known when the account has more interfaces than are listed")
  void notAll() {
    assertThat(found(true, NAMED, Map.of()).verdict()).isEqualTo(Verdict.OK);
    assertThat(found(false, NAMED, Map.of()).verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(found(false, NAMED, Map.of("tidemark.io/cluster", "other")).verdict())
        .isEqualTo(Verdict.FAILED);
  }

  @Test
  @DisplayName("are checked without a name where the operator would work without one")
  void noName() {
    Map<String, String> tags = Map.of("tidemark.io/cluster", "other");
    assertThat(found(true, failed("noMetadata"), tags).verdict()).isEqualTo(Verdict.FAILED);
    assertThat(found(true, failed("deadlinePassed"), tags).verdict()).isEqualTo(Verdict.UNFINISHED);
  }
}
