package io.tidemark.error;

/**
 * Failures of requests that are common to all clouds: 2000-2099. Failures specific to a cloud have
 * codes of their provider.
 */
public enum CloudError implements ErrorCode {
  CALL_THROTTLED(
      2001, Kind.RETRYABLE, "Lower limit-ipam-api-qps, or ask the cloud for a higher quota."),
  CALL_FAILED(2002, Kind.RETRYABLE, "None; requests are retried automatically."),
  CAPACITY_EXHAUSTED(
      2003, Kind.CAPACITY, "Free addresses or interfaces, or choose a larger subnet or instance."),
  STATE_CONFLICT(2004, Kind.RETRYABLE, "Nothing to do; the cloud's state is read back first."),
  NOT_FOUND(2005, Kind.RETRYABLE, "Delete the node resource if its instance is gone."),
  INSTANCE_NOT_RUNNING(2006, Kind.RETRYABLE, "Start the instance; it is probed automatically."),
  CALL_REFUSED(
      2007,
      Kind.CONFIGURATION,
      "Grant the operator the permission, or correct the setting, named."),
  CALL_CANCELLED(2008, Kind.RETRYABLE, "Nothing to do; nothing was sent."),
  ANSWER_LOST(
      2009,
      Kind.RETRYABLE,
      "Nothing to do; what the request did is read back before it is repeated.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  CloudError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
