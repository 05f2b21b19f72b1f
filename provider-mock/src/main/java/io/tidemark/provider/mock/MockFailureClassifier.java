package io.tidemark.provider.mock;

import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudException;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.FailureClassifier;
import java.util.Locale;

/**
 * The meaning of the cloud's errors: by code, and by a fragment of the text where one code has
 * several meanings. Whatever is not an answer of the cloud is a lost answer.
 */
final class MockFailureClassifier implements FailureClassifier {
  static final String FRAGMENTED = "insufficientCidrBlocks";
  static final String EXHAUSTED = "insufficientFreeAddresses";
  static final String INTERFACE_FULL = "interfaceFull";
  static final String INSTANCE_FULL = "instanceFull";
  static final String INTERFACE_IN_USE = "interfaceInUse";
  static final String INSTANCE_GONE = "instanceGone";
  static final String INDEX_TAKEN = "deviceIndexTaken";
  static final String NOT_ASSIGNED = "notAssigned";
  static final String ALREADY_ASSOCIATED = "alreadyAssociated";
  static final String ALIAS_IN_USE = "aliasInUse";
  static final String ALIAS_DUPLICATE = "aliasDuplicate";
  static final String TOKEN_MISMATCH = "tokenMismatch";

  @Override
  public Failure classify(CallKind kind, Throwable thrown) {
    if (thrown instanceof CloudException answer) {
      return meaning(answer.code(), String.valueOf(answer.getMessage()));
    }
    return Failure.of(
        Failure.Kind.LOST, "answerLost", kind + ": " + thrown.getClass().getSimpleName());
  }

  private static Failure meaning(CloudErrorCode code, String text) {
    String detail = code.wire() + ": " + text;
    return switch (code) {
      case REQUEST_LIMIT_EXCEEDED -> failure(Failure.Kind.THROTTLED, "requestLimit", detail);
      case INSUFFICIENT_FREE_ADDRESSES -> failure(Failure.Kind.CAPACITY, EXHAUSTED, detail);
      case INSUFFICIENT_CIDR_BLOCKS -> failure(Failure.Kind.CAPACITY, FRAGMENTED, detail);
      case PRIVATE_IP_ADDRESS_LIMIT, INTERFACE_ADDRESS_LIMIT ->
          failure(Failure.Kind.CAPACITY, INTERFACE_FULL, detail);
      case ATTACHMENT_LIMIT -> failure(Failure.Kind.CAPACITY, INSTANCE_FULL, detail);
      case INTERFACE_IN_USE -> failure(Failure.Kind.CONFLICT, INTERFACE_IN_USE, detail);
      case TOKEN_MISMATCH -> failure(Failure.Kind.CONFLICT, TOKEN_MISMATCH, detail);
      case ALREADY_ASSOCIATED -> failure(Failure.Kind.CONFLICT, ALREADY_ASSOCIATED, detail);
      case ALIAS_IN_USE -> failure(Failure.Kind.CONFLICT, ALIAS_IN_USE, detail);
      case ALIAS_DUPLICATE -> failure(Failure.Kind.CONFLICT, ALIAS_DUPLICATE, detail);
      case INCORRECT_STATE ->
          text.contains("is not 'running'")
              ? failure(Failure.Kind.NOT_RUNNING, "instanceNotRunning", detail)
              : failure(Failure.Kind.CONFLICT, "incorrectState", detail);
      case INSTANCE_NOT_FOUND -> failure(Failure.Kind.NOT_FOUND, INSTANCE_GONE, detail);
      case INTERFACE_NOT_FOUND, ATTACHMENT_NOT_FOUND ->
          failure(Failure.Kind.NOT_FOUND, "interfaceGone", detail);
      case SUBNET_NOT_FOUND, GROUP_NOT_FOUND, ALLOCATION_NOT_FOUND ->
          failure(Failure.Kind.CONFIGURATION, "unknownReference", detail);
      case UNAUTHORIZED -> failure(Failure.Kind.CONFIGURATION, "unauthorized", detail);
      case INVALID_PARAMETER -> invalid(text, detail);
      case INTERNAL_ERROR, UNAVAILABLE ->
          failure(Failure.Kind.TRANSIENT, "cloudUnavailable", detail);
    };
  }

  private static Failure invalid(String text, String detail) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.contains("at device index")) {
      return failure(Failure.Kind.CONFLICT, INDEX_TAKEN, detail);
    }
    if (lower.contains("are not assigned to interface")) {
      return failure(Failure.Kind.CONFLICT, NOT_ASSIGNED, detail);
    }
    if (lower.contains("sufficient free ipv4 addresses or prefixes")) {
      return failure(Failure.Kind.CAPACITY, FRAGMENTED, detail);
    }
    return failure(Failure.Kind.CONFIGURATION, "invalidParameter", detail);
  }

  private static Failure failure(Failure.Kind kind, String condition, String detail) {
    return Failure.of(kind, condition, detail);
  }
}
