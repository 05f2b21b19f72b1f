package io.tidemark.provider.aws.ec2;

import static io.tidemark.provider.aws.ec2.Ec2Condition.ADDRESS_CONFLICT;
import static io.tidemark.provider.aws.ec2.Ec2Condition.ADDRESS_IN_USE;
import static io.tidemark.provider.aws.ec2.Ec2Condition.ALREADY_RELEASED;
import static io.tidemark.provider.aws.ec2.Ec2Condition.ANSWER_LOST;
import static io.tidemark.provider.aws.ec2.Ec2Condition.ATTACHMENT_GONE;
import static io.tidemark.provider.aws.ec2.Ec2Condition.BAD_CONFIG;
import static io.tidemark.provider.aws.ec2.Ec2Condition.BUG;
import static io.tidemark.provider.aws.ec2.Ec2Condition.ENI_FULL;
import static io.tidemark.provider.aws.ec2.Ec2Condition.ENI_GONE;
import static io.tidemark.provider.aws.ec2.Ec2Condition.ENI_IN_USE;
import static io.tidemark.provider.aws.ec2.Ec2Condition.ENI_TOO_BIG;
import static io.tidemark.provider.aws.ec2.Ec2Condition.INCORRECT_STATE;
import static io.tidemark.provider.aws.ec2.Ec2Condition.INDEX_CONFLICT;
import static io.tidemark.provider.aws.ec2.Ec2Condition.INSTANCE_FULL;
import static io.tidemark.provider.aws.ec2.Ec2Condition.INSTANCE_GONE;
import static io.tidemark.provider.aws.ec2.Ec2Condition.INSTANCE_NOT_RUNNING;
import static io.tidemark.provider.aws.ec2.Ec2Condition.NOT_OURS;
import static io.tidemark.provider.aws.ec2.Ec2Condition.NOT_SENT;
import static io.tidemark.provider.aws.ec2.Ec2Condition.NO_CREDENTIALS;
import static io.tidemark.provider.aws.ec2.Ec2Condition.OTHER;
import static io.tidemark.provider.aws.ec2.Ec2Condition.PERMITTED;
import static io.tidemark.provider.aws.ec2.Ec2Condition.PREFIX_EXHAUSTED;
import static io.tidemark.provider.aws.ec2.Ec2Condition.REGION_QUOTA;
import static io.tidemark.provider.aws.ec2.Ec2Condition.STALE_NETWORK;
import static io.tidemark.provider.aws.ec2.Ec2Condition.SUBNET_EXHAUSTED;
import static io.tidemark.provider.aws.ec2.Ec2Condition.THROTTLED;
import static io.tidemark.provider.aws.ec2.Ec2Condition.TOKEN_MISMATCH;
import static io.tidemark.provider.aws.ec2.Ec2Condition.UNAUTHORIZED;
import static io.tidemark.provider.aws.ec2.Ec2Condition.UNAVAILABLE;
import static io.tidemark.provider.aws.ec2.Ec2Condition.UNSUPPORTED;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.FailureClassifier;
import java.util.Arrays;
import java.util.Locale;

/**
 * The meaning of EC2's errors (provider-aws 1.3 with M10 and M13): by code, and by a fragment of
 * the text where one code has several meanings. Whatever is not an answer of EC2 is a lost answer.
 */
final class Ec2ErrorClassifier implements FailureClassifier {
  /** Needs no permission, but can be denied. */
  private static final String CALLER_IDENTITY = "sts:GetCallerIdentity";

  @Override
  public Failure classify(CallKind kind, Throwable thrown) {
    if (!(thrown instanceof Ec2Failure failure)) {
      return ANSWER_LOST.failure(kind + ": " + PlainText.of(String.valueOf(thrown)));
    }
    return switch (failure.ending()) {
      case NOT_SENT -> NOT_SENT.failure(kind + ": " + PlainText.of(failure.text()));
      case NO_CREDENTIALS -> NO_CREDENTIALS.failure(kind + ": " + PlainText.of(failure.text()));
      case ANSWER_LOST -> ANSWER_LOST.failure(kind + ": " + PlainText.of(failure.text()));
      case REFUSED -> refused(kind, failure);
    };
  }

  /** Only bad credentials stop the whole account (M10). */
  @Override
  public boolean stopsAccount(Failure failure) {
    return NO_CREDENTIALS.is(failure);
  }

  private static Failure refused(CallKind kind, Ec2Failure failure) {
    Ec2Condition condition = condition(kind, failure);
    Failure meant = condition.failure(detail(kind, failure));
    // Of a change that ended in an error of EC2's own nobody knows how far it came.
    return condition == UNAVAILABLE && kind.effect() != Effect.READ
        ? Failure.of(Failure.Kind.LOST, meant.condition(), meant.detail())
        : meant;
  }

  private static String detail(CallKind kind, Ec2Failure failure) {
    String request = failure.requestId().isEmpty() ? "" : " (request " + failure.requestId() + ")";
    return action(kind) + ": " + failure.code() + ": " + PlainText.of(failure.text()) + request;
  }

