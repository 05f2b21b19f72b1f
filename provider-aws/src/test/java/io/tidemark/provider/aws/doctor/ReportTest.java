package io.tidemark.provider.aws.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.provider.aws.ec2.AwsEndpointAnswer;
import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What doctor found on AWS")
class ReportTest {
  private static final String ROLE = "arn:aws:iam::222222222222:role/network";

  private static CheckupSettings settings(Optional<String> region, Optional<String> network) {
    return new CheckupSettings(
        region,
        Optional.of("prod"),
        new CheckupSettings.Endpoints(Optional.empty(), Optional.empty(), "http://169.254.169.254"),
        new CheckupSettings.Roles(Optional.empty(), network),
        network.isPresent() ? Set.of(Feature.TWO_ACCOUNTS) : Set.of(),
        Set.of(),
        Map.of());
  }

  private static Report report(String region) {
    Report report = new Report(settings(Optional.of(region), Optional.of(ROLE)), region);
    report.identity(told("arn:aws:iam::111111111111:user/one"));
    report.metadata(new CallResult.Answered<>("i-1"));
    report.endpoint(new CallResult.Answered<>(AwsEndpointAnswer.DONE));
    return report;
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
    Report report = report("eu-west-1");
    String refusal = "GetCallerIdentity: User is not authorized to perform: sts:AssumeRole";
    report.networkIdentity(failed(Ec2Condition.NO_CREDENTIALS.text(), refusal));
    report.tried(
        Map.of(
            Asked.ofNetwork(Ec2Operation.DESCRIBE_VPCS),
            failed(Ec2Condition.NO_CREDENTIALS.text(), refusal)));

    Finding finding = only(report.findings(Optional.empty()), "sts:AssumeRole");
    assertThat(finding.verdict()).isEqualTo(Verdict.MISSING);
    assertThat(finding.snippet()).contains(Permissions.assume(ROLE));
    assertThat(only(report.findings(Optional.empty()), "account of the network").verdict())
        .isEqualTo(Verdict.UNDECIDABLE);
    assertThat(only(report.findings(Optional.empty()), "DescribeVpcs").detail())
        .isEqualTo("the role cannot be taken on");
  }

