package io.tidemark.nodeid.controller;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeChange;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.nodeid.claim.IdStep;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.nodeid.controller.StepEnd.Kind;
import io.tidemark.resilience.Fence;
import io.tidemark.time.EffectSite;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One request, and what the ledger is told of its answer.
 *
 * @param operation its name for faults and metrics
 * @param reasserts the id whose lost claim it makes again
 * @param leaf sends it
 * @param told tells the ledger of the answer, on the lane
 * @param unanswered what follows when there is no answer
 */
record StepRequest<A>(
    String operation,
    Optional<NodeId> reasserts,
    Callable<A> leaf,
    Function<A, StepEnd> told,
    Function<String, StepEnd> unanswered) {

  StepRequest {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(reasserts, "reasserts");
  }

  /** The request of a step; empty for a rest. */
  static Optional<StepRequest<?>> of(IdStep step, ControllerState state) {
    if (step instanceof IdStep.Create it) {
      return Optional.of(create(it, state));
    }
    if (step instanceof IdStep.Update it) {
      Claim claim = it.claim();
      return Optional.of(
          change(
              "updateClaim",
              claim.name(),
              state,
              claims -> claims.update(claim, it.node().name(), it.node().uid())));
    }
    if (step instanceof IdStep.Delete it) {
      return Optional.of(
          change("deleteClaim", it.claim().name(), state, claims -> claims.delete(it.claim())));
    }
    if (step instanceof IdStep.Mirror it) {
      return Optional.of(
          write(
              "annotateNode",
              it.node().name(),
              state,
              nodes -> nodes.annotate(it.node(), NodeIdMirror.of(it.plan()))));
    }
    if (step instanceof IdStep.AssignPodCidr it) {
      return Optional.of(
          write(
              "assignPodCidrs",
              it.node().name(),
              state,
              nodes ->
                  nodes.assignPodCidrs(
                      it.node().name(), it.node().uid(), List.of(it.plan().podSubnet()))));
    }
    return step instanceof IdStep.ReadNode it
        ? Optional.of(readNode(it.name(), state))
        : Optional.empty();
  }

  /**
   * Sends it.
   *
   * @return what tells the ledger; never ends exceptionally
   */
  CompletionStage<Supplier<StepEnd>> run(String subject, ControllerState state) {
    return state
        .parts()
        .effects()
        .run(new EffectSite(operation, subject), state.settings().requestTimeout(), leaf)
        .stage()
        .handle(
            (answer, thrown) ->
                thrown == null
                    ? () -> told.apply(answer)
                    : () -> unanswered.apply(String.valueOf(thrown)));
  }

  // ---- claims

  private static StepRequest<ClaimChange> create(IdStep.Create it, ControllerState state) {
    String name = ClaimName.of(it.id());
    StepRequest<ClaimChange> creation =
        change(
            "createClaim",
            name,
            state,
            claims -> claims.create(name, it.node().name(), it.node().uid()));
    return it.again() ? creation.reasserting(it.id(), state) : creation;
  }

  private StepRequest<A> reasserting(NodeId id, ControllerState state) {
    Function<A, StepEnd> counted =
        answer -> {
          if (answer instanceof ClaimChange.Stored) {
            state.parts().metrics().count(Metric.NODE_ID_REASSERTED);
          }
          return told.apply(answer);
        };
    return new StepRequest<>(operation, Optional.of(id), leaf, counted, unanswered);
  }

  private static StepRequest<ClaimChange> change(
      String operation,
      String claim,
      ControllerState state,
      Function<ClaimStore, ClaimChange> request) {
    return new StepRequest<>(
        operation,
        Optional.empty(),
        () ->
            state.parts().fence().isOpen()
                ? request.apply(state.parts().claims())
                : new ClaimChange.AskedToWait(Fence.NO_LEASE),
        answer -> changed(answer, claim, state),
        StepEnd::unknown);
  }

  private static StepEnd changed(ClaimChange end, String claim, ControllerState state) {
    if (end instanceof ClaimChange.Stored stored) {
      state.ledger().claim(claim, Optional.of(stored.claim()), state.parts().now());
      return StepEnd.DONE;
    }
    if (end instanceof ClaimChange.Gone) {
      state.ledger().claim(claim, Optional.empty(), state.parts().now());
      return StepEnd.DONE;
    }
    if (end instanceof ClaimChange.Refused refused) {
      return StepEnd.of(Kind.REFUSED, refused.detail());
    }
    if (end instanceof ClaimChange.AskedToWait asked) {
      return StepEnd.of(Kind.AGAIN, asked.detail());
    }
    return end instanceof ClaimChange.Unknown lost
        ? StepEnd.unknown(lost.detail())
        : StepEnd.DONE.then(readClaim(claim, state));
  }

  private static StepRequest<ClaimStore.Reading> readClaim(String claim, ControllerState state) {
    return new StepRequest<>(
        "getClaim",
        Optional.empty(),
        () -> state.parts().claims().get(claim),
        reading -> {
          if (reading instanceof ClaimStore.Reading.Failed failed) {
            return StepEnd.of(Kind.AGAIN, failed.detail());
          }
          Optional<Claim> now =
              reading instanceof ClaimStore.Reading.Found found
                  ? Optional.of(found.claim())
                  : Optional.empty();
          state.ledger().claim(claim, now, state.parts().now());
          return StepEnd.DONE;
        },
        thrown -> StepEnd.of(Kind.AGAIN, thrown));
  }

  // ---- nodes

  private static StepRequest<NodeChange> write(
      String operation,
      String node,
      ControllerState state,
      Function<ClusterNodeStore, NodeChange> request) {
    return new StepRequest<>(
        operation,
        Optional.empty(),
        () ->
            state.parts().fence().isOpen()
                ? request.apply(state.parts().nodes())
                : new NodeChange.AskedToWait(Fence.NO_LEASE),
        answer -> written(answer, node, state),
        thrown -> StepEnd.unknown(thrown).then(readNode(node, state)));
  }

  /** Whatever is not definite is read, since a node that changed is decided about anew. */
  private static StepEnd written(NodeChange end, String node, ControllerState state) {
    if (end instanceof NodeChange.Accepted accepted) {
      state.ledger().node(node, Optional.of(accepted.node()), state.parts().now());
      return StepEnd.DONE;
    }
    if (end instanceof NodeChange.Refused refused) {
      return StepEnd.of(Kind.REFUSED, refused.detail());
    }
    StepEnd before =
        end instanceof NodeChange.Unknown lost
            ? StepEnd.unknown(lost.detail())
            : end instanceof NodeChange.AskedToWait asked
                ? StepEnd.of(Kind.AGAIN, asked.detail())
                : StepEnd.DONE;
    return before.then(readNode(node, state));
  }

  private static StepRequest<ClusterNodeStore.Reading> readNode(
      String node, ControllerState state) {
    return new StepRequest<>(
        "getNode",
        Optional.empty(),
        () -> state.parts().nodes().get(node),
        reading -> {
          if (reading instanceof ClusterNodeStore.Reading.Failed failed) {
            return StepEnd.of(Kind.AGAIN, failed.detail());
          }
          if (reading instanceof ClusterNodeStore.Reading.Found found) {
            state.ledger().node(node, Optional.of(found.node()), state.parts().now());
          } else {
            state.ledger().absent(node, state.parts().now());
          }
          return StepEnd.DONE;
        },
        thrown -> StepEnd.of(Kind.AGAIN, thrown));
  }
}
