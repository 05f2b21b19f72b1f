package io.tidemark.resilience;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

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

  /** The same with what becomes of the response; a failure stays as it is. */
  default <R> CallResult<R> map(Function<? super T, ? extends R> how) {
    return match(value -> new Answered<>(how.apply(value)), Failed::new);
  }

  /** The meaning of a response; a failure stays as it is. */
  default <R> CallResult<R> flatMap(Function<? super T, ? extends CallResult<R>> how) {
    return match(how::apply, Failed::new);
  }

  /** Goes on after a response; a failure is the end. */
  default <R> CompletionStage<CallResult<R>> then(
      Function<? super T, ? extends CompletionStage<CallResult<R>>> next) {
    return match(next::apply, CallResult::failed);
  }

  /** The response; empty after a failure. */
  default Optional<T> answer() {
    return match(Optional::of, failure -> Optional.empty());
  }

  /** Why it failed; empty after a response. */
  default Optional<Failure> refusal() {
    return match(value -> Optional.empty(), Optional::of);
  }

  /** Goes on after a result that is still to come, with one function per case. */
  static <T, R> CompletionStage<R> after(
      CompletionStage<CallResult<T>> result,
      Function<? super T, ? extends CompletionStage<R>> answered,
      Function<Failure, ? extends CompletionStage<R>> failed) {
    return result.thenCompose(each -> each.match(answered::apply, failed::apply));
  }

  /** Goes on after a response that is still to come; a failure is the end. */
  static <T, R> CompletionStage<CallResult<R>> after(
      CompletionStage<CallResult<T>> result,
      Function<? super T, ? extends CompletionStage<CallResult<R>>> next) {
    return result.thenCompose(each -> each.then(next));
  }

  /** A response that is there already, or why there is none. */
  static <T> CompletionStage<CallResult<T>> of(Optional<T> answer, Supplier<Failure> otherwise) {
    return answer.isPresent() ? answered(answer.get()) : failed(otherwise.get());
  }

  /** A response that is there already. */
  static <T> CompletionStage<CallResult<T>> answered(T value) {
    return CompletableFuture.completedStage(new Answered<>(value));
  }

  /** A failure that is known already. */
  static <T> CompletionStage<CallResult<T>> failed(Failure failure) {
    return CompletableFuture.completedStage(new Failed<>(failure));
  }
}
