package io.tidemark.provider.aws.doctor;

import static io.tidemark.provider.aws.doctor.Findings.assertVerdicts;
import static io.tidemark.provider.aws.doctor.Findings.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The strict EC2 over a socket; how long requests and answers travel is virtual. */
@DisplayName("A checkup reports within its time")
class CheckupTimeTest {
  private static final Duration USUAL = Duration.ofSeconds(60);
  private static final EffectFate AT_ONCE =
      EffectFate.answered(Duration.ofMillis(10), Duration.ofMillis(10));
  private static final EffectFate NEVER = EffectFate.requestLost();

  private final VirtualTime time = new VirtualTime(1_767_225_600_000L);
  private final List<String> sent = new ArrayList<>();
  private Ec2Emulator.Listening ec2;
  private Duration took = Duration.ZERO;

  @BeforeEach
  void listen() throws IOException {
    ec2 = Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
  }

  @AfterEach
  void close() {
    ec2.close();
  }

  private List<Finding> checkup(
      Duration limit, Function<String, EffectFate> fates, List<NodeResource> nodes) {
    StandardCloudCallsFactory factory =
        new StandardCloudCallsFactory(
            CloudCallsConfig.defaults(),
            time,
            time.effects(
                (site, timeout) -> {
                  sent.add(site.operation());
                  return fates.apply(site.operation());
                }),
            new Random(7),
            Meters.none(),
            LearnedRates.NONE,
            Fence.OPEN);
    CallPolicy policy = AwsCheckup.policy("own", "eu-west-1", 1);
    URI at = ec2.endpoint();
    AwsCheckup checkup =
        new AwsCheckup(
            new CheckupSettings(
                Optional.of("eu-west-1"),
                Optional.of("prod"),
                EmulatedDoors.settings(URI.create("http://cloud")),
                URI.create("http://metadata"),
                Set.of(Feature.RELEASE),
                Set.of(),
                Map.of()),
            region -> EmulatedDoors.clients(at, region, 8),
            path -> Optional.of("i-1"),
            factory.create(policy),
            factory.create(policy),
            time);
    long began = time.nanos();
    CompletableFuture<List<Finding>> end =
        checkup
            .run(
                nodes,
                CallContext.of(
                    "",
                    Priority.of(Priority.Rank.VERIFY),
                    began + limit.toNanos(),
                    new Cancellation()))
            .thenApply(
                found -> {
                  took = Duration.ofNanos(time.nanos() - began);
                  return found;
                })
            .toCompletableFuture();
    time.runUntil(began + limit.toNanos());
    assertThat(end).as("ends by its deadline").isDone();
    checkup.close();
    return end.join();
  }

  private static List<NodeResource> nodes() {
    return List.of(Samples.node("node1").instanceId("i-0123456789abcdef0").build());
  }

  private static List<Verdict> permissions(List<Finding> findings) {
    return findings.stream()
        .filter(each -> each.area().equals("permission"))
        .map(Finding::verdict)
        .distinct()
        .toList();
  }

  @Test
  @DisplayName("of an endpoint that accepts and never answers, with its diagnosis and every area")
  void neverAnswers() {
    List<Finding> findings = checkup(USUAL, operation -> NEVER, nodes());

    assertThat(took).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(22));
    assertVerdicts(findings, "EC2 at http://cloud FAILED", "STS at http://cloud WARNING");
    assertThat(only(findings, "EC2 at http://cloud").detail())
        .contains("not answered within PT10S");
    assertThat(permissions(findings)).containsExactly(Verdict.UNDECIDABLE);
    assertThat(findings.stream().map(Finding::area).distinct())
        .contains("identity", "endpoint", "clock", "nodes", "permission", "quota", "cluster");
    assertThat(sent).doesNotContain("CreateNetworkInterface", "DescribeSubnets");
  }

  @Test
  @DisplayName("with what was waited for, where the time is too short for a diagnosis")
  void tooShort() {
    List<Finding> findings = checkup(Duration.ofSeconds(5), operation -> NEVER, nodes());

    assertVerdicts(
        findings,
        "EC2 at http://cloud UNFINISHED",
        "account UNFINISHED",
        "instances that UNFINISHED");
    assertThat(only(findings, "EC2 at http://cloud").detail())
        .isEqualTo("DescribeInstances timed out");
    assertThat(permissions(findings)).containsExactly(Verdict.UNFINISHED);
    assertThat(only(findings, "ec2:DescribeVpcs").detail())
        .isEqualTo("not asked in time: EC2's endpoint had not answered yet");
    assertThat(findings)
        .allSatisfy(each -> assertThat(each.verdict().isWrong()).as(each.subject()).isFalse());
  }

  @Test
  @DisplayName("whole, where every answer takes nine seconds")
  void slow() {
    EffectFate slow = EffectFate.answered(Duration.ofSeconds(4), Duration.ofSeconds(5));

    List<Finding> findings =
        checkup(USUAL, operation -> operation.equals("InstanceMetadata") ? AT_ONCE : slow, nodes());

    assertThat(findings).noneMatch(each -> each.verdict() == Verdict.UNFINISHED);
    assertVerdicts(findings, "EC2 at http://cloud OK", "ec2:DescribeVpcs GRANTED");
    assertThat(took).isLessThan(Duration.ofSeconds(50));
  }

  @DisplayName("where one operation alone never answers, with the state of all others")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GetCallerIdentity",
        "InstanceMetadata",
        "DescribeVpcs",
        "DescribeNetworkInterfaces",
        "AssignPrivateIpAddresses"
      })
  void oneNeverAnswers(String silent) {
    List<Finding> findings =
        checkup(
            Duration.ofSeconds(30),
            operation -> operation.equals(silent) ? NEVER : AT_ONCE,
            nodes());

    assertVerdicts(
        findings,
        "EC2 at http://cloud OK",
        "ec2:DescribeSubnets GRANTED",
        "ec2:DescribeRouteTables GRANTED");
  }

  @Test
  @DisplayName("whole and soon, where everything answers; and says that no instance is there")
  void elsewhere() {
    List<Finding> findings = checkup(USUAL, operation -> AT_ONCE, nodes());

    assertThat(took).isLessThan(Duration.ofSeconds(1));
    Finding instances = only(findings, "instances that");
    assertThat(instances.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(instances.detail())
        .isEqualTo(
            "none of 1 exists in region eu-west-1 of account 111111111111: i-0123456789abcdef0");
    assertThat(instances.remedy()).contains("Keep the node resources").doesNotContain("Delete");
    assertThat(findings)
        .filteredOn(each -> each.verdict().isWrong() && !each.area().equals("clock"))
        .containsExactly(instances);
  }
}
