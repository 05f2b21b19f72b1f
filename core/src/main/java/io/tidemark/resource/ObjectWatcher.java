package io.tidemark.resource;

import java.util.List;

/**
 * Receives changes of the objects of one kind; called from one thread at a time; must not block.
 *
 * @param <T> the object
 */
public interface ObjectWatcher<T> {
  /** The object is new or changed; a store may deliver own writes as well. */
  void upserted(T object);

  /** The object is gone. */
  void deleted(String name);

  /** The object cannot be parsed; its last valid version is kept. */
  void refused(String name, List<ResourceProblem> problems);

  /** Every object that existed at the start was delivered. */
  void synced();
}
