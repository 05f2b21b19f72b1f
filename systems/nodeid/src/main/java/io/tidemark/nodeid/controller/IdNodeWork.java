package io.tidemark.nodeid.controller;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.cluster.run.KeyedReconciler.End;
import io.tidemark.cluster.run.KeyedReconciler.Request;
import io.tidemark.cluster.run.KeyedReconciler.Rest;
import io.tidemark.cluster.run.KeyedReconciler.Step;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.claim.IdStep;
import io.tidemark.resilience.Fence;
import io.tidemark.time.EffectSite;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The work for one name: the steps of the ledger as requests, whose answers are entered there.
 * Confined to its queue, but for what is asked of it.
 */
final class IdNodeWork implements KeyedReconciler.Item {
  private final String name;
  private final NodeIdController shared;
  private final IdReporter reporter;
  private boolean inFlight;

  /** Whether the last request may have an effect that is not known. */
  private volatile boolean unknown;

  /** A read that comes before the next step. */
  private Optional<IdStep> reading = Optional.empty();

  IdNodeWork(String name, NodeIdController shared) {
    this.name = name;
    this.shared = shared;
    this.reporter = new IdReporter(name, shared.parts, shared.ledger, shared::changed);
  }

  @Override
  public boolean isEmpty() {
    return !inFlight && reading.isEmpty() && report().isEmpty();
  }

  @Override
  public boolean hasUnknown() {
    return unknown;
  }

  Optional<IdNodeReport> report() {
    return reporter.report();
  }

  @Override
  public Map<String, Step> steps() {
    return inFlight
        ? Map.of()
        : Map.of(name, step(reading.orElseGet(() -> shared.ledger.next(name, shared.parts.now()))));
  }

  private Step step(IdStep step) {
    if (step instanceof IdStep.Rest rest) {
      unknown = false;
      reporter.show(rest.findings(), false);
      return new Rest(rest.untilNanos());
    }
    if (step instanceof IdStep.ChangeClaim it) {
      return claim(it);
    }
    if (step instanceof IdStep.ChangeNode it) {
      return write(it);
    }
    return step instanceof IdStep.ReadClaim it ? readClaim(it) : readNode(step);
  }

  private <A> Request request(
      IdStep step,
      String operation,
      Callable<A> leaf,
      Function<String, A> unanswered,
      Function<A, End> answered) {
    return new Request(
        shared.slots,
        () -> {
          inFlight = true;
          reading = Optional.empty();
          reporter.sending(step);
          return shared
              .parts
              .effects()
              .run(new EffectSite(operation, name), shared.requestTimeout, leaf)
              .stage()
              .exceptionally(thrown -> unanswered.apply(String.valueOf(thrown)))
              .thenApply(
                  answer ->
                      () -> {
                        inFlight = false;
                        unknown = false;
                        End end = answered.apply(answer);
                        shared.stepTouched();
                        return end;
                      });
        });
  }

  private End unknown() {
    unknown = true;
    return End.AGAIN;
  }

  private End refused(String detail) {
    reporter.show(
        List.of(new NodeProblem(NodeIdError.CLAIMS_FORBIDDEN, detail.replaceAll("\\.$", ""))),
        false);
    return End.PARKED;
  }

  // ---- claims

  private Request claim(IdStep.ChangeClaim step) {
    return request(
        step,
        step.operation(),
        () ->
            shared.parts.fence().isOpen()
                ? step.change().apply(shared.claims)
                : new ClaimChange.AskedToWait(Fence.NO_LEASE),
        ClaimChange.Unknown::new,
        end -> changed(step, end));
  }

  private End changed(IdStep.ChangeClaim step, ClaimChange end) {
    if (end instanceof ClaimChange.Refused refused) {
      return refused(refused.detail());
    }
    if (end instanceof ClaimChange.AskedToWait) {
      return End.AGAIN;
    }
    if (end instanceof ClaimChange.Unknown) {
      return unknown();
    }
    if (end instanceof ClaimChange.Stored stored) {
      step.lost().ifPresent(id -> shared.parts.metrics().count(Metric.NODE_ID_REASSERTED));
      shared.ledger.claim(step.claim(), Optional.of(stored.claim()), shared.parts.now());
    } else if (end instanceof ClaimChange.Gone) {
      shared.ledger.claim(step.claim(), Optional.empty(), shared.parts.now());
    } else {
      reading = Optional.of(new IdStep.ReadClaim(step.claim()));
    }
    return End.DONE;
  }

  private Request readClaim(IdStep.ReadClaim step) {
    return request(
        step,
        "getClaim",
        () -> shared.claims.get(step.claim()),
        ClaimStore.Reading.Failed::new,
        answer -> {
          if (answer instanceof ClaimStore.Reading.Failed) {
            return End.AGAIN;
          }
          Optional<Claim> now =
              answer instanceof ClaimStore.Reading.Found found
                  ? Optional.of(found.claim())
                  : Optional.empty();
          shared.ledger.claim(step.claim(), now, shared.parts.now());
          return End.DONE;
        });
  }

  // ---- nodes

  /** Whatever is not definite is read, since a node that changed is decided about anew. */
  private Request write(IdStep.ChangeNode step) {
    return request(
        step,
        step.operation(),
        () ->
            shared.parts.fence().isOpen()
                ? step.change().apply(shared.parts.nodes())
                : new NodeChange.AskedToWait(Fence.NO_LEASE),
        NodeChange.Unknown::new,
        end -> {
          if (end instanceof NodeChange.Accepted accepted) {
            shared.ledger.node(name, Optional.of(accepted.node()), shared.parts.now());
            return End.DONE;
          }
          if (end instanceof NodeChange.Refused refused) {
            return refused(refused.detail());
          }
          reading = Optional.of(new IdStep.ReadNode());
          if (end instanceof NodeChange.Unknown) {
            return unknown();
          }
          return end instanceof NodeChange.AskedToWait ? End.AGAIN : End.DONE;
        });
  }

  private Request readNode(IdStep step) {
    return request(
        step,
        "getNode",
        () -> shared.parts.nodes().get(name),
        ClusterNodeStore.Reading.Failed::new,
        answer -> {
          if (answer instanceof ClusterNodeStore.Reading.Failed) {
            return End.AGAIN;
          }
          if (answer instanceof ClusterNodeStore.Reading.Found found) {
            shared.ledger.node(name, Optional.of(found.node()), shared.parts.now());
          } else {
            shared.ledger.absent(name, shared.parts.now());
          }
          return End.DONE;
        });
  }
}
