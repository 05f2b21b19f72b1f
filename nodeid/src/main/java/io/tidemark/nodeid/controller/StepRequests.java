package io.tidemark.nodeid.controller;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeChange;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdStep;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.resilience.Fence;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** The requests of steps, and what the ledger is told of their answers. Thread-safe. */
final class StepRequests {
  private final NodeIdParts parts;
  private final Duration timeout;
  private final IdLedger ledger;

  StepRequests(NodeIdParts parts, Duration timeout, IdLedger ledger) {
    this.parts = parts;
    this.timeout = timeout;
    this.ledger = ledger;
  }

  /** The consequence of a request. */
  enum Kind {
    /** The ledger knows more than before: the next step. */
    DONE,
    /** Nothing changed: the next step after a pause. */
    AGAIN,
    /** Something may have changed: likewise. */
    UNKNOWN,
    /** A permission is missing: likewise, and people are told. */
    REFUSED
  }

  /**
   * How a request ended.
   *
   * @param detail why, where it did not succeed
   * @param next a read that comes before the next step
   */
  record StepEnd(Kind kind, String detail, Optional<StepRequest<?>> next) {
    /** The ledger knows more than before. */
    static final StepEnd DONE = of(Kind.DONE, "");

    static StepEnd of(Kind kind, String detail) {
      return new StepEnd(kind, detail, Optional.empty());
    }

    /** The same, and this read before the next step. */
    StepEnd then(StepRequest<?> read) {
      return new StepEnd(kind, detail, Optional.of(read));
    }
  }

  /**
   * One request, and what the ledger is told of its answer.
   *
   * @param operation its name for faults and metrics
   * @param reasserts the id whose lost claim it makes again
   * @param leaf sends it
   * @param told tells the ledger of the answer, on the queue of the name
   * @param unanswered what follows when there is no answer
   */
  record StepRequest<A>(
      String operation,
      Optional<NodeId> reasserts,
      Callable<A> leaf,
      Function<A, StepEnd> told,
      Function<String, StepEnd> unanswered) {}

  /** Sends it; the stage has what tells the ledger, and never ends exceptionally. */
  <A> CompletionStage<Supplier<StepEnd>> send(StepRequest<A> request, String subject) {
    return parts
        .effects()
        .run(new EffectSite(request.operation(), subject), timeout, request.leaf())
        .stage()
        .handle(
            (answer, thrown) ->
                thrown == null
                    ? () -> request.told().apply(answer)
                    : () -> request.unanswered().apply(String.valueOf(thrown)));
  }

  /** The request of a step; empty for a rest. */
  Optional<StepRequest<?>> of(IdStep step) {
    if (step instanceof IdStep.Create it) {
      return Optional.of(create(it));
    }
    if (step instanceof IdStep.Update it) {
      Claim claim = it.claim();
      return Optional.of(
          change(
              "updateClaim",
              claim.name(),
              claims -> claims.update(claim, it.node().name(), it.node().uid())));
    }
    if (step instanceof IdStep.Delete it) {
      return Optional.of(
          change("deleteClaim", it.claim().name(), claims -> claims.delete(it.claim())));
    }
    if (step instanceof IdStep.Mirror it) {
      return Optional.of(
          write(
              "annotateNode",
              it.node().name(),
              nodes -> nodes.annotate(it.node(), NodeIdMirror.of(it.plan()))));
    }
    if (step instanceof IdStep.AssignPodCidr it) {
      return Optional.of(
          write(
              "assignPodCidrs",
              it.node().name(),
              nodes ->
                  nodes.assignPodCidrs(
                      it.node().name(), it.node().uid(), List.of(it.plan().podSubnet()))));
    }
    return step instanceof IdStep.ReadNode it ? Optional.of(readNode(it.name())) : Optional.empty();
  }

  // ---- claims

  private StepRequest<ClaimChange> create(IdStep.Create it) {
    String name = ClaimName.of(it.id());
    StepRequest<ClaimChange> creation =
        change(
            "createClaim", name, claims -> claims.create(name, it.node().name(), it.node().uid()));
    if (!it.again()) {
      return creation;
    }
    return new StepRequest<>(
        creation.operation(),
        Optional.of(it.id()),
        creation.leaf(),
        answer -> {
          if (answer instanceof ClaimChange.Stored) {
            parts.metrics().count(Metric.NODE_ID_REASSERTED);
          }
          return creation.told().apply(answer);
        },
        creation.unanswered());
  }

