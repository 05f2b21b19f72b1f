package io.tidemark.provider.azure.doctor;

import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.Page;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The same request about several things, and lists page by page. Stateless. */
final class Requests {
  private Requests() {}

  /** Reads a page of a list. */
  @FunctionalInterface
  interface Listing<T> {
    Page<T> page(Optional<URI> next) throws ArmFailure;
  }

  /** Answers by what was asked about; all are asked at once. */
  static <K extends Comparable<? super K>, V> CompletionStage<NavigableMap<K, CallResult<V>>> each(
      Collection<K> keys, Function<K, CompletionStage<CallResult<V>>> request) {
    CompletionStage<NavigableMap<K, CallResult<V>>> all =
        CompletableFuture.completedStage(new TreeMap<>());
    for (K key : keys) {
      all =
          all.thenCombine(
              request.apply(key),
              (map, result) -> {
                map.put(key, result);
                return map;
              });
    }
    return all;
  }

  /** A whole list. */
  static <T> CompletionStage<CallResult<List<T>>> pages(
      CloudCalls calls, ArmOperation operation, CallContext context, Listing<T> listing) {
    return pages(calls, operation, context, listing, Optional.empty(), new ArrayList<>());
  }

  private static <T> CompletionStage<CallResult<List<T>>> pages(
      CloudCalls calls,
      ArmOperation operation,
      CallContext context,
      Listing<T> listing,
      Optional<URI> from,
      List<T> found) {
    return calls
        .call(operation.kind(), context, attempt -> listing.page(from))
        .thenCompose(
            result ->
                result.match(
                    page -> {
                      found.addAll(page.items());
                      return page.next().isPresent()
                          ? pages(calls, operation, context, listing, page.next(), found)
                          : CompletableFuture.completedStage(new CallResult.Answered<>(found));
                    },
                    failure -> CompletableFuture.completedStage(new CallResult.Failed<>(failure))));
  }
}
