package io.tidemark.nodeid.controller;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.run.KeyedReconciler.End;
import io.tidemark.cluster.run.KeyedReconciler.Request;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdStep;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.resilience.Fence;
import io.tidemark.time.EffectSite;
import io.tidemark.time.RequestSlots;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends the requests of steps, and enters their answers in the ledger. Thread-safe; all calls for
 * one name come in order.
 */
final class StepRequests {
  private final NodeIdParts parts;
  private final Duration timeout;
  private final RequestSlots slots;
  private final IdLedger ledger;

  StepRequests(NodeIdParts parts, Duration timeout, RequestSlots slots, IdLedger ledger) {
    this.parts = parts;
    this.timeout = timeout;
    this.slots = slots;
    this.ledger = ledger;
  }

  /** How far the work for one name is. Confined to its queue, but for {@link #unknown}. */
  static final class Progress {
    final String name;
    boolean inFlight;

    /** Whether the last request may have an effect that is not known. */
    volatile boolean unknown;

    /** A read that comes before the next step. */
    Optional<IdStep> reading = Optional.empty();

    /** Why people have to act. */
    String refused = "";

    Progress(String name) {
      this.name = name;
    }
  }

  /** The request of a step that is not a rest. */
  Request of(Progress progress, IdStep step) {
    if (step instanceof IdStep.Create it) {
      String name = ClaimName.of(it.id());
      return claim(
          progress,
          "createClaim",
          name,
          it.again(),
          claims -> claims.create(name, it.node().name(), it.node().uid()));
    }
    if (step instanceof IdStep.Update it) {
      return claim(
          progress,
          "updateClaim",
          it.claim().name(),
          false,
          claims -> claims.update(it.claim(), it.node().name(), it.node().uid()));
    }
    if (step instanceof IdStep.Delete it) {
      return claim(
          progress, "deleteClaim", it.claim().name(), false, claims -> claims.delete(it.claim()));
    }
    if (step instanceof IdStep.Mirror it) {
      return write(
          progress,
          "annotateNode",
          it.node().name(),
          nodes -> nodes.annotate(it.node(), NodeIdMirror.of(it.plan())));
    }
    if (step instanceof IdStep.AssignPodCidr it) {
      List<Cidr> cidrs = List.of(it.plan().podSubnet());
      return write(
          progress,
          "assignPodCidrs",
          it.node().name(),
          nodes -> nodes.assignPodCidrs(it.node().name(), it.node().uid(), cidrs));
    }
    return step instanceof IdStep.ReadClaim it
        ? readClaim(progress, it.claim())
        : readNode(progress, ((IdStep.ReadNode) step).name());
  }

  private <A> Request request(
      Progress progress,
      String operation,
      Callable<A> leaf,
      Function<A, End> told,
      Supplier<End> unanswered) {
    return new Request(
        slots,
        () -> {
          progress.inFlight = true;
          progress.reading = Optional.empty();
          return parts
              .effects()
              .run(new EffectSite(operation, progress.name), timeout, leaf)
              .stage()
              .handle(
                  (answer, thrown) ->
                      () -> {
                        progress.inFlight = false;
                        progress.unknown = false;
                        return thrown == null ? told.apply(answer) : unanswered.get();
                      });
        });
  }

  private static End unknown(Progress progress) {
    progress.unknown = true;
    return End.AGAIN;
  }

  private static End refused(Progress progress, String detail) {
    progress.refused = detail;
    return End.PARKED;
  }

  // ---- claims

  private Request claim(
      Progress progress,
      String operation,
      String claim,
      boolean reasserts,
      Function<ClaimStore, ClaimChange> change) {
    return request(
        progress,
        operation,
        () ->
            parts.fence().isOpen()
                ? change.apply(parts.claims())
                : new ClaimChange.AskedToWait(Fence.NO_LEASE),
        end -> {
          if (reasserts && end instanceof ClaimChange.Stored) {
            parts.metrics().count(Metric.NODE_ID_REASSERTED);
          }
          return changed(progress, end, claim);
        },
        () -> unknown(progress));
  }

  private End changed(Progress progress, ClaimChange end, String claim) {
    if (end instanceof ClaimChange.Refused refused) {
      return refused(progress, refused.detail());
    }
    if (end instanceof ClaimChange.AskedToWait) {
      return End.AGAIN;
    }
    if (end instanceof ClaimChange.Unknown) {
      return unknown(progress);
    }
    if (end instanceof ClaimChange.Stored stored) {
      ledger.claim(claim, Optional.of(stored.claim()), parts.now());
    } else if (end instanceof ClaimChange.Gone) {
      ledger.claim(claim, Optional.empty(), parts.now());
    } else {
      progress.reading = Optional.of(new IdStep.ReadClaim(claim));
    }
    return End.DONE;
  }

  private Request readClaim(Progress progress, String claim) {
    return request(
        progress,
        "getClaim",
        () -> parts.claims().get(claim),
        reading -> {
          if (reading instanceof ClaimStore.Reading.Failed) {
            return End.AGAIN;
          }
          Optional<Claim> now =
              reading instanceof ClaimStore.Reading.Found found
                  ? Optional.of(found.claim())
                  : Optional.empty();
          ledger.claim(claim, now, parts.now());
          return End.DONE;
        },
        () -> End.AGAIN);
  }

  // ---- nodes

  /** Whatever is not definite is read, since a node that changed is decided about anew. */
  private Request write(
      Progress progress,
      String operation,
      String node,
      Function<ClusterNodeStore, NodeChange> change) {
    IdStep read = new IdStep.ReadNode(node);
    return request(
        progress,
        operation,
        () ->
            parts.fence().isOpen()
                ? change.apply(parts.nodes())
                : new NodeChange.AskedToWait(Fence.NO_LEASE),
        end -> {
          if (end instanceof NodeChange.Accepted accepted) {
            ledger.node(node, Optional.of(accepted.node()), parts.now());
            return End.DONE;
          }
          if (end instanceof NodeChange.Refused refused) {
            return refused(progress, refused.detail());
          }
          progress.reading = Optional.of(read);
          if (end instanceof NodeChange.Unknown) {
            return unknown(progress);
          }
          return end instanceof NodeChange.AskedToWait ? End.AGAIN : End.DONE;
        },
        () -> {
          progress.reading = Optional.of(read);
          return unknown(progress);
        });
  }

  private Request readNode(Progress progress, String node) {
    return request(
        progress,
        "getNode",
        () -> parts.nodes().get(node),
        reading -> {
          if (reading instanceof ClusterNodeStore.Reading.Failed) {
            return End.AGAIN;
          }
          if (reading instanceof ClusterNodeStore.Reading.Found found) {
            ledger.node(node, Optional.of(found.node()), parts.now());
          } else {
            ledger.absent(node, parts.now());
          }
          return End.DONE;
        },
        () -> End.AGAIN);
  }
}
