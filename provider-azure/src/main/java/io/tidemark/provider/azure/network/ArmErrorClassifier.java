package io.tidemark.provider.azure.network;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.FailureClassifier;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What Azure's errors mean (provider-azure 13.3): by code, by a fragment of the text only where one
 * code has several meanings. Whatever is not an answer of Azure is a lost answer.
 */
final class ArmErrorClassifier implements FailureClassifier {
  private static final Duration BUSY_PAUSE = Duration.ofSeconds(5);
  private static final Duration STATE_PAUSE = Duration.ofSeconds(60);

  @Override
  public Failure classify(CallKind kind, Throwable thrown) {
    if (!(thrown instanceof ArmFailure failure)) {
      return lost(kind, String.valueOf(thrown));
    }
    return switch (failure.ending()) {
      case NOT_SENT -> Failure.of(Kind.TRANSIENT, "notSent", kind + ": " + failure.text());
      case ANSWER_LOST -> lost(kind, failure.text());
      case REFUSED -> refused(kind, failure);
    };
  }

  @Override
  public boolean stopsAccount(Failure failure) {
    return failure.condition().equals(ArmCondition.NO_CREDENTIALS);
  }

  /** A read without a response can be repeated. */
  private static Failure lost(CallKind kind, String detail) {
    return Failure.of(
        kind.effect() == Effect.READ ? Kind.TRANSIENT : Kind.LOST,
        "answerLost",
        kind + ": " + detail);
  }

  private static Failure refused(CallKind kind, ArmFailure failure) {
    return switch (failure.code()) {
      case "RetryableErrorDueToAnotherOperation",
          "ReferencedResourceNotProvisioned",
          "AnotherOperationInProgress",
          "ConflictingConcurrentWriteNotAllowed" ->
          after(Kind.CONFLICT, ArmCondition.BUSY, kind, failure, BUSY_PAUSE);
      case "OperationPreempted", "CanceledAndSupersededDueToAnotherOperation" ->
          of(Kind.CONFLICT, "superseded", kind, failure);
      case "PreconditionFailed", "PreconditionFailedEtagMismatch" ->
          of(Kind.CONFLICT, ArmCondition.ETAG, kind, failure);
      case "InstanceIdsListInstanceIdNotActiveVM" ->
          of(Kind.NOT_RUNNING, "beingDeleted", kind, failure);
      case "ResourceNotFound", "NotFound", "ParentResourceNotFound", "ResourceGroupNotFound" ->
          of(Kind.NOT_FOUND, "notFound", kind, failure);
      case "AuthorizationFailed",
          "LinkedAuthorizationFailed",
          "RequestDisallowedByPolicy",
          "ScopeLocked" ->
          of(Kind.CONFIGURATION, "notAllowed", kind, failure);
      case "SubnetIsFull", "NoAvailableIPAddressesInSubnet" ->
          of(Kind.CAPACITY, ArmCondition.SUBNET_FULL, kind, failure);
      case "PrefixUnavailable", "InsufficientCidrBlocks" ->
          of(Kind.CAPACITY, ArmCondition.FRAGMENTED, kind, failure);
      case "IpConfigurationsOnSameNicCannotUseDifferentSubnets",
          "VMScaleSetIpConfigurationsOnSameNicCannotUseDifferentSubnets" ->
          of(Kind.CONFIGURATION, "subnet", kind, failure);
      default -> byStatus(kind, failure);
    };
  }

  private static Failure byStatus(CallKind kind, ArmFailure failure) {
    String text = failure.text().toLowerCase(Locale.ROOT);
    int status = failure.status();
    if (text.contains("marked for deletion")) {
      return of(Kind.NOT_RUNNING, "beingDeleted", kind, failure);
    }
    if (text.contains("conflict with a concurrent request")) {
      return after(Kind.CONFLICT, ArmCondition.BUSY, kind, failure, BUSY_PAUSE);
    }
    if (status == 429) {
      return failure.isOfMachine()
          ? after(Kind.CONFLICT, ArmCondition.INSTANCE_THROTTLED, kind, failure, BUSY_PAUSE)
          : new Failure(Kind.THROTTLED, "throttled", detail(kind, failure), failure.retryAfter());
    }
    if (status == 401) {
      return of(Kind.CONFIGURATION, ArmCondition.NO_CREDENTIALS, kind, failure);
    }
    if (status == 403) {
      return of(Kind.CONFIGURATION, "notAllowed", kind, failure);
    }
    if (status == 404) {
      return of(Kind.NOT_FOUND, "notFound", kind, failure);
    }
    if (status == 409) {
      return after(Kind.CONFLICT, "state", kind, failure, STATE_PAUSE);
    }
    if (status == 412) {
      return of(Kind.CONFLICT, ArmCondition.ETAG, kind, failure);
    }
    if (status == 408 || status >= 500) {
      return lost(kind, detail(kind, failure));
    }
    if (failure.code().contains("Limit") || text.contains("limit of 256")) {
      return of(Kind.CAPACITY, "configurationLimit", kind, failure);
    }
    return of(Kind.CONFIGURATION, "refused", kind, failure);
  }

  private static Failure after(
      Kind meaning, String condition, CallKind kind, ArmFailure failure, Duration usual) {
    return new Failure(
        meaning, condition, detail(kind, failure), Optional.of(failure.retryAfter().orElse(usual)));
  }

  private static Failure of(Kind meaning, String condition, CallKind kind, ArmFailure failure) {
    return Failure.of(meaning, condition, detail(kind, failure));
  }

  private static String detail(CallKind kind, ArmFailure failure) {
    return kind
        + ": "
        + (failure.code().isEmpty() ? "status " + failure.status() : failure.code())
        + ": "
        + failure.text();
  }
}
