package io.tidemark.daemon.ipamd;

import io.tidemark.daemon.ipamd.RpcOutcome.Cause;
import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.Assignment;
import io.tidemark.datastore.CardsOutcome;
import io.tidemark.datastore.MultiCardStore;
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
 * Answers the plugin of the VPC CNI from the stores of the node. Thread-safe; never blocks; each
 * request is answered within {@link #LONGEST}, and its stage never ends exceptionally.
 */
public final class CniBackend {
  /** How long a request may take; the plugin repeats one that took longer. */
  public static final Duration LONGEST = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(CniBackend.class);

  private final MultiCardStore stores;
  private final IpFamily family;
  private final PluginVersions versions;
  private final VpcRouting routing;
  private final NodeFacts node;
  private final TaskScheduler scheduler;
  private final Pool pool;

  /** Keeps the stores filled. */
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
      MultiCardStore stores,
      IpFamily family,
      PluginVersions versions,
      VpcRouting routing,
      NodeFacts node,
      TaskScheduler scheduler,
      Pool pool) {
    this.pool = pool;
    this.stores = stores;
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
  public CompletionStage<RpcOutcome<AddReply>> add(AddRequest request) {
    Optional<WireForm> form = versions.form(request.clientVersion());
    if (form.isEmpty()) {
      return wrongVersion(request.clientVersion());
    }
    if (isIncomplete(request.key())) {
      LOG.info("An ADD without container, interface or network is refused.");
      return ended(new AddReply(form.get(), false, List.of(), routing));
    }
    Optional<String> waits = hasAddress(request.key()) ? Optional.empty() : pool.waits();
    Optional<Assignment> orphaned = waits.flatMap(reason -> orphaned(request.key()));
    if (orphaned.isPresent()) {
      return ended(new AddReply(form.get(), true, List.of(orphaned.get()), routing));
    }
    if (waits.isPresent()) {
      LOG.warn(
          "A pod gets no address yet. pod={}/{} reason={}",
          request.podNamespace(),
          request.podName(),
          waits.get());
      return ended(new AddReply(form.get(), false, List.of(), routing));
    }
    return inTime(
        assigned(request)
            .thenApply(
                assignments -> {
                  pool.changed();
                  return new RpcOutcome.Replied<>(
                      new AddReply(form.get(), !assignments.isEmpty(), assignments, routing));
                }));
  }

  private boolean hasAddress(IpamKey key) {
    return stores.numbers().stream()
        .flatMap(number -> stores.card(number).stream())
        .anyMatch(card -> card.hasAddress(key, family));
  }

  /** The pod's address by the file, while the state of the node cannot be read. */
  private Optional<Assignment> orphaned(IpamKey key) {
    return stores.numbers().stream()
        .flatMap(number -> stores.card(number).stream())
        .flatMap(card -> card.orphaned(key, family).stream())
        .findFirst();
  }

  /** None when the pod gets no address. */
  private CompletionStage<List<Assignment>> assigned(AddRequest request) {
    int interfaces = request.everyCard() ? stores.numbers().size() : 1;
    IpamMetadata metadata = new IpamMetadata(request.podNamespace(), request.podName(), interfaces);
    return request.everyCard()
        ? stores
            .assignEach(request.key(), metadata, family)
            .thenApply(outcome -> assignments(request, outcome))
        : stores
            .assign(request.key(), metadata, family)
            .thenApply(outcome -> assignments(request, outcome));
  }

  private static List<Assignment> assignments(AddRequest request, CardsOutcome outcome) {
    return outcome instanceof CardsOutcome.Granted granted
        ? List.copyOf(granted.assignments().values())
        : assignments(request, ((CardsOutcome.Failed) outcome).outcome());
  }

  private static List<Assignment> assignments(AddRequest request, AssignOutcome outcome) {
    if (outcome instanceof AssignOutcome.Granted granted) {
      return List.of(granted.assignment());
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
    return List.of();
  }

  /**
   * Takes from a pod what it has. Ends when that is durable. A sandbox that is not known fails with
   * the text by which the plugin ends with success.
   */
  public CompletionStage<RpcOutcome<DelReply>> del(DelRequest request) {
    Optional<WireForm> form = versions.form(request.clientVersion());
    if (form.isEmpty()) {
      return wrongVersion(request.clientVersion());
    }
    if (isIncomplete(request.key())) {
      LOG.info("A DEL without container, interface or network is refused.");
      return ended(new DelReply(form.get(), false, List.of()));
    }
    return inTime(
        stores
            .release(request.key())
            .thenApply(
                outcome -> {
                  pool.changed();
                  return released(request, form.get(), outcome);
                }));
  }

  private static RpcOutcome<DelReply> released(
      DelRequest request, WireForm form, StoreReleaseOutcome outcome) {
    if (outcome instanceof StoreReleaseOutcome.Released released) {
      return new RpcOutcome.Replied<>(new DelReply(form, true, released.assignments()));
    }
    if (outcome instanceof StoreReleaseOutcome.Unknown unknown) {
      Function<Assignment, RpcOutcome<DelReply>> lost =
          each -> new RpcOutcome.Replied<>(new DelReply(form, true, List.of(each)));
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

  private static RpcOutcome<DelReply> failed(StoreRefusal refusal) {
    return new RpcOutcome.Failed<>(Cause.UNKNOWN, refusal.text());
  }

  /** The facts about the node. */
  public NodeFacts node() {
    return node;
  }

  /** Why pods neither get addresses nor lose them; empty when they do. */
  public Optional<String> unhealthy() {
    return stores.numbers().stream()
        .flatMap(number -> stores.card(number).stream())
        .flatMap(card -> card.unhealthy().stream())
        .findFirst();
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