  @Test
  @DisplayName("fails missing credentials and does not blame endpoints for it")
  void noCredentials() {
    Report report = new Report(settings(Optional.of("eu-west-1"), Optional.empty()), "eu-west-1");
    report.identity(failed(Ec2Condition.NO_CREDENTIALS.text(), "none in the chain"));
    report.metadata(failed(Ec2Condition.NOT_SENT.text(), "hop limit"));
    report.endpoint(failed(Ec2Condition.NO_CREDENTIALS.text(), "none"));
    report.tried(
        Map.of(
            Asked.ofNetwork(Ec2Operation.DESCRIBE_VPCS),
            failed(Ec2Condition.NO_CREDENTIALS.text(), "none")));

    List<Finding> findings = report.findings(Optional.empty());
    assertThat(only(findings, "account").verdict()).isEqualTo(Verdict.FAILED);
    assertThat(only(findings, "account").remedy()).contains("AWS_ACCESS_KEY_ID");
    assertThat(only(findings, "instance metadata").verdict()).isEqualTo(Verdict.WARNING);
    assertThat(only(findings, "instance metadata").remedy()).contains("hop limit to 2");
    assertThat(only(findings, "EC2 of eu-west-1").verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(only(findings, "STS of eu-west-1").verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(only(findings, "DescribeVpcs").verdict()).isEqualTo(Verdict.UNDECIDABLE);
  }

  @Test
  @DisplayName("fails an endpoint where something else answers, and does not read its clock")
  void notEc2() {
    Report report = report("eu-west-1");
    report.endpoint(
        new CallResult.Answered<>(new AwsEndpointAnswer(false, "answers with HTTP 501")));

    List<Finding> findings = report.findings(Optional.of(Duration.ofMinutes(9)));
    assertThat(only(findings, "EC2 of eu-west-1").verdict()).isEqualTo(Verdict.FAILED);
    assertThat(only(findings, "EC2 of eu-west-1").detail()).isEqualTo("answers with HTTP 501");
    assertThat(only(findings, "this machine against EC2").verdict()).isEqualTo(Verdict.UNDECIDABLE);
  }

  @Test
  @DisplayName("fails an endpoint that does not answer")
  void unreachable() {
    Report report = report("eu-west-1");
    report.endpoint(failed(Ec2Condition.NOT_SENT.text(), "no such host"));

    Finding finding = only(report.findings(Optional.empty()), "EC2 of eu-west-1");
    assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(finding.detail()).isEqualTo("no such host");
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
  void groupReadTwins(String light, String full, Verdict verdict) {
    Report report = report("eu-west-1");
    report.tried(
        Map.of(
            Asked.ofNetwork(Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC), failed(light, "because"),
            Asked.ofNetwork(Ec2Operation.DESCRIBE_SECURITY_GROUPS), failed(full, "because"),
            Asked.ofNetwork(Ec2Operation.DESCRIBE_VPCS),
                failed(Ec2Condition.PERMITTED.text(), "yes")));

    assertThat(only(report.findings(Optional.empty()), "GetSecurityGroupsForVpc").verdict())
        .isEqualTo(verdict);
    report = report("eu-west-1");
    report.tried(
        Map.of(
            Asked.ofNetwork(Ec2Operation.DESCRIBE_SECURITY_GROUPS), failed(light, "because"),
            Asked.ofNetwork(Ec2Operation.GET_SECURITY_GROUPS_FOR_VPC), failed(full, "because"),
            Asked.ofNetwork(Ec2Operation.DESCRIBE_VPCS),
                failed(Ec2Condition.PERMITTED.text(), "yes")));
    assertThat(only(report.findings(Optional.empty()), "DescribeSecurityGroups").verdict())
        .isEqualTo(verdict);
  }

  @Test
  @DisplayName(
      "tells a permission of each account apart where both must grant it, and who lacks it")
  void bothAccounts() {
    Report report = report("eu-west-1");
    report.networkIdentity(told("arn:aws:sts::222222222222:assumed-role/network/us"));
    Ec2Operation modify = Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE;
    report.tried(
        Map.of(
            Asked.ofInstances(modify), failed(Ec2Condition.PERMITTED.text(), "yes"),
            Asked.ofNetwork(modify), failed(Ec2Condition.UNAUTHORIZED.text(), "no"),
            Asked.ofNetwork(Ec2Operation.CREATE_TAGS),
                failed(Ec2Condition.PERMITTED.text(), "yes")));

    List<Finding> findings = report.findings(Optional.empty());
    assertThat(findings)
        .filteredOn(each -> each.subject().startsWith("ec2:"))
        .extracting(Finding::subject, Finding::verdict)
        .containsExactlyInAnyOrder(
            tuple("ec2:ModifyNetworkInterfaceAttribute", Verdict.GRANTED),
            tuple("ec2:ModifyNetworkInterfaceAttribute of the network's account", Verdict.MISSING),
            tuple("ec2:CreateTags", Verdict.GRANTED));
    assertThat(only(findings, "of the network's account").detail())
        .isEqualTo("refused to arn:aws:sts::222222222222:assumed-role/network/us");
  }

  @Test
  @DisplayName("does not call missing what only nodes could need that it was not told of")
  void unknownNodes() {
    Asked assign = Asked.ofInstances(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES);
    Asked attach = Asked.ofInstances(Ec2Operation.ATTACH_NETWORK_INTERFACE);
    Report report = report("eu-west-1");
    report.uncertain(Set.of(assign));
    report.tried(
        Map.of(
            assign, failed(Ec2Condition.UNAUTHORIZED.text(), "no"),
            attach, failed(Ec2Condition.UNAUTHORIZED.text(), "no")));

    Finding finding = only(report.findings(Optional.empty()), "AssignPrivateIpAddresses");
    assertThat(finding.verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(finding.remedy()).contains("spec.eni.first-interface-index");
    assertThat(only(report.findings(Optional.empty()), "AttachNetworkInterface").verdict())
        .isEqualTo(Verdict.MISSING);
  }

  @Test
  @DisplayName("tries no change where a dry run of a read was answered")
  void noDryRuns() {
    Report report = report("eu-west-1");
    report.tried(
        Map.of(
            Asked.ofNetwork(Ec2Operation.DESCRIBE_VPCS),
            new CallResult.Answered<>(true),
            Asked.ofNetwork(Ec2Operation.CREATE_TAGS),
            FailureWords.untried(Report.NO_DRY_RUNS)));

    Finding finding = only(report.findings(Optional.empty()), "CreateTags");
    assertThat(finding.verdict()).isEqualTo(Verdict.UNDECIDABLE);
    assertThat(finding.detail()).contains("no dry runs");
  }

  @Test
  @DisplayName("does not need metadata when region and cluster are named")
  void metadata() {
    Report named = new Report(settings(Optional.of("eu-west-1"), Optional.empty()), "eu-west-1");
    named.metadata(failed(Ec2Condition.NOT_SENT.text(), "hop limit"));
    Report unnamed = new Report(settings(Optional.empty(), Optional.empty()), "eu-west-1");
    unnamed.metadata(failed(Ec2Condition.NOT_SENT.text(), "hop limit"));

    assertThat(only(named.findings(Optional.empty()), "instance metadata").verdict())
        .isEqualTo(Verdict.OK);
    Finding finding = only(unnamed.findings(Optional.empty()), "instance metadata");
    assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
    assertThat(finding.remedy()).contains("aws-region").contains("hop limit to 2");
  }

  @DisplayName("warns when four fifths of the usual quota are in use, and else cannot tell")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"3999, UNDECIDABLE", "4000, WARNING"})
  void quota(int interfaces, Verdict verdict) {
    Report report = report("eu-west-1");
    report.interfaces(
        new CallResult.Answered<>(new TargetSearch.Count(interfaces, true, List.of())));

    assertThat(only(report.findings(Optional.empty()), "network interfaces").verdict())
        .isEqualTo(verdict);
  }
}
