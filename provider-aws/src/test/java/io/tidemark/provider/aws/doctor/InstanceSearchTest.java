package io.tidemark.provider.aws.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.resilience.CallResult;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import io.tidemark.spi.InstanceId;
import io.tidemark.testing.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Which of the instances that nodes name exist")
class InstanceSearchTest {
  private static final String WHERE = "region eu-west-1 of account 111111111111";

  private final List<Integer> requests = new ArrayList<>();
  private Set<String> existing = Set.of();
  private Instance.State state = Instance.State.RUNNING;

  private CompletionStage<CallResult<AwsPage<Instance>>> ask(Set<InstanceId> ids) {
    requests.add(ids.size());
    return CompletableFuture.completedStage(
        new CallResult.Answered<>(
            new AwsPage<>(
                ids.stream()
                    .filter(id -> existing.contains(id.text()))
                    .map(id -> new Instance(id, state, Map.of()))
                    .toList(),
                Optional.empty())));
  }

  private Finding search(int nodes) {
    List<NodeResource> all =
        IntStream.range(0, nodes)
            .mapToObj(i -> Samples.node("node" + i).instanceId(id(i)).build())
            .toList();
    return InstanceSearch.finding(
        new InstanceSearch(AwsTargets.of(all).batches(), this::ask)
            .run()
            .toCompletableFuture()
            .join(),
        nodes,
        WHERE);
  }

  private static String id(int number) {
    return "i-" + (1000 + number);
  }

  @DisplayName("fails only when none does")
  @ParameterizedTest(name = "{0} named, {1} there, {2}: {3}")
  @CsvSource({
    "1, 0, RUNNING, FAILED",
    "3, 0, RUNNING, FAILED",
    "3, 1, RUNNING, WARNING",
    "3, 3, RUNNING, OK",
    "3, 1, TERMINATED, WARNING",
    "1, 1, STOPPED, OK"
  })
  void verdict(int named, int there, Instance.State how, Verdict verdict) {
    existing = Set.copyOf(IntStream.range(0, there).mapToObj(InstanceSearchTest::id).toList());
    state = how;

    Finding finding = search(named);

    assertThat(finding.verdict()).isEqualTo(verdict);
    assertThat(finding.detail()).contains(WHERE);
    assertThat(finding.remedy().contains("Delete the node resources"))
        .isEqualTo(verdict == Verdict.WARNING);
  }

  @Test
  @DisplayName("asks for two hundred at a time, until one is found")
  void batches() {
    existing = Set.of(id(250), id(599));

    Finding finding = search(600);

    assertThat(requests).containsExactly(200, 200);
    assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
    assertThat(finding.detail()).contains("1 of the first 400 exist").contains("and 396 more");
  }

  @Test
  @DisplayName("asks for all before it says that none exists")
  void none() {
    Finding finding = search(401);

    assertThat(requests).containsExactly(200, 200, 1);
    assertThat(finding.detail())
        .isEqualTo("none of 401 exists in " + WHERE + ": i-1000, i-1001, i-1002 and 398 more");
  }
}