  /** As IAM names it; the kind's own name where IAM knows no such action. */
  private static String action(CallKind kind) {
    return Arrays.stream(Ec2Operation.values()).anyMatch(op -> op.action().equals(kind.name()))
        ? "ec2:" + kind.name()
        : CALLER_IDENTITY.endsWith(":" + kind.name()) ? CALLER_IDENTITY : kind.name();
  }

  private static Ec2Condition condition(CallKind kind, Ec2Failure failure) {
    String text = failure.text().toLowerCase(Locale.ROOT);
    if (text.contains("is not 'running'")) {
      return INSTANCE_NOT_RUNNING;
    }
    return switch (withoutSide(failure.code())) {
      case "RequestLimitExceeded",
          "EC2ThrottledException",
          "Throttling",
          "ThrottlingException",
          "ThrottledException",
          "RequestThrottled",
          "RequestThrottledException",
          "TooManyRequestsException" ->
          THROTTLED;
      case "InsufficientCidrBlocks" -> PREFIX_EXHAUSTED;
      case "InsufficientFreeAddressesInSubnet" -> SUBNET_EXHAUSTED;
      case "PrivateIpAddressLimitExceeded" -> ENI_FULL;
      case "InvalidInterface.IpAddressLimitExceeded" -> ENI_TOO_BIG;
      case "AttachmentLimitExceeded" -> INSTANCE_FULL;
      case "IncorrectInstanceState" -> INSTANCE_NOT_RUNNING;
      case "IncorrectState" -> text.contains("instance") ? INSTANCE_NOT_RUNNING : INCORRECT_STATE;
      case "InvalidInstanceID.NotFound" -> INSTANCE_GONE;
      case "InvalidNetworkInterfaceID.NotFound" -> ENI_GONE;
      case "InvalidNetworkInterface.InUse" -> ENI_IN_USE;
      case "InvalidAttachmentID.NotFound" -> ATTACHMENT_GONE;
      case "InvalidIPAddress.InUse" -> isUnassign(kind) ? ALREADY_RELEASED : ADDRESS_IN_USE;
      case "NetworkInterfaceLimitExceeded" -> REGION_QUOTA;
      case "SecurityGroupsPerInterfaceLimitExceeded", "TagLimitExceeded" -> BAD_CONFIG;
      case "InvalidGroup.NotFound", "InvalidSubnetID.NotFound" -> STALE_NETWORK;
      case "IdempotentParameterMismatch" -> TOKEN_MISMATCH;
      case "AddressLimitExceeded", "InvalidAllocationID.NotFound", "Resource.AlreadyAssociated" ->
          ADDRESS_CONFLICT;
      case "UnauthorizedOperation", "AccessDenied", "AccessDeniedException" -> UNAUTHORIZED;
      case "AuthFailure" -> authFailure(failure, text);
      case "RequestExpired",
          "ExpiredToken",
          "ExpiredTokenException",
          "InvalidClientTokenId",
          "UnrecognizedClientException",
          "SignatureDoesNotMatch",
          "IncompleteSignature",
          "MissingAuthenticationToken",
          "InvalidAccessKeyId",
          "OptInRequired",
          "Blocked",
          "PendingVerification" ->
          NO_CREDENTIALS;
      case "InvalidAction", "UnsupportedOperation", "UnknownOperationException" -> UNSUPPORTED;
      case "OperationNotPermitted" -> kind.effect() == Effect.READ ? BUG : NOT_OURS;
      case "InvalidParameterCombination" -> BUG;
      case "DryRunOperation" -> PERMITTED;
      case "InternalError", "InternalFailure", "Unavailable", "ServiceUnavailable" -> UNAVAILABLE;
      default ->
          withoutSide(failure.code()).startsWith("InvalidParameter")
              ? invalidParameter(kind, failure, text)
              : byStatus(failure);
    };
  }

  private static Ec2Condition invalidParameter(CallKind kind, Ec2Failure failure, String text) {
    if (text.contains("interface attached at device")) {
      return INDEX_CONFLICT;
    }
    if (text.contains("sufficient free ipv4 addresses or prefixes")) {
      return failure.prefixesAsked() ? PREFIX_EXHAUSTED : SUBNET_EXHAUSTED;
    }
    if (text.contains("currently in use")) {
      return ENI_IN_USE;
    }
    if (text.contains("belong to different networks")) {
      return STALE_NETWORK;
    }
    return isUnassign(kind) ? ALREADY_RELEASED : BAD_CONFIG;
  }

  /** One code for credentials that are none, and for things of others. */
  private static Ec2Condition authFailure(Ec2Failure failure, String text) {
    return failure.httpStatus() == 401 || text.contains("access credentials")
        ? NO_CREDENTIALS
        : UNAUTHORIZED;
  }

  private static Ec2Condition byStatus(Ec2Failure failure) {
    if (failure.httpStatus() == 429) {
      return THROTTLED;
    }
    return failure.httpStatus() >= 500 ? UNAVAILABLE : OTHER;
  }

  private static boolean isUnassign(CallKind kind) {
    return kind.name().startsWith("Unassign");
  }

  /** CloudTrail's form, which some endpoints answer too, names the side to blame first. */
  private static String withoutSide(String code) {
    return code.startsWith("Client.") || code.startsWith("Server.") ? code.substring(7) : code;
  }
}
