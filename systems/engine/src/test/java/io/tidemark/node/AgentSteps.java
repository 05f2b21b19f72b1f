package io.tidemark.node;

import io.tidemark.node.HandshakeModel.Grain;
import io.tidemark.node.HandshakeModel.Steps;
import io.tidemark.node.ModelState.Agent;
import io.tidemark.node.ModelState.Progress;
import io.tidemark.node.ModelState.Write;

/** The possible steps of the agent of {@link HandshakeModel} and its pods in a state. */
final class AgentSteps {
  private final Grain grain;
  private final HandshakeAgent fresh;

  AgentSteps(Grain grain, HandshakeAgent fresh) {
    this.grain = grain;
    this.fresh = fresh;
  }

  /** One that has looked at the object. */
  Agent upToDate(ModelObject object) {
    return saw(new Agent(true, ModelObject.NONE, ModelObject.NONE, fresh, Write.NONE), object, 0);
  }

  void steps(ModelState state, Steps steps) {
    Agent agent = state.agent();
    if (!agent.alive()) {
      Agent started = new Agent(true, ModelObject.NONE, ModelObject.NONE, fresh, agent.write());
      steps.to("agent starts", state.with(saw(started, state.server(), state.pods())));
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
    agent
        .mind()
        .ownSteps(ip -> ModelObject.contains(state.pods(), ip))
        .forEach((step, mind) -> steps.to(step, state.with(agent.withMind(mind))));
    writes(state, steps);
    pods(state, steps);
    Write sent = agent.write().progress() == Progress.SENT ? agent.write() : Write.NONE;
    steps.to(
        "agent dies",
        state.with(new Agent(false, ModelObject.NONE, ModelObject.NONE, fresh, sent)));
  }

  private static void writes(ModelState state, Steps steps) {
    Agent agent = state.agent();
    if (agent.write().equals(Write.NONE)) {
      Agent now = saw(agent, agent.view(), state.pods());
      ModelObject changed = now.view().withWire(ModelObject.wire(now.mind().answers()));
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
      } else if (state.agent().mind().mayGive(ModelObject.address(bit))) {
        if ((state.attached() & bit) == 0) {
          steps.broken("pod takes " + bit, "a pod is given an address that is not attached");
        }
        steps.to("pod takes " + bit, state.withPods(state.pods() | bit));
      }
    }
  }

  /** Looks at a version: the newest counts. */
  static Agent saw(Agent agent, ModelObject object, int pods) {
    ModelObject view = HandshakeModel.newer(agent.view(), object);
    HandshakeAgent mind =
        agent.mind().saw(object.resource(), view.resource(), ip -> ModelObject.contains(pods, ip));
    return agent.withView(view).withMind(mind);
  }
}
