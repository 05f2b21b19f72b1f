package io.tidemark.node;

import io.tidemark.ip.IpAddress;
import io.tidemark.node.ModelState.Progress;
import io.tidemark.node.ModelState.Release;
import io.tidemark.node.ModelState.Write;
import io.tidemark.resource.HandshakeState;
import java.util.function.Predicate;

/**
 * The release handshake (node-manager 4) as a graph: every step that an operator, an agent, pods,
 * the API server, the cloud or a fault may take in one state.
 *
 * <p>Wider than reality, so that less can hold by luck: a plan takes any addresses for surplus,
 * even those of pods; passes and writes begin without a trigger; the delay of a candidate is over
 * whenever that does harm. Narrower: one operator at a time, and what its predecessor has sent
 * arrives or is lost before it starts; what it reads of the cloud is not old.
 */
final class HandshakeModel extends ModelOperator {
  /** How much is looked at. */
  enum Grain {
    /** One address; news lie on the way and in the store before they are taken, as answers do. */
    FINE(1),
    /** Two addresses; news and answers are taken when they are sent. */
    COARSE(ModelObject.BOTH);

    /** All addresses. */
    final int all;

    Grain(int all) {
      this.all = all;
    }
  }

  private final HandshakeAgent fresh;

  /** From {@code state}, with agents that start as {@code fresh}. */
  HandshakeModel(Grain grain, HandshakeAgent fresh, ModelState state) {
    super(grain, state);
    this.fresh = fresh;
    operator();
    operatorsWrite();
    cloud();
    agent();
    agentsWrite();
  }

  /** The addresses attached, in the pool and free; everybody up to date. */
  static ModelState start(Grain grain, HandshakeAgent fresh) {
    ModelState start = new ModelState();
    start.server = new ModelObject(1, grain.all, grain.all, ModelObject.NONE.wire());
    start.attached = grain.all;
    start.mind = fresh;
    startAgent(start);
    startOperator(start);
    return start;
  }

  // ---- what becomes of requests; who has died hears nothing

  private void operatorsWrite() {
    Write write = state.write;
    Write lost = write.with(Progress.UNKNOWN, ModelObject.NONE);
    if (write.progress() == Progress.SENT && write.base() != state.server.version()) {
      to("operator's write is refused", next -> heard(next, lost));
    } else if (write.progress() == Progress.SENT) {
      ModelState stored = state.after(next -> next.server = stored(write));
      Write done = write.with(Progress.DONE, stored.server);
      steps.put("operator's write is stored", stored.after(next -> heard(next, done)));
      steps.put("operator's write is stored, no answer", stored.after(next -> heard(next, lost)));
      to("operator's write is lost", next -> heard(next, lost));
    }
  }

  private static void heard(ModelState next, Write answer) {
    next.write = next.operates ? answer : Write.NONE;
  }

  private static void heard(ModelState next, Progress progress, int addresses) {
    next.release = next.operates ? new Release(progress, addresses) : Release.NONE;
  }

  private ModelObject stored(Write write) {
    ModelObject server = state.server;
    ModelObject object = write.object();
    return new ModelObject(
        server.version() + 1,
        write.spec() ? object.pool() : server.pool(),
        write.spec() ? server.shown() : object.shown(),
        write.spec() ? server.wire() : object.wire());
  }

  private void agentsWrite() {
    Write write = state.agentWrite;
    if (write.progress() != Progress.SENT) {
      return;
    }
    ModelState without = state.after(next -> next.agentWrite = Write.NONE);
    if (write.base() != state.server.version()) {
      steps.put("agent's write is refused", without);
      return;
    }
    ModelState stored = without.after(next -> next.server = stored(write));
    if (state.serves) {
      steps.put(
          "agent's write is stored",
          stored.after(
              next -> {
                if (isFine()) {
                  next.agentWrite = write.with(Progress.DONE, next.server);
                } else {
                  look(next, next.server);
                }
              }));
    }
    steps.put("agent's write is stored, no answer", stored);
    steps.put("agent's write is lost", without);
  }

