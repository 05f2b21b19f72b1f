package io.tidemark.node;

import io.tidemark.node.ModelState.Agent;
import io.tidemark.node.ModelState.Operator;
import io.tidemark.node.ModelState.Progress;
import io.tidemark.node.ModelState.Release;
import io.tidemark.node.ModelState.Write;
import io.tidemark.resource.HandshakeState;
import java.util.Optional;

/**
 * The release handshake (node-manager 4) as a graph: every step that an operator, an agent, pods,
 * the API server, the cloud or a fault may take in a state.
 *
 * <p>Wider than reality, so that less can hold by luck: a plan takes any addresses for surplus,
 * even those of pods; passes and writes begin without a trigger; the delay of a candidate is over
 * whenever that does harm. Narrower: one operator at a time, and what its predecessor has sent
 * arrives or is lost before it starts; what it reads of the cloud is not old.
 */
final class HandshakeModel {
  /** How much is looked at. */
  enum Grain {
    /** One address; news lie on the way and in the store before they are taken, as answers do. */
    FINE(1, true),
    /** Two addresses; news and answers are taken when they are sent. */
    COARSE(2, false);

    final int addresses;
    final boolean fine;

    Grain(int addresses, boolean fine) {
      this.addresses = addresses;
      this.fine = fine;
    }

    /** All addresses. */
    int all() {
      return addresses == 1 ? 1 : ModelObject.BOTH;
    }
  }

  /** Takes what can follow. */
  interface Steps {
    /** {@code next} can follow. */
    void to(String step, ModelState next);

    /** The step breaks what must hold. */
    void broken(String step, String why);
  }

  private final Grain grain;
  private final ModelOperator operator;
  private final AgentSteps agent;

  /** With this agent, which has just started. */
  HandshakeModel(Grain grain, HandshakeAgent fresh) {
    this.grain = grain;
    this.operator = new ModelOperator(grain);
    this.agent = new AgentSteps(grain, fresh);
  }

  /** The addresses attached, in the pool and free; everybody up to date. */
  ModelState start() {
    ModelObject object = new ModelObject(1, grain.all(), grain.all(), 0);
    Agent upToDate = agent.upToDate(object);
    Operator none = ModelOperator.dead(Write.NONE, Release.NONE);
    return ModelOperator.started(new ModelState(object, grain.all(), 0, none, upToDate));
  }

  /** Every step from {@code state}. */
  void steps(ModelState state, Steps steps) {
    operator.steps(state, steps);
    operatorWrites(state, steps);
    cloud(state, steps);
    agent.steps(state, steps);
    agentWrites(state, steps);
  }

  // ---- what becomes of requests; who has died hears nothing

  private void operatorWrites(ModelState state, Steps steps) {
    Write write = state.operator().write();
    if (write.progress() != Progress.SENT) {
      return;
    }
    Write lost = write.with(Progress.UNKNOWN, ModelObject.NONE);
    if (write.base() == state.server().version()) {
      ModelState stored = state.withServer(stored(state, write));
      Write done = write.with(Progress.DONE, stored.server());
      steps.to("operator's write is stored", heard(stored, done));
      steps.to("operator's write is stored, no answer", heard(stored, lost));
      steps.to("operator's write is lost", heard(state, lost));
    } else {
      steps.to("operator's write is refused", heard(state, lost));
    }
  }

  private static ModelState heard(ModelState state, Write answer) {
    Operator operator = state.operator();
    return state.with(operator.withWrite(operator.alive() ? answer : Write.NONE));
  }

  private void agentWrites(ModelState state, Steps steps) {
    Agent sender = state.agent();
    Write write = sender.write();
    if (write.progress() != Progress.SENT) {
      return;
    }
    ModelState without = state.with(sender.withWrite(Write.NONE));
    if (write.base() == state.server().version()) {
      ModelObject stored = stored(state, write);
      if (sender.alive()) {
        Agent now =
            grain.fine
                ? sender.withWrite(write.with(Progress.DONE, stored))
                : AgentSteps.saw(sender.withWrite(Write.NONE), stored, state.pods());
        steps.to("agent's write is stored", state.withServer(stored).with(now));
      }
      steps.to("agent's write is stored, no answer", without.withServer(stored));
      steps.to("agent's write is lost", without);
    } else {
      steps.to("agent's write is refused", without);
    }
  }

  private static ModelObject stored(ModelState state, Write write) {
    ModelObject server = state.server();
    ModelObject object = write.object();
    return new ModelObject(
        server.version() + 1,
        write.spec() ? object.pool() : server.pool(),
        write.spec() ? server.shown() : object.shown(),
        write.spec() ? server.wire() : object.wire());
  }

  private static void cloud(ModelState state, Steps steps) {
    if (state.operator().release().progress() != Progress.SENT) {
      return;
    }
    int all = state.operator().release().addresses();
    for (int part = 1; part <= all; part++) {
      if ((part & ~all) == 0) {
        String step = "cloud releases " + part + " of " + all;
        judge(state, part, step, steps);
        ModelState gone = state.withAttached(state.attached() & ~part);
        steps.to(step, heard(gone, new Release(Progress.DONE, part)));
        if (part == all) {
          steps.to(step + ", no answer", heard(gone, new Release(Progress.UNKNOWN, 0)));
        }
      }
    }
    steps.to("release is lost", heard(state, new Release(Progress.UNKNOWN, 0)));
    steps.to("cloud refuses the release", heard(state, Release.NONE));
  }

  private static ModelState heard(ModelState state, Release answer) {
    Operator operator = state.operator();
    return state.with(operator.withRelease(operator.alive() ? answer : Release.NONE));
  }

  private static void judge(ModelState state, int released, String step, Steps steps) {
    if ((released & state.pods()) != 0) {
      steps.broken(step, "an address is used by a pod and released");
    }
    for (int bit = 1; bit <= 2; bit++) {
      boolean ready =
          state.server().state(bit).equals(Optional.of(HandshakeState.READY_FOR_RELEASE));
      if ((released & bit) != 0 && !ready) {
        steps.broken(step, "an address is released that its agent has not acknowledged");
      }
    }
  }

  // ---- what both do

  /** The next event of a watch. */
  static Optional<ModelObject> news(ModelObject underWay, ModelObject known, ModelObject server) {
    return underWay.equals(ModelObject.NONE) && server.version() > known.version()
        ? Optional.of(server)
        : Optional.empty();
  }

  static ModelObject newer(ModelObject left, ModelObject right) {
    return right.version() > left.version() ? right : left;
  }
}
