package io.tidemark.provider.aws.ec2;

import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Failure.Kind;

/**
 * The meaning of EC2's refusals (provider-aws 1.3, M13): the condition with the reaction that the
 * engine knows. Which code means which is decided in {@link Ec2ErrorClassifier} alone.
 */
enum Ec2Meaning {
  /** Slow down; nothing changed. */
  THROTTLED(Ec2Condition.THROTTLED, Kind.THROTTLED),
  /** No free /28 in the subnet. */
  PREFIX_EXHAUSTED(Ec2Condition.PREFIX_EXHAUSTED, Kind.CAPACITY),
  /** No free address in the subnet. */
  SUBNET_EXHAUSTED(Ec2Condition.SUBNET_EXHAUSTED, Kind.CAPACITY),
  /** The interface has more than we believe: read it back. */
  ENI_FULL(Ec2Condition.ENI_FULL, Kind.CONFLICT),
  /** The interface has more addresses than the instance's type allows: our limits are wrong. */
  ENI_TOO_BIG(Ec2Condition.ENI_TOO_BIG, Kind.CONFLICT),
  /** The instance takes no further interface. */
  INSTANCE_FULL(Ec2Condition.INSTANCE_FULL, Kind.CAPACITY),
  /** Another interface is at that device index. */
  INDEX_CONFLICT(Ec2Condition.INDEX_CONFLICT, Kind.CONFLICT),
  /** The instance is not running. */
  INSTANCE_NOT_RUNNING(Ec2Condition.INSTANCE_NOT_RUNNING, Kind.NOT_RUNNING),
  /** There is no such instance. */
  INSTANCE_GONE(Ec2Condition.INSTANCE_GONE, Kind.NOT_FOUND),
  /** There is no such interface. */
  ENI_GONE(Ec2Condition.ENI_GONE, Kind.NOT_FOUND),
  /** The interface is attached, or on its way. */
  ENI_IN_USE(Ec2Condition.ENI_IN_USE, Kind.CONFLICT),
  /** There is no such attachment. */
  ATTACHMENT_GONE(Ec2Condition.ATTACHMENT_GONE, Kind.NOT_FOUND),
  /** The address may have been taken away before: read the interface back. */
  ALREADY_RELEASED(Ec2Condition.ALREADY_RELEASED, Kind.CONFLICT),
  /** The address that was asked for is in use. */
  ADDRESS_IN_USE(Ec2Condition.ADDRESS_IN_USE, Kind.CONFLICT),
  /** Something is in a state that does not allow it. */
  INCORRECT_STATE(Ec2Condition.INCORRECT_STATE, Kind.CONFLICT),
  /** The account has as many interfaces as it may have in the region. */
  REGION_QUOTA(Ec2Condition.REGION_QUOTA, Kind.CAPACITY),
  /** The request cannot work with these settings. */
  BAD_CONFIG(Ec2Condition.BAD_CONFIG, Kind.CONFIGURATION),
  /**
   * A group or subnet is not there: read the infrastructure once, then it is {@link #BAD_CONFIG}.
   */
  STALE_NETWORK(Ec2Condition.STALE_NETWORK, Kind.CONFIGURATION),
  /** The same token came with another request: find what it made and adopt it (M6). */
  TOKEN_MISMATCH(Ec2Condition.TOKEN_MISMATCH, Kind.CONFLICT),
  /** Take the next elastic address. */
  ADDRESS_CONFLICT(Ec2Condition.ADDRESS_CONFLICT, Kind.CONFLICT),
  /** No valid credentials; every request of the account will end so. */
  NO_CREDENTIALS(Ec2Condition.NO_CREDENTIALS, Kind.CONFIGURATION),
  /** This operation is not allowed to us; others may be (M10). */
  UNAUTHORIZED(Ec2Condition.UNAUTHORIZED, Kind.CONFIGURATION),
  /** The endpoint does not know the operation. */
  UNSUPPORTED(Ec2Condition.UNSUPPORTED, Kind.CONFIGURATION),
  /** The interface or attachment is managed by a service, not by us. */
  NOT_OURS(Ec2Condition.NOT_OURS, Kind.CONFIGURATION),
  /** A dry run that would have been allowed. */
  PERMITTED(Ec2Condition.PERMITTED, Kind.CONFIGURATION),
  /** Our request contradicts itself: a defect. */
  BUG(Ec2Condition.BUG, Kind.CONFIGURATION),
  /** Refused with a code that we do not know. */
  OTHER(Ec2Condition.OTHER, Kind.CONFIGURATION),
  /** EC2 is not well. */
  UNAVAILABLE(Ec2Condition.UNAVAILABLE, Kind.TRANSIENT),
  /** There was no connection; nothing was sent. */
  NOT_SENT(Ec2Condition.NOT_SENT, Kind.TRANSIENT),
  /** It may have arrived. */
  ANSWER_LOST(Ec2Condition.ANSWER_LOST, Kind.LOST);

  private final String text;
  private final Kind kind;

  Ec2Meaning(String text, Kind kind) {
    this.text = text;
    this.kind = kind;
  }

  /** The condition, which is also the metric label. */
  String text() {
    return text;
  }

  /** Which reaction it asks for; {@link #UNAVAILABLE} of a change is a lost answer instead. */
  Kind kind() {
    return kind;
  }

  /** Whether the failure is of this condition. */
  boolean is(Failure failure) {
    return text.equals(failure.condition());
  }

  Failure failure(String detail) {
    return Failure.of(kind, text, detail);
  }
}
