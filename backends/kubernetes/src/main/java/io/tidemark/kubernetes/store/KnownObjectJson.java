package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.tidemark.kubernetes.InformerObjectJson;

/**
 * An object for the client library's informer: what is kept of it, and the metadata that an
 * informer needs. It is read, never sent.
 *
 * @param <T> what is kept of it
 */
abstract class KnownObjectJson<T> extends InformerObjectJson {
  private static final long serialVersionUID = 1L;

  private transient volatile KnownObject<T> known;

  KnownObjectJson(KnownObject<T> known) {
    super(new ObjectMeta());
    this.known = known;
    getMetadata().setName(known.name());
    getMetadata().setUid(known.uid());
    getMetadata().setResourceVersion(known.version());
  }

  final KnownObject<T> known() {
    return known;
  }

  /**
   * Holds {@code newest} if it is this version. The answer to a write and the event of a watch are
   * then one object in memory, whichever came first.
   */
  final void share(KnownObject<T> newest) {
    if (newest.version().equals(known.version()) && known.problems().isEmpty()) {
      known = newest;
    }
  }
}
