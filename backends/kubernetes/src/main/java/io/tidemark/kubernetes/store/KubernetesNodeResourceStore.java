package io.tidemark.kubernetes.store;

import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.store.CiliumNodeJson.Content;
import io.tidemark.kubernetes.store.CiliumNodeRequests.Answer;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.PrunedFields;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * CiliumNodes in the Kubernetes API (node-manager 1.1, 6). One informer reads them, page by page
 * and then by watching. Thread-safe.
 *
 * <p>An operator reads all nodes; the program of a node reads the object of its node alone.
 *
 * <p>A write is one request that carries the version it is based on. It is not sent if it would
 * change nothing, because the content is equal or because the server's schema drops the new fields.
 */
public final class KubernetesNodeResourceStore extends ObjectInformer<CiliumNodeJson, Content>
    implements NodeResourceStore {
  /** The operator's name in the server's records. */
  public static final String FIELD_MANAGER = "tidemark-operator";

  private final CiliumNodeRequests requests;
  private final PrunedMemory pruned;
  private final StatusSubresource status = new StatusSubresource();
  private final PagedLister<CiliumNodeJson, CiliumNodeJson.Page> lister;
  private volatile long predecessorSeconds = Long.MIN_VALUE;

  private KubernetesNodeResourceStore(
      ClusterConnection cluster,
      String fieldManager,
      PagedLister<CiliumNodeJson, CiliumNodeJson.Page> lister,
      TimeSource time,
      Executor executor) {
    super(
        cluster,
        new Kind<>(
            "CiliumNodes", CiliumNodeJson::known, CiliumNodeJson::share, (before, now) -> false),
        lister::informer,
        executor);
    this.requests = new CiliumNodeRequests(cluster, fieldManager);
    this.lister = lister;
    this.pruned = new PrunedMemory(time);
  }

  private static PagedLister<CiliumNodeJson, CiliumNodeJson.Page> lister(
      ClusterConnection cluster, Optional<String> only) {
    return new PagedLister<>(
        cluster, CiliumNodeJson.class, CiliumNodeJson.Page.class, CiliumNodeRequests.ALL, only);
  }

  /**
   * Starts to read; never fails: {@link #trouble} reports problems, and reads are retried.
   *
   * @param executor runs the calls of the watcher; may be shared
   */
  public static KubernetesNodeResourceStore open(
      ClusterConnection cluster, TimeSource time, Executor executor) {
    KubernetesNodeResourceStore store = unstarted(cluster, time, executor);
    store.start();
    return store;
  }

  /**
   * As {@link #open}, but reads nothing before {@link #start} or {@link #catchUp}. For an operator
   * that requests a lease: if it wins at once, it needs one list and not two.
   */
  public static KubernetesNodeResourceStore unstarted(
      ClusterConnection cluster, TimeSource time, Executor executor) {
    return new KubernetesNodeResourceStore(
        cluster, FIELD_MANAGER, lister(cluster, Optional.empty()), time, executor);
  }

  /**
   * As {@link #open}, for the program of the node {@code name}: lists and watches show its object
   * alone, and what concerns an operator alone, {@link #lastWriter} and {@link #leads}, is not for
   * it.
   *
   * @param fieldManager the program's name in the server's records
   */
  public static KubernetesNodeResourceStore ofNode(
      String name,
      String fieldManager,
      ClusterConnection cluster,
      TimeSource time,
      Executor executor) {
    KubernetesNodeResourceStore store =
        new KubernetesNodeResourceStore(
            cluster, fieldManager, lister(cluster, Optional.of(name)), time, executor);
    store.start();
    return store;
  }

  @Override
  void changed(String name) {
    requests.answered();
    super.changed(name);
  }

  @Override
  public Optional<NodeResource> latest(String name) {
    return present(name).flatMap(KnownObject::payload).map(Content::resource);
  }

  @Override
  public StoreResult get(String name) {
    Optional<KnownObject<Content>> before = known.find(name);
    Answer answer = requests.read(name);
    status.read(name, answer.match(KnownObject::uid, failure -> ""));
    return answer.match(
        object -> result(known.learnFresh(object, before)), KubernetesNodeResourceStore::failed);
  }

  @Override
  public StoreResult create(NodeResource resource) {
    if (!mayChange()) {
      return unled();
    }
    return requests
        .create(resource)
        .match(object -> result(known.learn(object)), KubernetesNodeResourceStore::failed);
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return write(
        "spec",
        original,
        changed,
        NodeResource::sameSpec,
        requests::writeSpec,
        PrunedFields::ofSpec);
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return write(
        "status",
        original,
        changed,
        NodeResource::sameStatus,
        this::writeStatus,
        PrunedFields::ofStatus);
  }

  /**
   * A missing resource may be the object or the subresource: after a read of the object the next
   * write tells, so this is a conflict until then.
   */
  private Answer writeStatus(NodeResource changed) {
    Answer answer = requests.writeStatus(changed);
    if (answer instanceof Answer.Found) {
      status.works();
    }
    if (answer.match(object -> true, failure -> failure.kind() != ApiFailure.Kind.NOT_FOUND)) {
      return answer;
    }
    status.notFound(changed.name(), changed.uid().orElse(""));
    return new Answer.Refused(
        status
            .trouble()
            .map(missing -> new ApiFailure(ApiFailure.Kind.INVALID, missing))
            .orElseGet(() -> new ApiFailure(ApiFailure.Kind.CONFLICT, "the status was not found")));
  }

  private StoreResult write(
      String section,
      NodeResource original,
      NodeResource changed,
      BiPredicate<NodeResource, NodeResource> same,
      Function<NodeResource, Answer> request,
      BiFunction<NodeResource, NodeResource, PrunedFields> dropped) {
    NodeResource sent =
        pruned.fields().takenFrom(changed).withResourceVersion(original.resourceVersion());
    if (same.test(original, sent)) {
      return new StoreResult.Unchanged();
    }
    if (!mayChange()) {
      return unled();
    }
    return request
        .apply(sent)
        .match(
            stored -> {
              stored
                  .payload()
                  .ifPresent(it -> pruned.learn(section, dropped.apply(sent, it.resource())));
              return result(known.learn(stored));
            },
            KubernetesNodeResourceStore::failed);
  }

  /** The newest known version, which may be newer than the answer just read. */
  private static StoreResult result(KnownObject<Content> newest) {
    if (newest.gone()) {
      return new StoreResult.NotFound();
    }
    if (!newest.problems().isEmpty()) {
      ResourceProblem first = newest.problems().get(0);
      return new StoreResult.Failed("the object cannot be read: " + first);
    }
    return newest
        .payload()
        .<StoreResult>map(it -> new StoreResult.Stored(it.resource()))
        .orElseGet(StoreResult.NotFound::new);
  }

  private static StoreResult unled() {
    return new StoreResult.Failed(Fence.NO_LEASE, StoreResult.Effect.ASKED_TO_WAIT);
  }

  private static StoreResult failed(ApiFailure failure) {
    return switch (failure.kind()) {
      case CONFLICT, EXISTS -> new StoreResult.Conflict();
      case NOT_FOUND -> new StoreResult.NotFound();
      case INVALID -> new StoreResult.Refused(failure.text());
      default -> new StoreResult.Failed(failure.text(), failure.effect());
    };
  }

  @Override
  public Watch watch(Watcher watcher) {
    return watch(it -> watcher.upserted(it.resource()), watcher);
  }

  @Override
  public LastWriter lastWriter(String name) {
    return known
        .find(name)
        .flatMap(KnownObject::payload)
        .map(node -> node.writes().takenOver(predecessorSeconds))
        .orElse(LastWriter.UNKNOWN);
  }

  /**
   * The lease was won. To be called before {@link #catchUp}; never where there is no lease: a write
   * under our field manager that this store did not send is a second operator's then.
   *
   * @param fence nothing is written any more while it is closed: a write that fails with that had
   *     no effect
   * @param since when, by the server's clock, as in {@code LeaderLease.wonAt}. A request that our
   *     predecessor sent before arrives within the connection's request time-out after it: until
   *     then a write under our field manager may be the predecessor's. Empty when not known, and
   *     then no write counts as the predecessor's
   */
  public void leads(Fence fence, Optional<Instant> since) {
    leads(fence);
    predecessorSeconds =
        since
            .map(won -> won.getEpochSecond() + cluster.requestTimeout().plusMillis(999).toSeconds())
            .orElse(Long.MIN_VALUE);
  }

  /** By a list of all objects that the server reads after the call. */
  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    PagedLister<CiliumNodeJson, CiliumNodeJson.Page> list = lister.another();
    return catchUp(effects, next -> list.page(next, CiliumNodeJson::known));
  }

  /** Which incarnation of the name there is, readable or not; empty when there is none. */
  public Optional<String> uid(String name) {
    return present(name).map(KnownObject::uid).filter(uid -> !uid.isEmpty());
  }

  /** Why objects cannot be read now. */
  public List<ResourceProblem> refused() {
    return known.refused().stream().flatMap(node -> node.problems().stream()).toList();
  }

  /**
   * Why objects cannot be read or written now; empty while they can. A broken watch is noticed with
   * the first request or list after it.
   */
  @Override
  public Optional<String> trouble() {
    return super.trouble().or(status::trouble).or(pruned::trouble).or(requests::trouble);
  }
}
