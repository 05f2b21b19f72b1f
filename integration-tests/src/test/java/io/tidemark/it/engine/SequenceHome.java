package io.tidemark.it.engine;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.time.VirtualProcess;
import java.util.SortedMap;

/** Where the objects of a sequence live: seen from outside, and opened for an operator. */
interface SequenceHome {
  /** The place that an operator works on, one at a time, and the end of its work. */
  interface Opened extends AutoCloseable {
    NodeResourceStore store();

    /** Tells this one what changes; everything there is may be told before this returns. */
    void watch(NodeResourceStore.Watcher watcher);

    /**
     * Blocks until the watcher was told of everything that was done from outside so far, by the
     * thread that calls.
     */
    void awaitTold();

    @Override
    void close();
  }

  /** Opens it for a program. */
  Opened open(VirtualProcess program);

  /** The objects as they stand there, by name. */
  SortedMap<String, NodeResource> all();

  /** Somebody makes an object. */
  void create(NodeResource made);

  /** Somebody changes an object as it stands there. */
  void change(NodeResource before, NodeResource after);

  /** Somebody deletes an object. */
  void delete(String node);
}
