package io.tidemark.datastore;

/** Whether what is in use is removed. */
public enum Removal {
  /** It stays. */
  UNUSED_ONLY,
  /**
   * It is removed, because the cloud says that the node does not have it any more. Its assignments
   * become orphans.
   */
  FORCED
}
