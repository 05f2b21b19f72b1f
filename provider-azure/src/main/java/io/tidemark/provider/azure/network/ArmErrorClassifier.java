package io.tidemark.provider.azure.network;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.FailureClassifier;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The meaning of Azure's errors (provider-azure 13.3): by code, by a fragment of the text only
 * where one code has several meanings. Whatever is not an answer of Azure is a lost answer.
 */
final class ArmErrorClassifier implements FailureClassifier {
  private static final Duration BUSY_PAUSE = Duration.ofSeconds(5);
  private static final Duration STATE_PAUSE = Duration.ofSeconds(60);

  @Override
  public Failure classify(CallKind kind, Throwable thrown) {
    if (!(thrown instanceof ArmFailure failure)) {
      return lost(kind, kind + ": " + thrown);
    }
    return switch (failure.ending()) {
      case NOT_SENT -> Failure.of(Kind.TRANSIENT, "notSent", kind + ": " + failure.text());
      case ANSWER_LOST -> lost(kind, kind + ": " + failure.text());
      case REFUSED -> refused(kind, failure);
    };
  }

  @Override
  public boolean stopsAccount(Failure failure) {
    return failure.condition().equals(ArmCondition.NO_CREDENTIALS);
  }

  @Override
  public Limit limitOf(Failure throttle) {
    return switch (throttle.condition()) {
      case ArmCondition.PROVIDER_THROTTLED -> Limit.KIND;
      case ArmCondition.INSTANCE_THROTTLED -> Limit.RESOURCE;
      default -> Limit.SHARED;
    };
  }

  /** A read without a response can be repeated. */
  private static Failure lost(CallKind kind, String detail) {
    return Failure.of(
        kind.effect() == Effect.READ ? Kind.TRANSIENT : Kind.LOST, "answerLost", detail);
  }

  /**
   * Why an operation ended without success; empty when it has not.
   *
   * @param code the innermost one
   */
  static Optional<Failure> ended(
      OperationStatus.State state, ResourceId resource, String code, String message) {
    ArmFailure error = ArmFailure.refused(409, code, message, Optional.empty(), false);
    return switch (state) {
      case RUNNING, SUCCEEDED -> Optional.empty();
      case CANCELED -> Optional.of(of(Kind.CONFLICT, "superseded", resource, error));
      case FAILED ->
          byCode(resource, error)
              .filter(each -> each.kind() != Kind.NOT_FOUND)
              .or(() -> byText(resource, error))
              .or(() -> Optional.of(of(Kind.CONFLICT, "operationFailed", resource, error)));
    };
  }

  private static Failure refused(CallKind kind, ArmFailure failure) {
    return byCode(kind, failure)
        .or(() -> byText(kind, failure))
        .orElseGet(() -> byStatus(kind, failure));
  }

  /** The meaning of codes alone; {@code what} failed. */
  private static Optional<Failure> byCode(Object what, ArmFailure failure) {
    return switch (failure.code()) {
      case "RetryableErrorDueToAnotherOperation",
          "ReferencedResourceNotProvisioned",
          "AnotherOperationInProgress",
          "ConflictingConcurrentWriteNotAllowed" ->
          Optional.of(after(Kind.CONFLICT, ArmCondition.BUSY, what, failure, BUSY_PAUSE));
      case "OperationPreempted", "CanceledAndSupersededDueToAnotherOperation" ->
          Optional.of(of(Kind.CONFLICT, "superseded", what, failure));
      case "PreconditionFailed", "PreconditionFailedEtagMismatch" ->
          Optional.of(of(Kind.CONFLICT, ArmCondition.ETAG, what, failure));
      case "InstanceIdsListInstanceIdNotActiveVM" ->
          Optional.of(of(Kind.NOT_RUNNING, "beingDeleted", what, failure));
      case "ResourceNotFound", "NotFound", "ParentResourceNotFound", "ResourceGroupNotFound" ->
          Optional.of(of(Kind.NOT_FOUND, "notFound", what, failure));
      case "AuthorizationFailed",
          "LinkedAuthorizationFailed",
          "RequestDisallowedByPolicy",
          "ScopeLocked" ->
          Optional.of(of(Kind.CONFIGURATION, ArmCondition.NOT_ALLOWED, what, failure));
      case "SubnetIsFull", "NoAvailableIPAddressesInSubnet" ->
          Optional.of(of(Kind.CAPACITY, ArmCondition.SUBNET_FULL, what, failure));
      case "PrefixUnavailable", "InsufficientCidrBlocks" ->
          Optional.of(of(Kind.CAPACITY, ArmCondition.FRAGMENTED, what, failure));
      case "IpConfigurationsOnSameNicCannotUseDifferentSubnets",
          "VMScaleSetIpConfigurationsOnSameNicCannotUseDifferentSubnets" ->
          Optional.of(of(Kind.CONFIGURATION, "subnet", what, failure));
      case "PublicIpPrefixOutOfIpAddresses", "PublicIpPrefixOutOfIpAddressesForVMScaleSet" ->
          Optional.of(of(Kind.CAPACITY, ArmCondition.PUBLIC_FULL, what, failure));
      default -> Optional.empty();
    };
  }

