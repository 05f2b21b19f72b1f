package io.tidemark.provider.azure.network;

import io.tidemark.provider.kit.Pages;
import io.tidemark.resilience.CallResult;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One page of a list.
 *
 * @param next where the next page is; empty at the end
 */
public record AzurePage<T>(List<T> items, Optional<URI> next) {
  public AzurePage {
    items = List.copyOf(items);
  }

  /**
   * The whole list, in order; the first failure ends it.
   *
   * @param ask asks for a page; for the first one by an empty place
   */
  public static <T> CompletionStage<CallResult<List<T>>> all(
      Function<Optional<URI>, CompletionStage<CallResult<AzurePage<T>>>> ask) {
    return new Pages<>(ask, AzurePage<T>::items, AzurePage<T>::next).all();
  }
}
