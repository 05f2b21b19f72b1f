package io.tidemark.daemon.ipamd;

import io.tidemark.daemon.ipamd.RpcOutcome.Cause;
import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.Assignment;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the plugin of the VPC CNI from the store of the node. Thread-safe; never blocks; each
 * request is answered within {@link #LONGEST}, and its stage never ends exceptionally.
 */
public final class CniBackend {
  /** How long a request may take; the plugin repeats one that took longer. */
  public static final Duration LONGEST = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(CniBackend.class);

  private final DataStore store;
  private final IpFamily family;
  private final PluginVersions versions;
  private final VpcRouting routing;
  private final NodeFacts node;
  private final TaskScheduler scheduler;
  private final Pool pool;

  /** Keeps the store filled. */
  public interface Pool {
    /** Nothing does. */
    Pool FIXED =
        new Pool() {
          @Override
          public Optional<String> waits() {
            return Optional.empty();
          }

          @Override
          public void changed() {}
        };

    /** Why a pod without an address cannot get one at present; empty when it can. */
    Optional<String> waits();

    /** A pod got an address, or none, or one was released. */
    void changed();
  }

  /**
   * A backend.
   *
   * @param family of the addresses of pods
   * @param routing of the VPC, in both families
   */
  public CniBackend(
      DataStore store,
      IpFamily family,
      PluginVersions versions,
      VpcRouting routing,
      NodeFacts node,
      TaskScheduler scheduler,
      Pool pool) {
    this.pool = pool;
    this.store = store;
    this.family = family;
    this.versions = versions;
    this.routing = routing.of(family);
    this.node = node;
    this.scheduler = scheduler;
  }

  /**
   * Gives a pod an address, or the one that it has. Ends when that is durable. A pod without one
   * gets a reply that says so.
   */
  public CompletionStage<RpcOutcome<PodReply>> add(PodRequest request) {
    Optional<WireForm> form = versions.form(request.clientVersion());
    if (form.isEmpty()) {
      return wrongVersion(request.clientVersion());
    }
    if (isIncomplete(request.key())) {
      LOG.info("An ADD without container, interface or network is refused.");
      return ended(new PodReply(form.get(), false, List.of()));
    }
    Optional<String> waits =
        store.hasAddress(request.key(), family) ? Optional.empty() : pool.waits();
    if (waits.isPresent()) {
      return ended(waiting(request, form.get(), waits.get()));
    }
    IpamMetadata metadata = new IpamMetadata(request.podNamespace(), request.podName(), 1);
    return inTime(
        store
            .assign(request.key(), metadata, family)
            .thenApply(
                outcome -> {
                  pool.changed();
                  return new RpcOutcome.Replied<>(assigned(request, form.get(), outcome));
                }));
  }

  /** A pod has its address by the file, while the state of the node cannot be read. */
  private PodReply waiting(PodRequest request, WireForm form, String reason) {
    Optional<Assignment> orphaned = store.orphaned(request.key(), family);
    if (orphaned.isEmpty()) {
      LOG.warn(
          "A pod gets no address yet. pod={}/{} reason={}",
          request.podNamespace(),
          request.podName(),
          reason);
    }
    return new PodReply(form, orphaned.isPresent(), orphaned.stream().toList());
  }

  private static PodReply assigned(PodRequest request, WireForm form, AssignOutcome outcome) {
    if (outcome instanceof AssignOutcome.Granted granted) {
      return new PodReply(form, true, List.of(granted.assignment()));
    }
    StoreRefusal refusal =
        outcome instanceof AssignOutcome.NoAddress none
            ? none.refusal()
            : ((AssignOutcome.Refused) outcome).refusal();
    LOG.warn(
        "A pod gets no address. pod={}/{} reason={}",
        request.podNamespace(),
        request.podName(),
        refusal.message());
    return new PodReply(form, false, List.of());
  }

  /**
   * Takes from a pod what it has. Ends when that is durable. A sandbox that is not known fails with
   * the text by which the plugin ends with success.
   */
  public CompletionStage<RpcOutcome<PodReply>> del(PodRequest request) {
    Optional<WireForm> form = versions.form(request.clientVersion());
    if (form.isEmpty()) {
      return wrongVersion(request.clientVersion());
    }
    if (isIncomplete(request.key())) {
      LOG.info("A DEL without container, interface or network is refused.");
      return ended(new PodReply(form.get(), false, List.of()));
    }
    return inTime(
        store
            .release(request.key())
            .thenApply(
                outcome -> {
                  pool.changed();
                  return released(request, form.get(), outcome);
                }));
  }

  private static RpcOutcome<PodReply> released(
      PodRequest request, WireForm form, StoreReleaseOutcome outcome) {
    if (outcome instanceof StoreReleaseOutcome.Released released) {
      return new RpcOutcome.Replied<>(new PodReply(form, true, released.assignments()));
    }
    if (outcome instanceof StoreReleaseOutcome.Unknown unknown) {
      Function<Assignment, RpcOutcome<PodReply>> lost =
          each -> new RpcOutcome.Replied<>(new PodReply(form, true, List.of(each)));
      return unknown.lost().map(lost).orElseGet(() -> failed(unknown.refusal()));
    }
    StoreRefusal refusal = ((StoreReleaseOutcome.Refused) outcome).refusal();
    LOG.warn(
        "A pod keeps its address. pod={}/{} reason={}",
        request.podNamespace(),
        request.podName(),
        refusal.message());
    return failed(refusal);
  }

  private static RpcOutcome<PodReply> failed(StoreRefusal refusal) {
    return new RpcOutcome.Failed<>(Cause.UNKNOWN, refusal.text());
  }

  /** The routing that replies show. */
  public VpcRouting routing() {
    return routing;
  }

  /** The facts about the node. */
  public NodeFacts node() {
    return node;
  }

  /** Why pods neither get addresses nor lose them; empty when they do. */
  public Optional<String> unhealthy() {
    return store.unhealthy();
  }

  /** Why some pods get no address now, even if there is one; empty when all do. */
  public Optional<String> unready() {
    return unhealthy().or(pool::waits);
  }

  private static boolean isIncomplete(IpamKey key) {
    return key.containerId().isEmpty() || key.ifName().isEmpty() || key.networkName().isEmpty();
  }

  private <T> CompletionStage<RpcOutcome<T>> wrongVersion(String client) {
    return CompletableFuture.completedStage(
        new RpcOutcome.Failed<>(Cause.FAILED_PRECONDITION, versions.refusal(client)));
  }

  private static <T> CompletionStage<RpcOutcome<T>> ended(T reply) {
    return CompletableFuture.completedStage(new RpcOutcome.Replied<>(reply));
  }

  /** The work of the request continues after its deadline: a repeated one joins it. */
  private <T> CompletionStage<RpcOutcome<T>> inTime(CompletionStage<RpcOutcome<T>> work) {
    CompletableFuture<RpcOutcome<T>> end = new CompletableFuture<>();
    Cancellable timer =
        scheduler.after(
            LONGEST,
            () ->
                end.complete(
                    new RpcOutcome.Failed<>(
                        Cause.DEADLINE_EXCEEDED,
                        "no answer within " + LONGEST.toSeconds() + " s; it can be repeated")));
    work.whenComplete(
        (outcome, thrown) -> {
          timer.cancel();
          if (thrown == null) {
            end.complete(outcome);
          } else {
            LOG.error("A request failed because of a defect", thrown);
            end.complete(new RpcOutcome.Failed<>(Cause.INTERNAL, "a defect: " + thrown));
          }
        });
    return end;
  }
}
