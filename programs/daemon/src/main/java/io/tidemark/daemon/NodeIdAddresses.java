package io.tidemark.daemon;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.daemon.AgentKey.Claimant;
import io.tidemark.error.IpamException;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.nodeid.claim.IdAgreement;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.nodeid.local.KubeState;
import io.tidemark.nodeid.local.NodeIpamEvent;
import io.tidemark.nodeid.local.NodeLocalIpam;
import io.tidemark.nodeid.local.OwnNodeId;
import io.tidemark.nodeid.local.PodRules;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectSite;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of a node that follow from its id, which its Node object shows or the agent claims.
 * The id is compared with the Node and the claim from time to time: while they contradict each
 * other no pod gets a new address. While they cannot be read nothing changes.
 */
final class NodeIdAddresses implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeIdAddresses.class);

  /** Two requests of each node, which a large cluster answers all the time. */
  private static final Duration COMPARED = Duration.ofMinutes(5);

  private static final Duration REQUEST_MAX = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final AgentNode node;
  private final NodeIds settings;
  private final ClaimBackend backend;
  private final AgentRuntime runtime;
  private IdAgreement told = new IdAgreement.Withheld(NodeIdError.AWAITING_POD_CIDR, "");
  private @Nullable Cancellable next;
  private boolean closed;

  /**
   * The backend's answer.
   *
   * @param trouble why it did not answer; empty when it did
   * @param object the Node; empty when there is none
   */
  private record Look(List<String> trouble, Optional<ClusterNode> object, IdAgreement agreement) {}

  NodeIdAddresses(AgentNode node, NodeIds settings, ClaimBackend backend, AgentRuntime runtime) {
    this.node = node;
    this.settings = settings;
    this.backend = backend;
    this.runtime = runtime;
  }

  /**
   * Blocks the program's main thread until the node has an id.
   *
   * @return empty when the agent is to stop before
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES} when it has none within {@code
   *     patience}, {@code NODE_UNKNOWN} when there is no Node, or {@code NODE_ID_OUT_OF_RANGE}
   * @throws ExecutionException whose cause is an {@link IpamException}, when no id can be claimed
   */
  Optional<NodeIdPodRange> await(Duration patience, StopSignal stop)
      throws InterruptedException, ExecutionException {
    return id(patience, stop).map(this::served);
  }

  private Optional<NodeId> id(Duration patience, StopSignal stop)
      throws InterruptedException, ExecutionException {
    for (Duration waited = Duration.ZERO; ; waited = waited.plus(LOOK)) {
      Look look = look(Optional.empty()).toCompletableFuture().get();
      if (look.object().isPresent() && settings.claimant() == Claimant.AGENT) {
        return claimed(look.object().get(), patience.minus(waited), stop);
      }
      if (look.agreement() instanceof IdAgreement.Agreed agreed) {
        return Optional.of(agreed.id());
      }
      if (stop.requested().toCompletableFuture().isDone()) {
        return Optional.empty();
      }
      String why = ((IdAgreement.Withheld) look.agreement()).detail();
      if (waited.compareTo(patience) >= 0) {
        boolean absent = look.object().isEmpty();
        throw StartWait.inVain(patience.toSeconds(), look.trouble(), absent, why);
      }
      if (!look.agreement().equals(told)) {
        told = look.agreement();
        LOG.warn("The agent waits for the addresses of its node. cause={}", why);
      }
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    }
  }

  private Optional<NodeId> claimed(ClusterNode object, Duration patience, StopSignal stop)
      throws InterruptedException, ExecutionException {
    long ids = settings.subnets().capacity().ids();
    OwnNodeId own =
        new OwnNodeId(
            node.name(),
            object.uid(),
            ids,
            backend.claims(),
            runtime.scheduler(),
            runtime.requests(),
            runtime.random());
    CompletableFuture<Optional<NodeId>> end =
        own.claim(patience).thenApply(Optional::of).toCompletableFuture();
    stop.requested().thenRun(() -> end.complete(Optional.empty()));
    return end.get();
  }

  private NodeIdPodRange served(NodeId id) {
    NodeLocalIpam ipam =
        new NodeLocalIpam(
            node.name(),
            settings.subnets(),
            new PodRules(false, true, Duration.ZERO),
            runtime.scheduler().time());
    ipam.resync(
        new NodeIpamEvent.StartupResync(), id, new KubeState(Optional.empty(), List.of()), 1);
    NodeIdPodRange range = new NodeIdPodRange(ipam);
    synchronized (this) {
      told = new IdAgreement.Agreed(id);
      later(id, range);
    }
    return range;
  }

  // ---- comparing

  /** Under the lock. */
  private void later(NodeId id, NodeIdPodRange range) {
    if (!closed) {
      next = runtime.scheduler().after(COMPARED, () -> compare(id, range));
    }
  }

  private void compare(NodeId id, NodeIdPodRange range) {
    look(Optional.of(id))
        .thenAccept(
            look -> {
              synchronized (this) {
                if (look.trouble().isEmpty()) {
                  agreed(look.agreement(), range);
                }
                later(id, range);
              }
            });
  }

  private void agreed(IdAgreement now, NodeIdPodRange range) {
    range.agreement(now);
    if (!now.equals(told) && now instanceof IdAgreement.Withheld it) {
      LOG.warn("No pod gets a new address. code={} cause={}", it.code().label(), it.detail());
    } else if (!now.equals(told)) {
      LOG.info("Pods get addresses again");
    }
    told = now;
  }

  /**
   * Reads the Node, then the claim of its id; never ends exceptionally.
   *
   * @param memory the id that the agent uses; empty before the first
   */
  private CompletionStage<Look> look(Optional<NodeId> memory) {
    return send("getNode", () -> backend.nodes().get(node.name()))
        .thenCompose(
            reading ->
                reading instanceof ClusterNodeStore.Reading.Found found
                    ? look(memory, found.node())
                    : CompletableFuture.completedStage(
                        reading instanceof ClusterNodeStore.Reading.Failed failed
                            ? unanswered(failed.detail())
                            : withheld(
                                Optional.empty(), node.place() + " has no node " + node.name())))
        .exceptionally(thrown -> unanswered(String.valueOf(thrown)));
  }

  private CompletionStage<Look> look(Optional<NodeId> memory, ClusterNode object) {
    boolean mirrored = settings.claimant() == Claimant.OPERATOR;
    Optional<NodeId> id = mirrored ? NodeIdMirror.id(object) : memory;
    if (id.isEmpty()) {
      return CompletableFuture.completedStage(
          mirrored
              ? new Look(List.of(), Optional.of(object), IdAgreement.of(memory, object, none()))
              : withheld(Optional.of(object), "node " + node.name() + " has no id yet"));
    }
    return send("getClaim", () -> backend.claims().get(ClaimName.of(id.get())))
        .thenApply(
            reading -> {
              if (reading instanceof ClaimStore.Reading.Failed failed) {
                return unanswered(failed.detail());
              }
              Optional<Claim> claim =
                  reading instanceof ClaimStore.Reading.Found found
                      ? Optional.of(found.claim())
                      : none();
              return new Look(
                  List.of(),
                  Optional.of(object),
                  mirrored
                      ? IdAgreement.of(memory, object, claim)
                      : IdAgreement.ofClaim(id.get(), object, claim));
            });
  }

  private static Optional<Claim> none() {
    return Optional.empty();
  }

  private static Look withheld(Optional<ClusterNode> object, String why) {
    return new Look(
        List.of(), object, new IdAgreement.Withheld(NodeIdError.AWAITING_POD_CIDR, why));
  }

  private static Look unanswered(String why) {
    return new Look(
        List.of(why),
        Optional.empty(),
        new IdAgreement.Withheld(NodeIdError.AWAITING_POD_CIDR, why));
  }

  private <T> CompletionStage<T> send(String operation, Callable<T> leaf) {
    return runtime
        .requests()
        .run(new EffectSite(operation, node.name()), REQUEST_MAX, leaf)
        .stage();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }
}
