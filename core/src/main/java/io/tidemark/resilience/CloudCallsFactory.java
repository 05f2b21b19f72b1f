package io.tidemark.resilience;

/** Makes the {@link CloudCalls} of an account. Thread-safe; supplied by the operator. */
@FunctionalInterface
public interface CloudCallsFactory {
  /** Returns one instance per account and region; a provider calls it once and keeps it. */
  CloudCalls create(CallPolicy policy);
}
