package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.TroubleLog;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what the informer tells into {@link KnownNodes}. The informer calls one method at a time;
 * what is asked may be asked from any thread.
 */
final class CiliumNodeEvents implements ResourceEventHandler<CiliumNodeJson> {
  private static final Logger LOG = LoggerFactory.getLogger(CiliumNodeEvents.class);

  private static final String NO_DEFINITION =
      "the API server has no CiliumNodes. Install Cilium's CustomResourceDefinitions first.";

  private final ClusterConnection cluster;
  private final KnownNodes known;
  private final Consumer<String> changed;
  private final Runnable listed;
  private @Nullable SharedIndexInformer<CiliumNodeJson> informer;
  private String knownBeforeList = "";
  private volatile boolean hasListed;
  private final TroubleLog log = new TroubleLog("CiliumNodes");
  private volatile Optional<ApiFailure> trouble = Optional.empty();
  private volatile boolean closed;

  /**
   * Feeds what is known.
   *
   * @param changed told the name of each object that is new, changed or gone
   * @param listed told once, when everything there was has been named
   */
  CiliumNodeEvents(
      ClusterConnection cluster, KnownNodes known, Consumer<String> changed, Runnable listed) {
    this.cluster = cluster;
    this.known = known;
    this.changed = changed;
    this.listed = listed;
  }

  /** Whose store is the truth after a list; before it starts. */
  void readFrom(SharedIndexInformer<CiliumNodeJson> source) {
    this.informer = source;
  }

  @Override
  public void onBeforeList(@Nullable String lastSyncResourceVersion) {
    knownBeforeList = known.highest();
  }

  @Override
  public void onList(String resourceVersion, boolean remainedEmpty) {
    if (Revisions.isOlder(resourceVersion, knownBeforeList)) {
      LOG.warn(
          "The API server was set back to an older state, which counts from now on."
              + " known={} now={}",
          knownBeforeList,
          resourceVersion);
      setBack(resourceVersion);
    }
    trouble = Optional.empty();
    log.works();
    if (!hasListed) {
      hasListed = true;
      listed.run();
    }
  }

  private void setBack(String version) {
    SharedIndexInformer<CiliumNodeJson> source = informer;
    if (source == null) {
      return;
    }
    Set<String> present = new HashSet<>();
    for (CiliumNodeJson object : source.getStore().list()) {
      KnownNode node = known.replace(KnownNode.of(object));
      present.add(node.name());
      changed.accept(node.name());
    }
    for (String name : known.names()) {
      if (!present.contains(name)) {
        known.replace(KnownNode.gone(name, version));
        changed.accept(name);
      }
    }
  }

  @Override
  public void onAdd(CiliumNodeJson object) {
    seen(object);
  }

  @Override
  public void onUpdate(CiliumNodeJson before, CiliumNodeJson now) {
    seen(now);
  }

  private void seen(CiliumNodeJson object) {
    KnownNode node = KnownNode.of(object);
    if (!node.name().isEmpty()) {
      changed.accept(known.learn(node).name());
    }
  }

  /** A deletion that a list brought to light happened at some version up to that of the list. */
  @Override
  public void onDelete(CiliumNodeJson object, boolean deletedFinalStateUnknown) {
    String name = object.getMetadata().getName();
    SharedIndexInformer<CiliumNodeJson> source = informer;
    String version = object.getMetadata().getResourceVersion();
    if (deletedFinalStateUnknown && source != null && source.lastSyncResourceVersion() != null) {
      version = Revisions.newer(version, source.lastSyncResourceVersion());
    }
    known.learn(KnownNode.gone(name, version));
    changed.accept(name);
  }

  /** Whatever goes wrong with a list or watch is told and tried again. */
  boolean isToBeTriedAgain(boolean started, Throwable thrown) {
    if (closed) {
      return false;
    }
    ApiFailure failure = cluster.watchFailure(thrown, "ciliumnodes");
    if (failure.kind() == ApiFailure.Kind.NOT_FOUND) {
      failure = new ApiFailure(failure.kind(), NO_DEFINITION);
    }
    trouble = Optional.of(failure);
    log.failed(failure);
    return true;
  }

  /** From now on nothing is tried again. */
  void close() {
    closed = true;
  }

  boolean hasListed() {
    return hasListed;
  }

  /** What went wrong last and was not seen to be over. */
  Optional<String> trouble() {
    return trouble.map(ApiFailure::text);
  }
}
