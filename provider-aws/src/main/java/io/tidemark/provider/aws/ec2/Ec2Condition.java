package io.tidemark.provider.aws.ec2;

/**
 * The meaning of EC2's errors, as conditions of {@link io.tidemark.resilience.Failure} and labels
 * of metrics (provider-aws 1.3). A bounded set.
 */
public final class Ec2Condition {
  public static final String THROTTLED = "requestLimit";
  public static final String PREFIX_EXHAUSTED = "prefixExhausted";
  public static final String SUBNET_EXHAUSTED = "subnetExhausted";
  public static final String ENI_FULL = "interfaceFull";
  public static final String ENI_TOO_BIG = "interfaceTooBig";
  public static final String INSTANCE_FULL = "instanceFull";
  public static final String INDEX_CONFLICT = "indexTaken";
  public static final String INSTANCE_NOT_RUNNING = "instanceNotRunning";
  public static final String INSTANCE_GONE = "instanceGone";
  public static final String ENI_GONE = "interfaceGone";
  public static final String ENI_IN_USE = "interfaceInUse";
  public static final String ATTACHMENT_GONE = "attachmentGone";
  public static final String ALREADY_RELEASED = "alreadyReleased";
  public static final String REGION_QUOTA = "quotaExceeded";
  public static final String BAD_CONFIG = "badConfiguration";
  public static final String STALE_NETWORK = "networkNotFound";
  public static final String UNAUTHORIZED = "unauthorized";
  public static final String NO_CREDENTIALS = "noCredentials";
  public static final String TOKEN_MISMATCH = "tokenMismatch";
  public static final String ADDRESS_CONFLICT = "publicAddressTaken";
  public static final String UNSUPPORTED = "unsupportedOperation";
  public static final String PERMITTED = "permitted";
  public static final String UNAVAILABLE = "unavailable";
  public static final String NOT_SENT = "notSent";
  public static final String ANSWER_LOST = "answerLost";
  public static final String ADDRESS_IN_USE = "addressInUse";
  public static final String INCORRECT_STATE = "incorrectState";
  public static final String NOT_OURS = "operationNotPermitted";
  public static final String BUG = "badRequest";
  public static final String OTHER = "other";

  private Ec2Condition() {}
}
