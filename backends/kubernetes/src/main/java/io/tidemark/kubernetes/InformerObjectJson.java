package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/**
 * An object as an informer of the client library holds it: its identity, and what a subclass reads
 * of it. Thread-safe; never sent.
 */
public abstract class InformerObjectJson implements HasMetadata {
  private static final long serialVersionUID = 1L;

  private transient ObjectMeta metadata;

  /** An object with the metadata that an informer needs. */
  protected InformerObjectJson(ObjectMeta metadata) {
    this.metadata = metadata;
  }

  @Override
  public final ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public final void setMetadata(ObjectMeta metadata) {
    this.metadata = metadata;
  }

  @Override
  public final void setApiVersion(String version) {
    // the same for every object of a type
  }
}
