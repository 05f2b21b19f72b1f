package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.resource.CatchUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Whether all nodes were listed since their watch was interrupted last. Before that no block is
 * given out: a server that was restored meanwhile can have nodes of which no watch tells.
 * Thread-safe; the lock is never held across a call.
 */
final class FreshList {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final ControllerParts parts;
  private final ClusterNodeStore store;
  private final KeyedReconciler<?> reconciler;
  private final Runnable listed;
  private final Object lock = new Object();
  private long interruptions;
  private boolean listing;

  /** {@code listed} runs when every node was decided about that a list has shown. */
  FreshList(ControllerParts parts, KeyedReconciler<?> reconciler, Runnable listed) {
    this.parts = parts;
    this.store = parts.nodes();
    this.reconciler = reconciler;
    this.listed = listed;
  }

  /** The nodes are known from a list that was asked for after so many interruptions. */
  void begin(long before) {
    synchronized (lock) {
      interruptions = before;
    }
  }

  boolean isThere() {
    long now = store.interruptions();
    synchronized (lock) {
      return now == interruptions && !listing;
    }
  }

  /** Lists the nodes, unless that was done or is being done; then all of them step again. */
  void need() {
    long now = store.interruptions();
    synchronized (lock) {
      if (now == interruptions || listing) {
        return;
      }
      listing = true;
    }
    reconciler.begun();
    list();
  }

  private void list() {
    long before = store.interruptions();
    store.catchUp(parts.effects()).thenAccept(end -> listed(end, before));
  }

  private void listed(CatchUp end, long before) {
    if (reconciler.isStopped()) {
      reconciler.ended();
    } else if (end instanceof CatchUp.Failed) {
      parts.scheduler().after(RETRY, this::list);
    } else {
      look(before);
    }
  }

  /** Every node is looked at, so that the ledger has what the list shows. */
  private void look(long before) {
    Set<String> names = reconciler.names();
    names.addAll(store.names());
    List<CompletableFuture<Void>> looked = new ArrayList<>();
    for (String name : names) {
      CompletableFuture<Void> one = new CompletableFuture<>();
      looked.add(one);
      reconciler.step(name);
      reconciler.post(name, after -> one.complete(null));
    }
    CompletableFuture.allOf(looked.toArray(CompletableFuture<?>[]::new))
        .thenRun(() -> goOn(before));
  }

  private void goOn(long before) {
    synchronized (lock) {
      interruptions = before;
      listing = false;
    }
    reconciler.ended();
    if (reconciler.isActive()) {
      listed.run();
    }
  }
}