  /** The meaning of texts whose codes have several meanings. */
  private static Optional<Failure> byText(Object what, ArmFailure failure) {
    String text = failure.text().toLowerCase(Locale.ROOT);
    if (text.contains("marked for deletion")) {
      return Optional.of(of(Kind.NOT_RUNNING, "beingDeleted", what, failure));
    }
    if (text.contains("conflict with a concurrent request")) {
      return Optional.of(after(Kind.CONFLICT, ArmCondition.BUSY, what, failure, BUSY_PAUSE));
    }
    boolean limit = failure.code().contains("Limit") || text.contains("limit of 256");
    return limit && Set.of(400, 409).contains(failure.status())
        ? Optional.of(of(Kind.CAPACITY, "configurationLimit", what, failure))
        : Optional.empty();
  }

  private static Failure byStatus(CallKind kind, ArmFailure failure) {
    int status = failure.status();
    return switch (status) {
      case 401 -> of(Kind.CONFIGURATION, ArmCondition.NO_CREDENTIALS, kind, failure);
      case 403 -> of(Kind.CONFIGURATION, ArmCondition.NOT_ALLOWED, kind, failure);
      case 404 -> of(Kind.NOT_FOUND, "notFound", kind, failure);
      case 408 -> lost(kind, detail(kind, failure));
      case 409 -> after(Kind.CONFLICT, "state", kind, failure, STATE_PAUSE);
      case 412 -> of(Kind.CONFLICT, ArmCondition.ETAG, kind, failure);
      case 429 -> throttled(kind, failure);
      default ->
          status >= 500
              ? lost(kind, detail(kind, failure))
              : of(Kind.CONFIGURATION, "refused", kind, failure);
    };
  }

  /** Resource Manager, a provider behind it, or the machine's own bucket (13.3). */
  private static Failure throttled(CallKind kind, ArmFailure failure) {
    if (failure.isOfProvider() && failure.isOfMachine()) {
      return after(Kind.CONFLICT, ArmCondition.INSTANCE_THROTTLED, kind, failure, BUSY_PAUSE);
    }
    String condition =
        failure.isAlone()
            ? ArmCondition.INSTANCE_THROTTLED
            : failure.isOfProvider() ? ArmCondition.PROVIDER_THROTTLED : "throttled";
    return new Failure(Kind.THROTTLED, condition, detail(kind, failure), failure.retryAfter());
  }

  private static Failure after(
      Kind meaning, String condition, Object what, ArmFailure failure, Duration usual) {
    return new Failure(
        meaning, condition, detail(what, failure), Optional.of(failure.retryAfter().orElse(usual)));
  }

  private static Failure of(Kind meaning, String condition, Object what, ArmFailure failure) {
    return Failure.of(meaning, condition, detail(what, failure));
  }

  private static String detail(Object what, ArmFailure failure) {
    return what
        + ": "
        + (failure.code().isEmpty() ? "status " + failure.status() : failure.code())
        + ": "
        + failure.text();
  }
}
