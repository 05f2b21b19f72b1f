package io.tidemark.resilience;

/**
 * One call on its way to the wire. Immutable.
 *
 * @param attempt from 1
 * @param requestToken the same for all attempts
 */
record Request<T>(
    CallKind kind,
    CallLimits limits,
    CallContext context,
    CloudCalls.Leaf<T> leaf,
    FailureClassifier classifier,
    CallContext.Arrival arrival,
    int attempt,
    String requestToken) {
  Request<T> attempt(int number) {
    return new Request<>(kind, limits, context, leaf, classifier, arrival, number, requestToken);
  }

  /** For messages: operation and node. */
  @Override
  public String toString() {
    return context.node().isEmpty() ? kind.name() : kind.name() + "[" + context.node() + "]";
  }
}
