package io.tidemark.kubernetes.demand;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidemark.cluster.AnnotatedPools;
import io.tidemark.cluster.PoolMetadata;
import io.tidemark.ip.IpFamily;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LiveLister;
import io.tidemark.kubernetes.WatchTrouble;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pools that the pods of one node prefer (allocators 8). The API server sends the pods of this
 * node alone, for which it looks at all pods, so that they are not listed from time to time; and
 * every namespace. Only their names and the annotations about pools are held. Thread-safe; never
 * blocks.
 */
public final class NodePodPools implements PoolMetadata, AutoCloseable {
  private static final long PAGE = 500;

  private final WatchTrouble podTrouble;
  private final WatchTrouble namespaceTrouble;
  private final SharedIndexInformer<PodJson> pods;
  private final SharedIndexInformer<NamespaceJson> namespaces;
  private final AnnotatedPools pools = new AnnotatedPools(new Known());

  private NodePodPools(ClusterConnection cluster, String node) {
    this.podTrouble = WatchTrouble.withoutLists(cluster, "Pods");
    this.namespaceTrouble = new WatchTrouble(cluster, "Namespaces");
    cluster.registerType(PodJson.class);
    this.pods =
        LiveLister.informer(
                PodJson.class,
                cluster
                    .client()
                    .resources(PodJson.class)
                    .inAnyNamespace()
                    .withField("spec.nodeName", node)
                    .withLimit(PAGE),
                podTrouble)
            .removeNamespaceIndex()
            .addEventHandler(new Listed<>(podTrouble));
    cluster.registerType(NamespaceJson.class);
    this.namespaces =
        LiveLister.informer(
                NamespaceJson.class,
                cluster.client().resources(NamespaceJson.class).withLimit(PAGE),
                namespaceTrouble)
            .removeNamespaceIndex()
            .addEventHandler(new Listed<>(namespaceTrouble));
  }

  /** Starts to watch; failures are logged and retried. */
  public static NodePodPools watch(ClusterConnection cluster, String node) {
    NodePodPools pools = new NodePodPools(cluster, node);
    pools.pods.start();
    pools.namespaces.start();
    return pools;
  }

  /** Not known until pods and namespaces were listed once: an unknown preference is not none. */
  @Override
  public Answer poolOf(String owner, IpFamily family) {
    return pools.poolOf(owner, family);
  }

  @Override
  public void close() {
    podTrouble.close();
    namespaceTrouble.close();
    pods.stop();
    namespaces.stop();
  }

  private final class Known implements AnnotatedPools.Source {
    @Override
    public Optional<Map<String, String>> ofPod(String namespace, String name) {
      return annotations(pods.getStore().getByKey(namespace + '/' + name));
    }

    @Override
    public Optional<Map<String, String>> ofNamespace(String name) {
      return annotations(namespaces.getStore().getByKey(name));
    }

    private static Optional<Map<String, String>> annotations(@Nullable HasMetadata object) {
      return Optional.ofNullable(object).map(each -> each.getMetadata().getAnnotations());
    }
  }

  /** Hears that a list arrived; what is in it is asked of the store. */
  private record Listed<T>(WatchTrouble trouble) implements ResourceEventHandler<T> {
    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      trouble.works();
    }

    @Override
    public void onAdd(T object) {}

    @Override
    public void onUpdate(T before, T now) {}

    @Override
    public void onDelete(T object, boolean deletedFinalStateUnknown) {}
  }
}