  private StepRequest<ClaimChange> change(
      String operation, String claim, Function<ClaimStore, ClaimChange> request) {
    return new StepRequest<>(
        operation,
        Optional.empty(),
        () ->
            parts.fence().isOpen()
                ? request.apply(parts.claims())
                : new ClaimChange.AskedToWait(Fence.NO_LEASE),
        answer -> changed(answer, claim),
        thrown -> StepEnd.of(Kind.UNKNOWN, thrown));
  }

  private StepEnd changed(ClaimChange end, String claim) {
    if (end instanceof ClaimChange.Stored stored) {
      ledger.claim(claim, Optional.of(stored.claim()), parts.now());
      return StepEnd.DONE;
    }
    if (end instanceof ClaimChange.Gone) {
      ledger.claim(claim, Optional.empty(), parts.now());
      return StepEnd.DONE;
    }
    if (end instanceof ClaimChange.Refused refused) {
      return StepEnd.of(Kind.REFUSED, refused.detail());
    }
    if (end instanceof ClaimChange.AskedToWait asked) {
      return StepEnd.of(Kind.AGAIN, asked.detail());
    }
    return end instanceof ClaimChange.Unknown lost
        ? StepEnd.of(Kind.UNKNOWN, lost.detail())
        : StepEnd.DONE.then(readClaim(claim));
  }

  private StepRequest<ClaimStore.Reading> readClaim(String claim) {
    return new StepRequest<>(
        "getClaim",
        Optional.empty(),
        () -> parts.claims().get(claim),
        reading -> {
          if (reading instanceof ClaimStore.Reading.Failed failed) {
            return StepEnd.of(Kind.AGAIN, failed.detail());
          }
          Optional<Claim> now =
              reading instanceof ClaimStore.Reading.Found found
                  ? Optional.of(found.claim())
                  : Optional.empty();
          ledger.claim(claim, now, parts.now());
          return StepEnd.DONE;
        },
        thrown -> StepEnd.of(Kind.AGAIN, thrown));
  }

  // ---- nodes

  private StepRequest<NodeChange> write(
      String operation, String node, Function<ClusterNodeStore, NodeChange> request) {
    return new StepRequest<>(
        operation,
        Optional.empty(),
        () ->
            parts.fence().isOpen()
                ? request.apply(parts.nodes())
                : new NodeChange.AskedToWait(Fence.NO_LEASE),
        answer -> written(answer, node),
        thrown -> StepEnd.of(Kind.UNKNOWN, thrown).then(readNode(node)));
  }

  /** Whatever is not definite is read, since a node that changed is decided about anew. */
  private StepEnd written(NodeChange end, String node) {
    if (end instanceof NodeChange.Accepted accepted) {
      ledger.node(node, Optional.of(accepted.node()), parts.now());
      return StepEnd.DONE;
    }
    if (end instanceof NodeChange.Refused refused) {
      return StepEnd.of(Kind.REFUSED, refused.detail());
    }
    StepEnd before =
        end instanceof NodeChange.Unknown lost
            ? StepEnd.of(Kind.UNKNOWN, lost.detail())
            : end instanceof NodeChange.AskedToWait asked
                ? StepEnd.of(Kind.AGAIN, asked.detail())
                : StepEnd.DONE;
    return before.then(readNode(node));
  }

  private StepRequest<ClusterNodeStore.Reading> readNode(String node) {
    return new StepRequest<>(
        "getNode",
        Optional.empty(),
        () -> parts.nodes().get(node),
        reading -> {
          if (reading instanceof ClusterNodeStore.Reading.Failed failed) {
            return StepEnd.of(Kind.AGAIN, failed.detail());
          }
          if (reading instanceof ClusterNodeStore.Reading.Found found) {
            ledger.node(node, Optional.of(found.node()), parts.now());
          } else {
            ledger.absent(node, parts.now());
          }
          return StepEnd.DONE;
        },
        thrown -> StepEnd.of(Kind.AGAIN, thrown));
  }
}
