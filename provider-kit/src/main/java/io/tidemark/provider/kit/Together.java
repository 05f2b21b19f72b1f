package io.tidemark.provider.kit;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Work on several things at once. Stateless. */
public final class Together {
  private Together() {}

  /**
   * Begins the work on each key, one after the other, and ends when all of it has.
   *
   * @param keys each once
   * @return the results in the order of the keys; the caller's to change
   */
  public static <K, V> CompletionStage<Map<K, V>> each(
      Collection<? extends K> keys, Function<? super K, ? extends CompletionStage<V>> work) {
    CompletionStage<Map<K, V>> all = CompletableFuture.completedStage(new LinkedHashMap<>());
    for (K key : keys) {
      all =
          all.thenCombine(
              work.apply(key),
              (map, result) -> {
                map.put(key, result);
                return map;
              });
    }
    return all;
  }
}
