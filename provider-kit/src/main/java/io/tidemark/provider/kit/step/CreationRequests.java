package io.tidemark.provider.kit.step;

import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The requests of a provider that {@link InterfaceCreation} sends, and the meaning of their
 * responses. Made for one attempt.
 *
 * @param <C> an interface as the cloud describes it, attached or not
 */
public interface CreationRequests<I extends CachedInterface<I>, S, C> {
  /**
   * One request that creates.
   *
   * @param addresses that it takes from the pool, the primary one included
   * @param send called once
   */
  record Order<C>(PoolId pool, int addresses, Supplier<CompletionStage<CallResult<C>>> send) {}

  /**
   * A created interface in a response.
   *
   * @param addresses that it holds, the primary one included
   * @param attached the interface in the provider's terms; empty if it is detached
   * @param here whether it is attached to the instance it was created for
   */
  record Shown<I>(InterfaceId id, PoolId pool, int addresses, Optional<I> attached, boolean here) {}

  /** Where the interface is attached, for its token; may change between attempts. */
  String place();

  /** The request of a rung; the same token must be used with the same request. */
  Order<C> order(Rung<S> rung, String token);

  /**
   * Whether the token was used before with another request; never, by default: a cloud can answer
   * any request with the interface of its token.
   */
  default boolean isTokenMismatch(Failure failure) {
    return false;
  }

  /** The interfaces that were created with a token; called after a mismatch alone. */
  default CompletionStage<CallResult<List<C>>> find(String token) {
    return CallResult.answered(List.of());
  }

  /** Reads a response. */
  Shown<I> shown(C created);

  /** Attempts to attach, 1 or more. */
  default int attachesMax() {
    return 3;
  }

  /** Attaches it; returns the attached interface. */
  CompletionStage<CallResult<I>> attach(C created);

  /**
   * The meaning of a failed attachment; may read from the cloud.
   *
   * @param attaches attempts so far, this one included
   */
  CompletionStage<AttachFailure<I>> meaning(C created, Failure failure, int attaches);

  /** Reads one interface again; returns none if it does not exist. */
  CompletionStage<CallResult<List<C>>> read(InterfaceId id);

  /** Deletes an interface that is not attached. */
  CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext compensating);

  /**
   * Completes the setup of an attached interface before the outcome is returned; its failure does
   * not fail the creation. Nothing by default.
   *
   * @param generation of the inventory that has it
   * @return ends with the last generation
   */
  default CompletionStage<Long> finish(I attached, long generation) {
    return CompletableFuture.completedStage(generation);
  }
}
