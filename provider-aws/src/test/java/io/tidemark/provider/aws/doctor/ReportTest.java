package io.tidemark.provider.aws.doctor;

import static io.tidemark.provider.aws.doctor.Findings.assertVerdicts;
import static io.tidemark.provider.aws.doctor.Findings.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.provider.aws.ec2.AwsEndpointAnswer;
import io.tidemark.provider.aws.ec2.ConnectionSettings.Role;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What doctor found on AWS")
class ReportTest {
  private static final String ROLE = "arn:aws:iam::222222222222:role/network";

  private static CheckupSettings settings(Optional<String> region, Optional<String> network) {
    return new CheckupSettings(
        region,
        Optional.of("prod"),
        Copies.with(
            EmulatedDoors.settings(URI.create("http://cloud")),
            Map.of(
                "endpoint",
                Optional.empty(),
                "stsEndpoint",
                Optional.empty(),
                "networkRole",
                network.map(arn -> new Role(arn, Optional.empty())))),
        URI.create("http://169.254.169.254"),
        network.isPresent() ? Set.of(Feature.TWO_ACCOUNTS) : Set.of(),
        Set.of(),
        Map.of());
  }

  /** Where all is well, and nothing was probed. */
  private static Report report(String region) {
    CallResult<Identity> identity = told("arn:aws:iam::111111111111:user/one");
    return new Report(
        settings(Optional.of(region), Optional.empty()),
        region,
        List.of(),
        identity,
        identity,
        new CallResult.Answered<>(AwsEndpointAnswer.DONE),
        new CallResult.Answered<>("i-1"),
        new ClusterNaming(new CallResult.Answered<>(Optional.of("prod")), "a test"),
        new Report.Work(failed("none", "none"), Map.of(), Set.of(), failed("none", "none")));
  }

  /**
   * Such a report of eu-west-1 with something else.
   *
   * @param probes as "network DescribeVpcs unauthorized and why"
   */
  private static Report report(Map<String, ?> changes, String... probes) {
    Map<Asked, CallResult<Boolean>> all = new HashMap<>();
    for (String probe : probes) {
      String[] words = (probe + " because").split(" ", 4);
      Ec2Operation operation =
          Stream.of(Ec2Operation.values())
              .filter(each -> each.action().equals(words[1]))
              .findFirst()
              .orElseThrow();
      all.put(new Asked(operation, words[0].equals("network")), failed(words[2], words[3]));
    }
    Report usual = report("eu-west-1");
    Report probed = Copies.with(usual, "work", Copies.with(usual.work(), "probes", all));
    return Copies.with(probed, changes);
  }

  /** The report with another part of its work. */
  private static List<Finding> worked(Report report, String part, Object value) {
    return found(Copies.with(report, "work", Copies.with(report.work(), part, value)));
  }

  private static List<Finding> found(Report report) {
    return report.findings(Optional.empty());
  }

  private static CallResult<Identity> told(String arn) {
    return new CallResult.Answered<>(new Identity("111111111111", arn));
  }

  private static <T> CallResult<T> failed(String condition, String detail) {
    return new CallResult.Failed<>(Failure.of(Failure.Kind.CONFIGURATION, condition, detail));
  }

  @DisplayName("of the clock is judged by what EC2 still accepts")
  @ParameterizedTest(name = "{0} s: {1}, {2}")
  @CsvSource({"-59, OK, 59 s ahead of EC2", "300, FAILED, 300 s behind EC2"})
  void clock(long seconds, Verdict verdict, String detail) {
    Finding finding =
        only(
            report("eu-west-1").findings(Optional.of(Duration.ofSeconds(seconds))),
            "this machine against EC2");

    assertThat(finding.verdict()).isEqualTo(verdict);
    assertThat(finding.detail()).isEqualTo(detail);
    assertThat(finding.remedy().isEmpty()).isEqualTo(verdict == Verdict.OK);
  }

  @Test
  @DisplayName("fails credentials of another partition than the region's")
  void partition() {
    Finding finding = only(found(report("cn-north-1")), "account");

    assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(finding.remedy()).contains("aws-cn");
  }

  @Test
  @DisplayName("names the statement by which a role can be taken on")
  void role() {
    String refusal = "GetCallerIdentity: User is not authorized to perform: sts:AssumeRole";
    List<Finding> findings =
        found(
            report(
                Map.of(
                    "settings", settings(Optional.of("eu-west-1"), Optional.of(ROLE)),
                    "networkIdentity", failed("noCredentials", refusal)),
                "network DescribeVpcs noCredentials " + refusal));

    assertVerdicts(findings, "sts:AssumeRole MISSING", "account of the network UNDECIDABLE");
    assertThat(only(findings, "sts:AssumeRole").snippet()).contains(Permissions.assume(ROLE));
    assertThat(only(findings, "DescribeVpcs").detail()).isEqualTo("the role cannot be taken on");
  }

  @Test
  @DisplayName("fails missing credentials and does not blame endpoints for it")
  void noCredentials() {
    List<Finding> findings =
        found(
            report(
                Map.of(
                    "identity", failed("noCredentials", "none in the chain"),
                    "metadata", failed(Ec2Condition.NOT_SENT.text(), "hop limit"),
                    "endpoint", failed("noCredentials", "none")),
                "network DescribeVpcs noCredentials"));

    assertVerdicts(
        findings,
        "account FAILED",
        "instance metadata WARNING",
        "EC2 of eu-west-1 UNDECIDABLE",
        "STS of eu-west-1 UNDECIDABLE",
        "DescribeVpcs UNDECIDABLE");
    assertThat(only(findings, "account").remedy()).contains("AWS_ACCESS_KEY_ID");
    assertThat(only(findings, "instance metadata").remedy()).contains("hop limit to 2");
  }

