package io.tidemark.provider.azure.network;

import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One page of a list.
 *
 * @param next where the next page is; empty at the end
 */
public record Page<T>(List<T> items, Optional<URI> next) {
  public Page {
    items = List.copyOf(items);
  }

  /** Reads a page of a list. */
  @FunctionalInterface
  public interface Listing<T> {
    /** The page that {@code next} of the page before names; the first one if that is empty. */
    Page<T> page(Optional<URI> next) throws ArmFailure;
  }

  /**
   * A whole list, page by page.
   *
   * @param send makes the request for one page
   */
  public static <T> CompletionStage<CallResult<List<T>>> all(
      Listing<T> listing,
      Function<CloudCalls.Leaf<Page<T>>, CompletionStage<CallResult<Page<T>>>> send) {
    return rest(listing, send, Optional.empty(), new ArrayList<>());
  }

  private static <T> CompletionStage<CallResult<List<T>>> rest(
      Listing<T> listing,
      Function<CloudCalls.Leaf<Page<T>>, CompletionStage<CallResult<Page<T>>>> send,
      Optional<URI> from,
      List<T> found) {
    return send.apply(attempt -> listing.page(from))
        .thenCompose(
            result ->
                result.then(
                    page -> {
                      found.addAll(page.items());
                      return page.next().isPresent()
                          ? rest(listing, send, page.next(), found)
                          : CallResult.answered(List.copyOf(found));
                    }));
  }
}
