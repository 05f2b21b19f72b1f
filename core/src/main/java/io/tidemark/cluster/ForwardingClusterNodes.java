package io.tidemark.cluster;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store that passes everything on to another one; a subclass changes a part. Thread-safe. */
public class ForwardingClusterNodes implements ClusterNodeStore {
  private final ClusterNodeStore store;

  /** In front of {@code store}. */
  protected ForwardingClusterNodes(ClusterNodeStore store) {
    this.store = store;
  }

  @Override
  public Optional<ClusterNode> latest(String name) {
    return store.latest(name);
  }

  @Override
  public List<String> names() {
    return store.names();
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> watcher) {
    return store.watch(watcher);
  }

  @Override
  public Reading get(String name) {
    return store.get(name);
  }

  @Override
  public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
    return store.assignPodCidrs(name, uid, cidrs);
  }

  @Override
  public NodeChange networkAvailable(String name, String uid) {
    return store.networkAvailable(name, uid);
  }

  @Override
  public boolean keepsConditions() {
    return store.keepsConditions();
  }

  @Override
  public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    return store.annotate(seen, annotations);
  }

  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return store.catchUp(effects);
  }

  @Override
  public long interruptions() {
    return store.interruptions();
  }
}
