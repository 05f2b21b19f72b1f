package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.Failure;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What EC2's errors mean")
class Ec2ErrorClassifierTest {
  private static final Ec2ErrorClassifier CLASSIFIER = new Ec2ErrorClassifier();

  private static Failure meant(Ec2Operation operation, String code, String text, int status) {
    return CLASSIFIER.classify(operation.kind(), Ec2Failure.refused(code, text, status, "req-1"));
  }

  @DisplayName("name the action of the service that owns it")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "GetCallerIdentity, sts:GetCallerIdentity",
    "DescribeSubnets, ec2:DescribeSubnets",
    "CreateTags, ec2:CreateTags",
    "InstanceMetadata, InstanceMetadata"
  })
  void action(String kind, String action) {
    Failure failure =
        CLASSIFIER.classify(
            new CallKind(kind, Effect.READ),
            Ec2Failure.refused("AccessDenied", "not you", 403, "req-1"));

    assertThat(failure.detail()).isEqualTo(action + ": AccessDenied: not you (request req-1)");
  }

  @DisplayName("hold nothing that signs requests, on one line")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "The signature does not match.\n\nThe Canonical String should have been\n'POST\n/\n\n"
            + "host:ec2.eu-west-1.amazonaws.com\nx-amz-security-token:SECRET/+=\n\nhost'",
        "Authorization=AWS4-HMAC-SHA256 Credential=SECRET/20260101/eu-west-1/ec2/aws4_request,"
            + " SignedHeaders=host, Signature=SECRET",
        "https://sts/?Action=AssumeRole&X-Amz-Security-Token=SECRET&X-Amz-Signature=SECRET&x=1",
        "cannot parse {aws_secret_access_key = 'SECRET', sessionToken: \"SECRET\"}"
      })
  void withoutSecrets(String text) {
    for (Ec2Failure failure :
        List.of(
            Ec2Failure.refused("SignatureDoesNotMatch", text, 403, ""),
            Ec2Failure.unanswered(Ending.NO_CREDENTIALS, text, null),
            Ec2Failure.unanswered(Ending.ANSWER_LOST, text, null))) {
      String detail = CLASSIFIER.classify(Ec2Operation.DESCRIBE_VPCS.kind(), failure).detail();
      assertThat(detail).doesNotContain("SECRET").doesNotContain("\n").contains("***");
    }
  }

  @DisplayName("AWS-95 AWS-96 every row of the table of errors has its class and its reaction")
  @ParameterizedTest(name = "AWS-95 {0} {2}: {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DescribeSubnets | 503 | RequestLimitExceeded | Request limit exceeded. | THROTTLED | THROTTLED
          DescribeSubnets | 400 | EC2ThrottledException | Slow down | THROTTLED | THROTTLED
          AssignPrivateIpAddresses | 400 | Throttling | Rate exceeded | THROTTLED | THROTTLED
          AssignPrivateIpAddresses | 400 | InsufficientCidrBlocks | The specified subnet does not have enough free cidr blocks to satisfy the request | PREFIX_EXHAUSTED | CAPACITY
          CreateNetworkInterface | 400 | InsufficientCidrBlocks | There are not enough free cidr blocks in the specified subnet to satisfy the request. | PREFIX_EXHAUSTED | CAPACITY
          AssignPrivateIpAddresses | 400 | InvalidParameterValue | There aren't sufficient free Ipv4 addresses or prefixes | SUBNET_EXHAUSTED | CAPACITY
          CreateNetworkInterface | 400 | InsufficientFreeAddressesInSubnet | The specified subnet does not have enough free addresses to satisfy the request. | SUBNET_EXHAUSTED | CAPACITY
          AssignPrivateIpAddresses | 400 | PrivateIpAddressLimitExceeded | Number of private addresses will exceed limit. | ENI_FULL | CONFLICT
          AttachNetworkInterface | 400 | InvalidInterface.IpAddressLimitExceeded | Address count 7 on interface-0 exceeds the limit for t3.medium | ENI_TOO_BIG | CONFLICT
          AttachNetworkInterface | 400 | AttachmentLimitExceeded | Interface count 4 exceeds the limit for m5.large | INSTANCE_FULL | CAPACITY
          AttachNetworkInterface | 400 | InvalidParameterValue | Instance 'i-1' already has an interface attached at device index '1'. | INDEX_CONFLICT | CONFLICT
          AttachNetworkInterface | 400 | IncorrectState | Instance 'i-1' is not 'running' or 'stopped'. | INSTANCE_NOT_RUNNING | NOT_RUNNING
          AttachNetworkInterface | 400 | SomethingNew | Instance i-1 is not 'running'. | INSTANCE_NOT_RUNNING | NOT_RUNNING
          AttachNetworkInterface | 400 | IncorrectInstanceState | The instance is shutting down | INSTANCE_NOT_RUNNING | NOT_RUNNING
          DetachNetworkInterface | 400 | IncorrectState | The attachment 'eni-attach-1' is being detached already. | INCORRECT_STATE | CONFLICT
          AttachNetworkInterface | 400 | InvalidInstanceID.NotFound | The instance ID 'i-1' does not exist | INSTANCE_GONE | NOT_FOUND
          DeleteNetworkInterface | 400 | InvalidNetworkInterfaceID.NotFound | The networkInterface ID 'eni-1' does not exist | ENI_GONE | NOT_FOUND
          DeleteNetworkInterface | 400 | InvalidNetworkInterface.InUse | Interface in use | ENI_IN_USE | CONFLICT
          DeleteNetworkInterface | 400 | InvalidParameterValue | Network interface 'eni-1' is currently in use. | ENI_IN_USE | CONFLICT
          DetachNetworkInterface | 400 | InvalidAttachmentID.NotFound | The network interface attachment ID 'a' does not exist | ATTACHMENT_GONE | NOT_FOUND
          UnassignPrivateIpAddresses | 400 | InvalidIPAddress.InUse | Address 10.0.0.9 is in use. | ALREADY_RELEASED | CONFLICT
          UnassignPrivateIpAddresses | 400 | InvalidParameterValue | Some of the specified addresses are not assigned to interface eni-1 | ALREADY_RELEASED | CONFLICT
          CreateNetworkInterface | 400 | InvalidIPAddress.InUse | The specified address is already in use. | ADDRESS_IN_USE | CONFLICT
          CreateNetworkInterface | 400 | NetworkInterfaceLimitExceeded | Too many | REGION_QUOTA | CAPACITY
          CreateNetworkInterface | 400 | SecurityGroupsPerInterfaceLimitExceeded | The maximum number of security groups per interface has been reached. | BAD_CONFIG | CONFIGURATION
          CreateNetworkInterface | 400 | TagLimitExceeded | The maximum number of Tags for a resource has been reached. | BAD_CONFIG | CONFIGURATION
          CreateNetworkInterface | 400 | InvalidGroup.NotFound | The security group 'sg-1' does not exist | STALE_NETWORK | CONFIGURATION
          CreateNetworkInterface | 400 | InvalidSubnetID.NotFound | The subnet ID 'subnet-1' does not exist | STALE_NETWORK | CONFIGURATION
          CreateNetworkInterface | 400 | InvalidParameterValue | Security group sg-1 and subnet subnet-1 belong to different networks. | STALE_NETWORK | CONFIGURATION
          CreateNetworkInterface | 400 | InvalidParameter | Security group sg-1 and subnet subnet-1 belong to different networks. | STALE_NETWORK | CONFIGURATION
          CreateNetworkInterface | 400 | InvalidParameterValue | Tag value cannot be null. Use empty string instead. | BAD_CONFIG | CONFIGURATION
          CreateNetworkInterface | 403 | UnauthorizedOperation | You are not authorized to perform this operation. | UNAUTHORIZED | CONFIGURATION
          DescribeSubnets | 403 | AccessDenied | User is not authorized | UNAUTHORIZED | CONFIGURATION
          DescribeSubnets | 401 | AuthFailure | AWS was not able to validate the provided access credentials | NO_CREDENTIALS | CONFIGURATION
          AttachNetworkInterface | 403 | AuthFailure | You do not own the resource | UNAUTHORIZED | CONFIGURATION
          DescribeSubnets | 400 | RequestExpired | Request has expired. | NO_CREDENTIALS | CONFIGURATION
          DescribeSubnets | 403 | ExpiredToken | The security token included in the request is expired | NO_CREDENTIALS | CONFIGURATION
          DescribeSubnets | 403 | SignatureDoesNotMatch | Signature expired | NO_CREDENTIALS | CONFIGURATION
          CreateNetworkInterface | 400 | IdempotentParameterMismatch | Other parameters | TOKEN_MISMATCH | CONFLICT
          GetSecurityGroupsForVpc | 400 | InvalidAction | Could not find operation GetSecurityGroupsForVpc | UNSUPPORTED | CONFIGURATION
          GetSecurityGroupsForVpc | 400 | UnsupportedOperation | Not here | UNSUPPORTED | CONFIGURATION
          DescribeNetworkInterfaces | 400 | OperationNotPermitted | Use pagination | BUG | CONFIGURATION
          DetachNetworkInterface | 400 | OperationNotPermitted | You are not allowed to manage 'ela-attach' attachments | NOT_OURS | CONFIGURATION
          DescribeNetworkInterfaces | 400 | InvalidParameterCombination | MaxResults with ids | BUG | CONFIGURATION
          AssociateAddress | 400 | AddressLimitExceeded | The maximum number of addresses has been reached. | ADDRESS_CONFLICT | CONFLICT
          AssociateAddress | 400 | InvalidAllocationID.NotFound | No such address | ADDRESS_CONFLICT | CONFLICT
          AssociateAddress | 400 | Resource.AlreadyAssociated | Taken | ADDRESS_CONFLICT | CONFLICT
          CreateNetworkInterface | 412 | DryRunOperation | Request would have succeeded, but DryRun flag is set. | PERMITTED | CONFIGURATION
          DescribeSubnets | 500 | InternalError | An internal error has occurred | UNAVAILABLE | TRANSIENT
          DescribeSubnets | 503 | Unavailable | The server is overloaded | UNAVAILABLE | TRANSIENT
          DescribeSubnets | 503 | ServiceUnavailable | Unavailable | UNAVAILABLE | TRANSIENT
          DescribeSubnets | 502 | Whatever | Bad gateway | UNAVAILABLE | TRANSIENT
          AssignPrivateIpAddresses | 500 | InternalError | An internal error has occurred | UNAVAILABLE | LOST
          DescribeSubnets | 429 | Whatever | Too many | THROTTLED | THROTTLED
          DescribeSubnets | 400 | SomethingNew | Never seen | OTHER | CONFIGURATION
          """)
  void table(
      String action, int status, String code, String text, Ec2Condition is, Failure.Kind kind) {
    Ec2Operation operation =
        Arrays.stream(Ec2Operation.values())
            .filter(each -> each.action().equals(action))
            .findFirst()
            .orElseThrow();
    Failure failure = meant(operation, code, text, status);
    assertThat(Ec2Condition.of(failure)).isEqualTo(is);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.detail()).contains("ec2:" + action, code, "req-1");
    for (String form : List.of("Client.", "Server.")) {
      Failure otherForm = meant(operation, form + code, text, status);
      assertThat(Ec2Condition.of(otherForm)).as("CloudTrail's form").isEqualTo(is);
      assertThat(otherForm.kind()).isEqualTo(kind);
    }
  }

  @Test
  @DisplayName("AWS-95 one text means prefixes where prefixes were asked for")
  void prefixesAsked() {
    Ec2Failure refused =
        Ec2Failure.refused(
            "InvalidParameterValue",
            "There aren't sufficient free Ipv4 addresses or prefixes",
            400,
            "");
    Failure meant =
        CLASSIFIER.classify(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES.kind(), refused.ofPrefixes());
    assertThat(Ec2Condition.of(meant)).isEqualTo(Ec2Condition.PREFIX_EXHAUSTED);
  }

  @DisplayName("AWS-95 what has no answer is lost, or was never sent")
  @ParameterizedTest(name = "AWS-95 {0}: {1}, {2}")
  @CsvSource({
    "ANSWER_LOST,    ANSWER_LOST, LOST",
    "NOT_SENT,       NOT_SENT,    TRANSIENT",
    "NO_CREDENTIALS, NO_CREDENTIALS, CONFIGURATION"
  })
  void unanswered(Ending ending, Ec2Condition is, Failure.Kind kind) {
    Failure failure =
        CLASSIFIER.classify(
            Ec2Operation.ATTACH_NETWORK_INTERFACE.kind(),
            Ec2Failure.unanswered(ending, "why", null));
    assertThat(Ec2Condition.of(failure)).isEqualTo(is);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.detail()).contains("AttachNetworkInterface", "why");
  }

  @Test
  @DisplayName("AWS-95 what nobody foresaw is lost, and long texts are cut")
  void unforeseen() {
    Failure failure =
        CLASSIFIER.classify(
            Ec2Operation.ATTACH_NETWORK_INTERFACE.kind(),
            new IllegalStateException("x".repeat(10_000)));
    assertThat(failure.kind()).isEqualTo(Failure.Kind.LOST);
    assertThat(failure.detail()).hasSizeLessThan(500);
  }

  @DisplayName("Only bad credentials stop the account; a denied operation stops itself (M10)")
  @ParameterizedTest(name = "{0}")
  @EnumSource(Ec2Condition.class)
  void account(Ec2Condition condition) {
    assertThat(CLASSIFIER.stopsAccount(condition.failure("detail")))
        .isEqualTo(condition == Ec2Condition.NO_CREDENTIALS);
  }

  @Test
  @DisplayName("Conditions are short labels, each its own")
  void labels() {
    assertThat(Arrays.stream(Ec2Condition.values()).map(Ec2Condition::text))
        .doesNotHaveDuplicates()
        .allMatch(text -> text.matches("[a-z][A-Za-z]{2,30}"));
  }

  @Test
  @DisplayName("An error of EC2's own is repeated after a read, and is a lost answer of a change")
  void changes() {
    for (Ec2Operation operation : Ec2Operation.values()) {
      Failure failure = meant(operation, "InternalError", "An internal error has occurred", 500);
      assertThat(failure.kind())
          .as(operation.action())
          .isEqualTo(
              operation.kind().effect() == Effect.READ
                  ? Failure.Kind.TRANSIENT
                  : Failure.Kind.LOST);
    }
  }
}
