package io.tidemark.kubernetes.demand;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store of an informer that keeps a small copy of each object. Thread-safe. */
final class TrimmedStore<T extends HasMetadata> implements ItemStore<T> {
  private final ConcurrentMap<String, T> items = new ConcurrentHashMap<>();
  private final UnaryOperator<T> trimmed;

  TrimmedStore(UnaryOperator<T> trimmed) {
    this.trimmed = trimmed;
  }

  /** Name, namespace, uid and version alone. */
  static ObjectMeta identity(ObjectMeta metadata) {
    ObjectMeta small = new ObjectMeta();
    small.setName(metadata.getName());
    small.setNamespace(metadata.getNamespace());
    small.setUid(metadata.getUid());
    small.setResourceVersion(metadata.getResourceVersion());
    return small;
  }

  @Override
  public String getKey(T object) {
    String namespace = object.getMetadata().getNamespace();
    return namespace == null
        ? object.getMetadata().getName()
        : namespace + '/' + object.getMetadata().getName();
  }

  @Override
  public @Nullable T put(String key, T object) {
    return items.put(key, trimmed.apply(object));
  }

  @Override
  public @Nullable T remove(String key) {
    return items.remove(key);
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<T> values() {
    return items.values().stream();
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public @Nullable T get(String key) {
    return items.get(key);
  }

  /** Additions are delivered with the whole object, before it is trimmed. */
  @Override
  public boolean isFullState() {
    return false;
  }
}