  private void cloud() {
    if (state.release.progress() != Progress.SENT) {
      return;
    }
    int all = state.release.addresses();
    for (int each = 1; each <= all; each++) {
      int part = each;
      if ((part & ~all) == 0) {
        String step = "cloud releases " + part + " of " + all;
        judge(part, step);
        ModelState gone = state.after(next -> next.attached &= ~part);
        steps.put(step, gone.after(next -> heard(next, Progress.DONE, part)));
        if (part == all) {
          steps.put(step + ", no answer", gone.after(next -> heard(next, Progress.UNKNOWN, 0)));
        }
      }
    }
    to("release is lost", next -> heard(next, Progress.UNKNOWN, 0));
    to("cloud refuses the release", next -> heard(next, Progress.NONE, 0));
  }

  private void judge(int released, String step) {
    if ((released & state.pods) != 0) {
      broken.add("an address is used by a pod and released: " + step);
    }
    for (IpAddress each : ModelObject.addresses(released)) {
      if (state.server.wire().get(each) != HandshakeState.READY_FOR_RELEASE) {
        broken.add("an address is released that its agent has not acknowledged: " + step);
      }
    }
  }

  // ---- the agent and its pods

  private static void startAgent(ModelState next) {
    next.serves = true;
    look(next, next.server);
  }

  /** The agent looks at a version: the newest counts. */
  private static void look(ModelState next, ModelObject object) {
    next.view = newer(next.view, object);
    next.mind = next.mind.saw(object.resource(), next.view.resource(), podsOf(next));
  }

  private static Predicate<IpAddress> podsOf(ModelState state) {
    return ModelObject.addresses(state.pods)::contains;
  }

  private void agent() {
    if (!state.serves) {
      to("agent starts", HandshakeModel::startAgent);
      return;
    }
    if (hasNews(state.told, state.view)) {
      to(
          "watch sends to agent",
          next -> {
            if (isFine()) {
              next.told = next.server;
            } else {
              look(next, next.server);
            }
          });
    }
    if (!state.told.equals(ModelObject.NONE)) {
      to(
          "agent takes the object",
          next -> {
            look(next, next.told);
            next.told = ModelObject.NONE;
          });
    }
    state.mind.ownSteps(podsOf(state)).forEach((step, mind) -> to(step, next -> next.mind = mind));
    agentWrites();
    for (int each = 1; each <= 2; each++) {
      if ((grain.all & each) != 0) {
        pod(each);
      }
    }
    to(
        "agent dies",
        next -> {
          next.serves = false;
          next.view = ModelObject.NONE;
          next.told = ModelObject.NONE;
          next.mind = fresh;
          next.agentWrite = sent(next.agentWrite);
        });
  }

  private void agentWrites() {
    if (state.agentWrite.equals(Write.NONE)) {
      ModelState looked = state.after(next -> look(next, next.view));
      ModelObject view = looked.view;
      ModelObject changed = view.with(view.shown(), looked.mind.answers());
      steps.put(
          changed.equals(view) ? "agent writes which are used" : "agent writes answers",
          looked.after(
              next ->
                  next.agentWrite = new Write(Progress.SENT, false, 0, changed, view.version())));
    } else if (state.agentWrite.progress() == Progress.DONE) {
      to(
          "agent hears that it was stored",
          next -> {
            look(next, next.agentWrite.object());
            next.agentWrite = Write.NONE;
          });
    }
  }

  private void pod(int bit) {
    if ((state.pods & bit) != 0) {
      to("pod leaves " + bit, next -> next.pods &= ~bit);
    } else if (state.mind.mayGive(ModelObject.address(bit))) {
      if ((state.attached & bit) == 0) {
        broken.add("a pod is given an address that is not attached: pod takes " + bit);
      }
      to("pod takes " + bit, next -> next.pods |= bit);
    }
  }
}
