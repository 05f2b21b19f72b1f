package io.tidemark.provider.aws.ec2;

import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Failure.Kind;
import java.util.Arrays;

/**
 * The meaning of EC2's errors (provider-aws 1.3, M13), as conditions of {@link Failure} and labels
 * of metrics, with the reaction that the engine knows. Which code means which is decided in {@link
 * Ec2ErrorClassifier} alone.
 */
public enum Ec2Condition {
  /** Slow down; nothing changed. */
  THROTTLED("requestLimit", Kind.THROTTLED),
  /** No free /28 in the subnet. */
  PREFIX_EXHAUSTED("prefixExhausted", Kind.CAPACITY),
  /** No free address in the subnet. */
  SUBNET_EXHAUSTED("subnetExhausted", Kind.CAPACITY),
  /** The interface has more than we believe: read it back. */
  ENI_FULL("interfaceFull", Kind.CONFLICT),
  /** The interface has more addresses than the instance's type allows: our limits are wrong. */
  ENI_TOO_BIG("interfaceTooBig", Kind.CONFLICT),
  /** The instance takes no further interface. */
  INSTANCE_FULL("instanceFull", Kind.CAPACITY),
  /** Another interface is at that device index. */
  INDEX_CONFLICT("indexTaken", Kind.CONFLICT),
  INSTANCE_NOT_RUNNING("instanceNotRunning", Kind.NOT_RUNNING),
  INSTANCE_GONE("instanceGone", Kind.NOT_FOUND),
  ENI_GONE("interfaceGone", Kind.NOT_FOUND),
  /** The interface is attached, or on its way. */
  ENI_IN_USE("interfaceInUse", Kind.CONFLICT),
  ATTACHMENT_GONE("attachmentGone", Kind.NOT_FOUND),
  /** The address may have been taken away before: read the interface back. */
  ALREADY_RELEASED("alreadyReleased", Kind.CONFLICT),
  /** The address that was asked for is in use. */
  ADDRESS_IN_USE("addressInUse", Kind.CONFLICT),
  /** Something is in a state that does not allow it. */
  INCORRECT_STATE("incorrectState", Kind.CONFLICT),
  /** The account has as many interfaces as it may have in the region. */
  REGION_QUOTA("quotaExceeded", Kind.CAPACITY),
  /** The request cannot work with these settings. */
  BAD_CONFIG("badConfiguration", Kind.CONFIGURATION),
  /**
   * A group or subnet is not there: read the infrastructure once, then it is {@link #BAD_CONFIG}.
   */
  STALE_NETWORK("networkNotFound", Kind.CONFIGURATION),
  /** The same token came with another request: find what it made and adopt it (M6). */
  TOKEN_MISMATCH("tokenMismatch", Kind.CONFLICT),
  /** Take the next elastic address. */
  ADDRESS_CONFLICT("publicAddressTaken", Kind.CONFLICT),
  /** No valid credentials; every request of the account will end so. */
  NO_CREDENTIALS("noCredentials", Kind.CONFIGURATION),
  /** This operation is not allowed to us; others may be (M10). */
  UNAUTHORIZED("unauthorized", Kind.CONFIGURATION),
  /** The endpoint does not know the operation. */
  UNSUPPORTED("unsupportedOperation", Kind.CONFIGURATION),
  /** The interface or attachment is managed by a service, not by us. */
  NOT_OURS("operationNotPermitted", Kind.CONFIGURATION),
  /** A dry run that would have been allowed. */
  PERMITTED("permitted", Kind.CONFIGURATION),
  /** Our request contradicts itself: a defect. */
  BUG("badRequest", Kind.CONFIGURATION),
  /** Refused with a code that we do not know. */
  OTHER("other", Kind.CONFIGURATION),
  /** EC2 is not well. */
  UNAVAILABLE("unavailable", Kind.TRANSIENT),
  /** There was no connection; nothing was sent. */
  NOT_SENT("notSent", Kind.TRANSIENT),
  /** It may have arrived. */
  ANSWER_LOST("answerLost", Kind.LOST),
  /** Of others, such as a deadline. */
  FOREIGN("foreign", Kind.CONFIGURATION);

  private final String text;
  private final Kind kind;

  Ec2Condition(String text, Kind kind) {
    this.text = text;
    this.kind = kind;
  }

  /** The condition, which is also the metric label. */
  public String text() {
    return text;
  }

  /** Which reaction it asks for; {@link #UNAVAILABLE} of a change is a lost answer instead. */
  Kind kind() {
    return kind;
  }

  /** Whether the failure is of this condition. */
  public boolean is(Failure failure) {
    return text.equals(failure.condition());
  }

  /** The condition of a failure; {@link #FOREIGN} where EC2 has no such one. */
  public static Ec2Condition of(Failure failure) {
    return Arrays.stream(values()).filter(each -> each.is(failure)).findFirst().orElse(FOREIGN);
  }

  /** A failure of this condition. */
  public Failure failure(String detail) {
    return Failure.of(kind, text, detail);
  }
}
