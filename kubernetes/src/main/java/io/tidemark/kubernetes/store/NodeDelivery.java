package io.tidemark.kubernetes.store;

import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.NodeResourceStore.Watcher;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a watcher what changed, one call at a time. Names wait, not versions: a watcher that is
 * slow gets the newest version once, so what waits is bounded by the number of nodes. A new
 * incarnation of a name is told as an end and a beginning. Thread-safe.
 */
final class NodeDelivery implements Watch {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDelivery.class);

  private final KnownNodes known;
  private final Watcher watcher;
  private final Executor executor;
  private final Runnable ended;
  private final Object turn = new Object();
  private final Object lock = new Object();
  private final Set<String> waiting = new LinkedHashSet<>();

  /** What the watcher was told of each name: the incarnation's uid. Guarded by the turn. */
  private final Map<String, String> told = new HashMap<>();

  private boolean listed;
  private boolean running;
  private boolean closed;

  NodeDelivery(KnownNodes known, Watcher watcher, Executor executor, Runnable ended) {
    this.known = known;
    this.watcher = watcher;
    this.executor = executor;
    this.ended = ended;
  }

  /** Something about this object is new. */
  void changed(String name) {
    synchronized (lock) {
      waiting.add(name);
    }
    wake();
  }

  /** Everything there was at the start has been named; to be told once, after it. */
  void listed() {
    synchronized (lock) {
      listed = true;
    }
    wake();
  }

  private void wake() {
    synchronized (lock) {
      if (running || closed) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::deliver);
    } catch (RejectedExecutionException e) {
      LOG.debug("The connection is closed; nothing more is told");
    }
  }

  private void deliver() {
    boolean synced = false;
    while (true) {
      String name;
      synchronized (lock) {
        Iterator<String> next = waiting.iterator();
        if (closed || (!next.hasNext() && !listed)) {
          running = false;
          return;
        }
        if (next.hasNext()) {
          name = next.next();
          next.remove();
        } else {
          name = "";
          listed = false;
          synced = true;
        }
      }
      synchronized (turn) {
        if (isClosed()) {
          return;
        }
        if (name.isEmpty() && synced) {
          tell(watcher::synced);
        } else {
          tell(name);
        }
      }
    }
  }

  private void tell(String name) {
    Optional<KnownNode> now = known.find(name);
    String before = told.get(name);
    boolean present = now.isPresent() && !now.get().gone();
    String uid = present ? now.get().uid() : "";
    if (before != null && (!present || !before.equals(uid))) {
      told.remove(name);
      tell(() -> watcher.deleted(name));
    }
    if (!present) {
      return;
    }
    told.put(name, uid);
    KnownNode node = now.get();
    if (node.problems().isEmpty()) {
      node.resource().ifPresent(resource -> tell(() -> watcher.upserted(resource)));
    } else {
      tell(() -> watcher.refused(name, node.problems()));
    }
  }

  /** A watcher that throws must not end the watch. */
  private static void tell(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.error("The watcher of node resources failed", e);
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  /** Waits for the call that is under way in another thread; none is made afterwards. */
  @Override
  public void close() {
    synchronized (turn) {
      synchronized (lock) {
        closed = true;
        waiting.clear();
      }
    }
    ended.run();
  }
}
