package io.tidemark.provider.aws.doctor;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  private static Report probed(Report report, Map<Asked, CallResult<Boolean>> probes) {
    return Copies.with(report, "work", Copies.with(report.work(), "probes", probes));
  }

  private static Asked ofNetwork(Ec2Operation operation) {
    return new Asked(operation, true);
  }

  private static CallResult<Identity> told(String arn) {
    return new CallResult.Answered<>(new Identity("111111111111", arn));
  }

  private static <T> CallResult<T> failed(String condition, String detail) {
    return new CallResult.Failed<>(Failure.of(Failure.Kind.CONFIGURATION, condition, detail));
  }

  private static Finding only(List<Finding> findings, String subject) {
    List<Finding> found =
        findings.stream().filter(each -> each.subject().contains(subject)).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
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
    Finding finding = only(report("cn-north-1").findings(Optional.empty()), "account");

    assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(finding.remedy()).contains("aws-cn");
  }

  @Test
  @DisplayName("names the statement by which a role can be taken on")
  void role() {
    String refusal = "GetCallerIdentity: User is not authorized to perform: sts:AssumeRole";
    Report report =
        Copies.with(
            report("eu-west-1"),
            Map.of(
                "settings",
                settings(Optional.of("eu-west-1"), Optional.of(ROLE)),
                "networkIdentity",
                failed(Ec2Condition.NO_CREDENTIALS.text(), refusal)));
    List<Finding> findings =
        probed(
                report,
                Map.of(
                    ofNetwork(Ec2Operation.DESCRIBE_VPCS),
                    failed(Ec2Condition.NO_CREDENTIALS.text(), refusal)))
            .findings(Optional.empty());

    Finding finding = only(findings, "sts:AssumeRole");
    assertThat(finding.verdict()).isEqualTo(Verdict.MISSING);
    assertThat(finding.snippet()).contains(Permissions.assume(ROLE));
    assertThat(only(findings, "account of the network").verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(only(findings, "DescribeVpcs").detail()).isEqualTo("the role cannot be taken on");
  }

  @Test
  @DisplayName("fails missing credentials and does not blame endpoints for it")
  void noCredentials() {
    String condition = Ec2Condition.NO_CREDENTIALS.text();
    List<Finding> findings =
        probed(
                Copies.with(
                    report("eu-west-1"),
                    Map.of(
                        "identity",
                        failed(condition, "none in the chain"),
                        "metadata",
                        failed(Ec2Condition.NOT_SENT.text(), "hop limit"),
                        "endpoint",
                        failed(condition, "none"))),
                Map.of(ofNetwork(Ec2Operation.DESCRIBE_VPCS), failed(condition, "none")))
            .findings(Optional.empty());

    assertThat(only(findings, "account").verdict()).isEqualTo(Verdict.FAILED);
    assertThat(only(findings, "account").remedy()).contains("AWS_ACCESS_KEY_ID");
    assertThat(only(findings, "instance metadata").verdict()).isEqualTo(Verdict.WARNING);
    assertThat(only(findings, "instance metadata").remedy()).contains("hop limit to 2");
    assertThat(only(findings, "EC2 of eu-west-1").verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(only(findings, "STS of eu-west-1").verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(only(findings, "DescribeVpcs").verdict()).isEqualTo(Verdict.UNDECIDABLE);
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
        Copies.with(report("eu-west-1"), "endpoint", told)
            .findings(Optional.of(Duration.ofMinutes(9)));
    assertThat(only(findings, "EC2 of eu-west-1").verdict()).isEqualTo(Verdict.FAILED);
    assertThat(only(findings, "EC2 of eu-west-1").detail()).isEqualTo(detail);
    assertThat(only(findings, "this machine against EC2").verdict()).isEqualTo(Verdict.UNDECIDABLE);
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
    List<Ec2Operation> twins =
        List.of(Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC, Ec2Operation.DESCRIBE_SECURITY_GROUPS);
    for (int i = 0; i < 2; i++) {
      Report report =
          probed(
              report("eu-west-1"),
              Map.of(
                  ofNetwork(twins.get(i)), failed(one, "because"),
                  ofNetwork(twins.get(1 - i)), failed(other, "because"),
                  ofNetwork(Ec2Operation.DESCRIBE_VPCS), failed("permitted", "yes")));
      assertThat(only(report.findings(Optional.empty()), twins.get(i).action()).verdict())
          .isEqualTo(verdict);
    }
  }

  @Test
  @DisplayName(
      "tells a permission of each account apart where both must grant it, and who lacks it")
  void bothAccounts() {
    String network = "arn:aws:sts::222222222222:assumed-role/network/us";
    Ec2Operation modify = Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE;
    List<Finding> findings =
        probed(
                Copies.with(report("eu-west-1"), "networkIdentity", told(network)),
                Map.of(
                    new Asked(modify, false),
                    failed(Ec2Condition.PERMITTED.text(), "yes"),
                    ofNetwork(modify),
                    failed(Ec2Condition.UNAUTHORIZED.text(), "no"),
                    ofNetwork(Ec2Operation.CREATE_TAGS),
                    failed("permitted", "yes")))
            .findings(Optional.empty());
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
    Asked assign = new Asked(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES, false);
    Asked attach = new Asked(Ec2Operation.ATTACH_NETWORK_INTERFACE, false);
    Report usual = report("eu-west-1");
    CallResult<Boolean> refused = failed(Ec2Condition.UNAUTHORIZED.text(), "no");
    List<Finding> findings =
        Copies.with(
                usual,
                "work",
                Copies.with(
                    usual.work(),
                    Map.of(
                        "probes",
                        Map.of(assign, refused, attach, refused),
                        "uncertain",
                        Set.of(assign))))
            .findings(Optional.empty());
    Finding finding = only(findings, "AssignPrivateIpAddresses");
    assertThat(finding.verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(finding.remedy()).contains("spec.eni.first-interface-index");
    assertThat(only(findings, "AttachNetworkInterface").verdict()).isEqualTo(Verdict.MISSING);
  }

  @Test
  @DisplayName("tries no change where a dry run of a read was answered")
  void noDryRuns() {
    Report report =
        probed(
            report("eu-west-1"),
            Map.of(
                ofNetwork(Ec2Operation.DESCRIBE_VPCS),
                new CallResult.Answered<>(true),
                ofNetwork(Ec2Operation.CREATE_TAGS),
                FailureWords.untried(Report.NO_DRY_RUNS)));
    Finding finding = only(report.findings(Optional.empty()), "CreateTags");
    assertThat(finding.verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(finding.detail()).contains("no dry runs");
  }

  @DisplayName("does not need metadata when region and cluster are named")
  @ParameterizedTest(name = "region named: {0}")
  @ValueSource(booleans = {true, false})
  void metadata(boolean named) {
    Optional<String> region = Optional.of("eu-west-1").filter(given -> named);
    Finding finding =
        only(
            Copies.with(
                    report("eu-west-1"),
                    Map.of(
                        "settings",
                        settings(region, Optional.empty()),
                        "metadata",
                        failed(Ec2Condition.NOT_SENT.text(), "hop limit")))
                .findings(Optional.empty()),
            "instance metadata");
    assertThat(finding.verdict()).isEqualTo(named ? Verdict.OK : Verdict.WARNING);
    assertThat(finding.remedy().contains("aws-region")).isNotEqualTo(named);
    assertThat(finding.remedy().contains("hop limit to 2")).isNotEqualTo(named);
  }

  @DisplayName("warns when four fifths of the usual quota are in use, and else cannot tell")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"3999, UNDECIDABLE", "4000, WARNING"})
  void quota(int interfaces, Verdict verdict) {
    Report usual = report("eu-west-1");
    CallResult<TargetSearch.Count> counted =
        new CallResult.Answered<>(new TargetSearch.Count(interfaces, true, List.of()));
    List<Finding> findings =
        Copies.with(usual, "work", Copies.with(usual.work(), "interfaces", counted))
            .findings(Optional.empty());
    assertThat(only(findings, "network interfaces").verdict()).isEqualTo(verdict);
  }
}
