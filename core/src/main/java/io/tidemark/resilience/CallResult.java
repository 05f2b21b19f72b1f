package io.tidemark.resilience;

import java.util.Objects;
import java.util.function.Function;

/**
 * The result of a remote request.
 *
 * @param <T> the response
 */
public sealed interface CallResult<T> {
  /** The cloud responded. */
  record Answered<T>(T value) implements CallResult<T> {
    public Answered {
      Objects.requireNonNull(value, "value");
    }
  }

  /** The request failed; see {@link Failure.Kind} for its possible effect. */
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
