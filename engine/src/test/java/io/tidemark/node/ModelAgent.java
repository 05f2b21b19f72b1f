package io.tidemark.node;

import io.tidemark.node.HandshakeModel.Grain;
import io.tidemark.node.HandshakeModel.Steps;
import io.tidemark.node.ModelState.Agent;
import io.tidemark.node.ModelState.Progress;
import io.tidemark.node.ModelState.Write;
import io.tidemark.resource.HandshakeState;
import java.util.Optional;

/**
 * The agent of {@link HandshakeModel} and its pods, faithful to node-manager 4.8: it promises in
 * the step in which it looks at an address, and keeps its promise until the mark is withdrawn. When
 * it dies it forgets all but what its pods hold.
 */
final class ModelAgent {
  private final Grain grain;

  ModelAgent(Grain grain) {
    this.grain = grain;
  }

  void steps(ModelState state, Steps steps) {
    Agent agent = state.agent();
    if (!agent.alive()) {
      Agent fresh = new Agent(true, ModelObject.NONE, ModelObject.NONE, 0, agent.write());
      steps.to("agent starts", state.with(saw(fresh, state.server(), state.pods())));
      return;
    }
    HandshakeModel.news(agent.arriving(), agent.view(), state.server())
        .ifPresent(
            now ->
                steps.to(
                    "watch sends to agent",
                    state.with(
                        grain.fine ? agent.withArriving(now) : saw(agent, now, state.pods()))));
    if (!agent.arriving().equals(ModelObject.NONE)) {
      Agent now = saw(agent, agent.arriving(), state.pods()).withArriving(ModelObject.NONE);
      steps.to("agent takes the object", state.with(now));
    }
    writes(state, steps);
    pods(state, steps);
    Write sent = agent.write().progress() == Progress.SENT ? agent.write() : Write.NONE;
    steps.to(
        "agent dies", state.with(new Agent(false, ModelObject.NONE, ModelObject.NONE, 0, sent)));
  }

  private static void writes(ModelState state, Steps steps) {
    Agent agent = state.agent();
    if (agent.write().equals(Write.NONE)) {
      Agent now = saw(agent, agent.view(), state.pods());
      ModelObject changed = answers(now.view(), state.pods());
      steps.to(
          changed.equals(now.view()) ? "agent writes which are used" : "agent writes answers",
          state.with(
              now.withWrite(new Write(Progress.SENT, false, 0, changed, now.view().version()))));
    } else if (agent.write().progress() == Progress.DONE) {
      Agent now = saw(agent, agent.write().object(), state.pods()).withWrite(Write.NONE);
      steps.to("agent hears that it was stored", state.with(now));
    }
  }

  private void pods(ModelState state, Steps steps) {
    for (int bit = 1; bit <= grain.addresses; bit++) {
      if ((state.pods() & bit) != 0) {
        steps.to("pod leaves " + bit, state.withPods(state.pods() & ~bit));
      } else if (mayGive(state.agent(), bit)) {
        if ((state.attached() & bit) == 0) {
          steps.broken("pod takes " + bit, "a pod is given an address that is not attached");
        }
        steps.to("pod takes " + bit, state.withPods(state.pods() | bit));
      }
    }
  }

  private static boolean mayGive(Agent agent, int bit) {
    return (agent.view().pool() & bit) != 0
        && (agent.promised() & bit) == 0
        && agent.view().state(bit).map(HandshakeState.DO_NOT_RELEASE::equals).orElse(true);
  }

  /** Looks at a version: the newest counts, and with it what is promised and what no longer is. */
  static Agent saw(Agent agent, ModelObject object, int pods) {
    ModelObject view = HandshakeModel.newer(agent.view(), object);
    ModelObject answers = answers(view, pods);
    int promised = 0;
    for (int bit = 1; bit <= 2; bit++) {
      Optional<HandshakeState> state = answers.state(bit);
      boolean ready = state.equals(Optional.of(HandshakeState.READY_FOR_RELEASE));
      boolean refused = state.equals(Optional.of(HandshakeState.DO_NOT_RELEASE));
      boolean kept = (agent.promised() & bit) != 0 && view.state(bit).isPresent() && !refused;
      promised |= ready || kept ? bit : 0;
    }
    return agent.withView(view).withPromised(promised);
  }

  /** The object with the handshake as the agent answers it. */
  private static ModelObject answers(ModelObject view, int pods) {
    ModelObject answers = view;
    for (int bit = 1; bit <= 2; bit++) {
      Optional<HandshakeState> state = view.state(bit);
      boolean pooled = (view.pool() & bit) != 0;
      if (state.equals(Optional.of(HandshakeState.MARKED_FOR_RELEASE))) {
        boolean free = pooled && (pods & bit) == 0;
        HandshakeState answer =
            free ? HandshakeState.READY_FOR_RELEASE : HandshakeState.DO_NOT_RELEASE;
        answers = answers.with(bit, Optional.of(answer));
      } else if (state.equals(Optional.of(HandshakeState.RELEASED)) && !pooled) {
        answers = answers.with(bit, Optional.empty());
      }
    }
    return answers;
  }
}
