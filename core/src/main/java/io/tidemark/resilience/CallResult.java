package io.tidemark.resilience;

import java.util.Objects;
import java.util.function.Function;

/**
 * How a remote request ended.
 *
 * @param <T> what the request answers
 */
public sealed interface CallResult<T> {
  /** The cloud answered. */
  record Answered<T>(T value) implements CallResult<T> {
    public Answered {
      Objects.requireNonNull(value, "value");
    }
  }

  /** It did not; see {@link Failure.Kind} for what may have happened. */
  record Failed<T>(Failure failure) implements CallResult<T> {
    public Failed {
      Objects.requireNonNull(failure, "failure");
    }
  }

  /** One function per case. */
  default <R> R match(Function<? super T, R> answered, Function<Failure, R> failed) {
    if (this instanceof Answered<T> a) {
      return answered.apply(a.value());
    }
    return failed.apply(((Failed<T>) this).failure());
  }
}
