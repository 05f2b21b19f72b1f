package io.tidemark.it.engine;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.VirtualProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The CiliumNodes of a real API server. */
final class ServerHome implements SequenceHome {
  private static final String GONE = "gone";
  private static final long PATIENCE_SECONDS = 30;

  private final ClusterConnection cluster;
  private final CiliumNodes nodes;

  /**
   * The versions of objects after changes from outside since the operator began: the version each
   * object then had.
   */
  private final Map<String, String> done = new HashMap<>();

  ServerHome(ClusterConnection cluster) {
    this.cluster = cluster;
    this.nodes = new CiliumNodes(cluster);
  }

  @Override
  public Opened open(VirtualProcess program) {
    done.clear();
    return new Watching(program);
  }

  /** A store whose informer's threads only leave word; the thread of virtual time tells it on. */
  private final class Watching implements Opened {
    private final BlockingQueue<Runnable> word = new LinkedBlockingQueue<>();
    private final Map<String, String> told = new HashMap<>();
    private final KubernetesNodeResourceStore store;
    private boolean synced;

    Watching(VirtualProcess program) {
      this.store = KubernetesNodeResourceStore.open(cluster, program.time(), word::add);
    }

    @Override
    public void watch(NodeResourceStore.Watcher watcher) {
      store.watch(noting(watcher));
      while (!synced) {
        tellNext();
      }
    }

    private NodeResourceStore.Watcher noting(NodeResourceStore.Watcher watcher) {
      return new NodeResourceStore.Watcher() {
        @Override
        public void upserted(NodeResource resource) {
          told.put(resource.name(), resource.resourceVersion());
          watcher.upserted(resource);
        }

        @Override
        public void deleted(String name) {
          told.put(name, GONE);
          watcher.deleted(name);
        }

        @Override
        public void refused(String name, List<ResourceProblem> problems) {
          watcher.refused(name, problems);
        }

        @Override
        public void synced() {
          synced = true;
          watcher.synced();
        }
      };
    }

    private void tellNext() {
      try {
        Runnable next = word.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
          throw new AssertionError("the store never told what was done: " + done + ", " + told);
        }
        next.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    @Override
    public NodeResourceStore store() {
      return store;
    }

    @Override
    public void awaitTold() {
      while (!done.entrySet().stream().allMatch(each -> isTold(each.getKey(), each.getValue()))) {
        tellNext();
      }
    }

    private boolean isTold(String name, String version) {
      String newest = told.getOrDefault(name, "");
      if (version.equals(GONE) || newest.equals(GONE) || newest.isEmpty()) {
        return version.equals(newest);
      }
      return Long.parseLong(newest) >= Long.parseLong(version);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @Override
  public SortedMap<String, NodeResource> all() {
    SortedMap<String, NodeResource> all = new TreeMap<>();
    nodes.all().forEach(each -> all.put(each.name(), each));
    return all;
  }

  @Override
  public void create(NodeResource made) {
    noted(nodes.create(made));
  }

  @Override
  public void change(NodeResource before, NodeResource after) {
    NodeResource stored =
        SequenceJson.outcome(before.withStatusOf(after)).equals(SequenceJson.outcome(after))
            ? before
            : nodes.writeSpec(after);
    if (!stored.sameStatus(after)) {
      stored = nodes.writeStatus(stored.withStatusOf(after));
    }
    noted(stored);
  }

  @Override
  public void delete(String node) {
    nodes.delete(node);
    done.put(node, GONE);
  }

  private void noted(NodeResource stored) {
    done.put(stored.name(), stored.resourceVersion());
  }
}
