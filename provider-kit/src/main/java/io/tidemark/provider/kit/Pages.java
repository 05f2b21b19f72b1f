package io.tidemark.provider.kit;

import io.tidemark.resilience.CallResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Lists that a cloud gives page by page. Stateless.
 *
 * @param <P> a page
 * @param <N> what names the next page
 * @param <T> an element
 * @param ask asks for the page that is named, the first one by an empty name
 * @param next empty for the last page
 */
public record Pages<P, N, T>(
    Function<Optional<N>, CompletionStage<CallResult<P>>> ask,
    Function<P, List<T>> items,
    Function<P, Optional<N>> next) {

  /** The whole list, in order; the first failure ends it. */
  public CompletionStage<CallResult<List<T>>> all() {
    return from(Optional.empty(), new ArrayList<>());
  }

  private CompletionStage<CallResult<List<T>>> from(Optional<N> name, List<T> found) {
    return ask.apply(name)
        .thenCompose(
            result ->
                result.then(
                    page -> {
                      found.addAll(items.apply(page));
                      Optional<N> more = next.apply(page);
                      return more.isPresent()
                          ? from(more, found)
                          : CallResult.answered(List.copyOf(found));
                    }));
  }
}