  @DisplayName("fails an endpoint that is not EC2, or does not answer, and does not read its clock")
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"answers with HTTP 501", "no such host"})
  void notEc2(String detail) {
    CallResult<AwsEndpointAnswer> told =
        detail.startsWith("answers")
            ? new CallResult.Answered<>(new AwsEndpointAnswer(false, detail))
            : failed(Ec2Condition.NOT_SENT.text(), detail);
    List<Finding> findings =
        report(Map.of("endpoint", told)).findings(Optional.of(Duration.ofMinutes(9)));
    assertVerdicts(findings, "EC2 of eu-west-1 FAILED", "this machine against EC2 UNDECIDABLE");
    assertThat(only(findings, "EC2 of eu-west-1").detail()).isEqualTo(detail);
  }

  @DisplayName(
      "needs one of the two permissions to read security groups, and takes neither for needless else")
  @ParameterizedTest(name = "{0}, the other {1}: {2}")
  @CsvSource({
    "unauthorized, permitted, OK",
    "unauthorized, unauthorized, MISSING",
    "unauthorized, unavailable, MISSING",
    "unauthorized, timeout, MISSING",
    "unauthorized, noCredentials, MISSING",
    "unavailable, permitted, UNDECIDABLE",
    "unavailable, unauthorized, UNDECIDABLE",
    "permitted, unavailable, GRANTED"
  })
  void groupReadTwins(String one, String other, Verdict verdict) {
    List<String> twins = List.of("GetSecurityGroupsForVpc ", "DescribeSecurityGroups ");
    for (int i = 0; i < 2; i++) {
      Report report =
          report(
              Map.of(),
              "network " + twins.get(i) + one,
              "network " + twins.get(1 - i) + other,
              "network DescribeVpcs permitted");
      assertVerdicts(found(report), twins.get(i) + verdict);
    }
  }

  @Test
  @DisplayName(
      "tells a permission of each account apart where both must grant it, and who lacks it")
  void bothAccounts() {
    String network = "arn:aws:sts::222222222222:assumed-role/network/us";
    List<Finding> findings =
        found(
            report(
                Map.of("networkIdentity", told(network)),
                "instances ModifyNetworkInterfaceAttribute permitted",
                "network ModifyNetworkInterfaceAttribute unauthorized",
                "network CreateTags permitted"));
    assertThat(findings)
        .filteredOn(each -> each.subject().startsWith("ec2:"))
        .extracting(Finding::subject, Finding::verdict)
        .containsExactlyInAnyOrder(
            tuple("ec2:ModifyNetworkInterfaceAttribute", Verdict.GRANTED),
            tuple("ec2:ModifyNetworkInterfaceAttribute of the network's account", Verdict.MISSING),
            tuple("ec2:CreateTags", Verdict.GRANTED));
    assertThat(only(findings, "of the network's account").detail())
        .isEqualTo("refused to " + network);
  }

  @Test
  @DisplayName("does not call missing what only nodes could need that it was not told of")
  void unknownNodes() {
    Report report =
        report(
            Map.of(),
            "instances AssignPrivateIpAddresses unauthorized",
            "instances AttachNetworkInterface unauthorized");
    Asked assign = new Asked(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES, false);
    List<Finding> findings = worked(report, "uncertain", Set.of(assign));
    assertVerdicts(
        findings, "AssignPrivateIpAddresses UNDECIDABLE", "AttachNetworkInterface MISSING");
    assertThat(only(findings, "AssignPrivateIpAddresses").remedy())
        .contains("spec.eni.first-interface-index");
  }

  @Test
  @DisplayName("tries no change where a dry run of a read was answered")
  void noDryRuns() {
    Map<Asked, CallResult<?>> probes =
        Map.of(
            new Asked(Ec2Operation.DESCRIBE_VPCS, true),
            new CallResult.Answered<>(true),
            new Asked(Ec2Operation.CREATE_TAGS, true),
            FailureWords.untried(Report.NO_DRY_RUNS));
    Finding finding = only(worked(report("eu-west-1"), "probes", probes), "CreateTags");
    assertThat(finding.verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(finding.detail()).contains("no dry runs");
  }

  @DisplayName("does not need metadata when region and cluster are named")
  @ParameterizedTest(name = "region named: {0}")
  @ValueSource(booleans = {true, false})
  void metadata(boolean named) {
    Optional<String> region = Optional.of("eu-west-1").filter(given -> named);
    Report report =
        report(
            Map.of(
                "settings", settings(region, Optional.empty()),
                "metadata", failed(Ec2Condition.NOT_SENT.text(), "hop limit")));
    Finding finding = only(found(report), "instance metadata");
    assertThat(finding.verdict()).isEqualTo(named ? Verdict.OK : Verdict.WARNING);
    assertThat(finding.remedy().contains("aws-region")).isNotEqualTo(named);
    assertThat(finding.remedy().contains("hop limit to 2")).isNotEqualTo(named);
  }

  @DisplayName("warns when four fifths of the usual quota are in use, and else cannot tell")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"3999, UNDECIDABLE", "4000, WARNING"})
  void quota(int interfaces, Verdict verdict) {
    CallResult<TargetSearch.Count> counted =
        new CallResult.Answered<>(new TargetSearch.Count(interfaces, true, List.of()));
    List<Finding> findings = worked(report("eu-west-1"), "interfaces", counted);
    assertVerdicts(findings, "network interfaces " + verdict);
  }
}
