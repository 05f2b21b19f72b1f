package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.HandshakeModel.Grain;
import io.tidemark.node.ModelState.Progress;
import io.tidemark.node.ModelState.Release;
import io.tidemark.node.ModelState.Write;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.contract.UnaskedOperations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The steps of the operator of {@link HandshakeModel}. What it decides and writes is decided by
 * {@link ReleaseHandshake}, {@link ReleaseHandshake.Step} and {@link NodePublication}; around them
 * it does what {@link NodeView}, {@link NodeMaintenance} and {@link NodeStatusWriter} do in their
 * turns.
 */
abstract class ModelOperator {
  private static final InterfaceId INTERFACE = new InterfaceId("eni-1");

  /** Adds nothing of a cloud to the status; nothing else is asked. */
  private static final NodeOperations NO_CLOUD = new UnaskedOperations() {};

  /** Where each step leads. */
  final Map<String, ModelState> steps = new LinkedHashMap<>();

  /** Steps that break what must hold. */
  final List<String> broken = new ArrayList<>();

  final ModelState state;
  final Grain grain;

  ModelOperator(Grain grain, ModelState state) {
    this.grain = grain;
    this.state = state;
  }

  /** Where a step leads that can be taken. */
  final ModelState after(String step) {
    return Objects.requireNonNull(steps.get(step), step);
  }

  final void to(String step, Consumer<ModelState> change) {
    steps.put(step, state.after(change));
  }

  final boolean isFine() {
    return grain == Grain.FINE;
  }

  static ModelObject newer(ModelObject left, ModelObject right) {
    return right.version() > left.version() ? right : left;
  }

  /** Whether a watch has another event. */
  final boolean hasNews(ModelObject underWay, ModelObject known) {
    return underWay.equals(ModelObject.NONE) && state.server.version() > known.version();
  }

  final void operator() {
    boolean idle = state.write.equals(Write.NONE) && state.release.equals(Release.NONE);
    if (!state.operates) {
      if (idle) {
        to("operator starts", ModelOperator::startOperator);
      }
      return;
    }
    if (hasNews(state.arriving, state.latest)) {
      to(
          "watch sends to operator",
          next -> {
            if (isFine()) {
              next.arriving = next.server;
            } else {
              saw(next, next.server);
            }
          });
    }
    if (!state.arriving.equals(ModelObject.NONE)) {
      to(
          "operator's store learns",
          next -> {
            next.latest = newer(next.latest, next.arriving);
            next.arriving = ModelObject.NONE;
          });
    }
    if (!state.facts.equals(state.latest)) {
      to("operator takes the object", next -> take(next, next.latest));
    }
    write();
    pass();
    release();
    to(
        "operator dies",
        next -> {
          ModelState none = new ModelState();
          next.operates = false;
          next.latest = none.latest;
          next.facts = none.facts;
          next.arriving = none.arriving;
          next.handshake = none.handshake;
          next.inventory = none.inventory;
          next.doubt = none.doubt;
          next.write = sent(next.write);
          next.release = next.release.progress() == Progress.SENT ? next.release : Release.NONE;
        });
  }

  /** The rest of a write when its sender dies. */
  static Write sent(Write write) {
    return write.progress() == Progress.SENT ? write : Write.NONE;
  }

  /** An operator that has read the object and the instance. */
  static void startOperator(ModelState next) {
    next.operates = true;
    next.latest = next.server;
    next.facts = next.server;
    next.inventory = next.attached;
    refresh(next);
  }

  private static void take(ModelState next, ModelObject object) {
    next.facts = object;
    refresh(next);
  }

  /** As an answer brings it: the version itself, and then the newest one. */
  private static void saw(ModelState next, ModelObject object) {
    next.latest = newer(next.latest, object);
    take(next, object);
    if (!next.latest.equals(object)) {
      take(next, next.latest);
    }
  }

  private static void refresh(ModelState next) {
    Predicate<IpAddress> attached = ModelObject.addresses(next.inventory)::contains;
    next.handshake =
        next.handshake.adopt(next.facts.wire(), attached, 0).seen(next.facts.wire(), attached);
  }

  private void pass() {
    ModelState fresher = state.after(ModelOperator::refresh);
    if (state.doubt) {
      steps.put("operator reads the instance", fresher.after(next -> know(next, next.attached)));
      return;
    }
    if (!state.release.equals(Release.NONE)) {
      return;
    }
    for (int candidates = 1; candidates <= grain.all; candidates++) {
      if ((candidates & ~state.inventory) == 0) {
        pass(fresher, candidates, "pass with surplus ", 0);
        if (isFine()) {
          pass(fresher, candidates, "early pass with surplus ", 1);
        }
      }
    }
    ModelState aborted = fresher.after(next -> next.handshake = next.handshake.abort());
    steps.put("pass without surplus", aborted);
    for (int each = 1; each <= 2; each++) {
      int bit = each;
      if ((grain.all & bit & ~state.inventory) != 0) {
        ModelState added = aborted.after(next -> next.attached |= bit);
        steps.put("pass adds " + bit, added.after(next -> know(next, next.inventory | bit)));
        steps.put("pass adds " + bit + ", no answer", added.after(next -> next.doubt = true));
      }
    }
  }

  private static void know(ModelState next, int inventory) {
    next.inventory = inventory;
    next.doubt = false;
    refresh(next);
  }

  private void pass(ModelState from, int candidates, String name, long delay) {
    ReleaseAction action =
        new ReleaseAction(
            Optional.of(INTERFACE),
            Optional.empty(),
            ModelObject.addresses(candidates),
            List.of(),
            ScriptedProvider.RELEASE);
    ReleaseHandshake.Step step =
        from.handshake.step(action, from.facts.wire().keySet(), AddressSet.of(), 0, delay);
    ModelState moved = from.after(next -> next.handshake = step.handshake());
    steps.put(name + candidates, moved);
    step.releasable()
        .map(now -> ModelObject.number(now.allAddresses()))
        .ifPresent(
            gone ->
                steps.put(
                    name + candidates + " releases " + gone,
                    moved.after(next -> next.release = new Release(Progress.SENT, gone))));
  }

  private void release() {
    int gone = state.release.addresses();
    switch (state.release.progress()) {
      case DONE ->
          to(
              isFine() ? "provider hears of the release" : "operator hears of the release",
              next -> {
                next.inventory &= ~gone;
                next.release = new Release(Progress.ANSWERED, gone);
                if (!isFine()) {
                  gaveBack(next);
                }
              });
      case ANSWERED -> to("operator hears of the release", ModelOperator::gaveBack);
      case UNKNOWN ->
          to(
              "operator gives up the release",
              next -> {
                next.release = Release.NONE;
                next.doubt = true;
              });
      case NONE, SENT, READ -> {}
    }
  }

  private static void gaveBack(ModelState next) {
    AddressSet gone = ModelObject.addresses(next.release.addresses());
    next.handshake = next.handshake.released(gone, 0);
    next.release = Release.NONE;
    refresh(next);
  }

  private void write() {
    Write write = state.write;
    switch (write.progress()) {
      case NONE -> {
        ModelState writes =
            state.after(
                next -> {
                  refresh(next);
                  attempt(next, next.latest, false, 0);
                });
        if (!writes.write.equals(Write.NONE)) {
          steps.put("operator writes", writes);
        }
      }
      case DONE ->
          to(
              "operator hears that it was stored",
              next -> {
                saw(next, write.object());
                next.write = Write.NONE;
                if (!write.spec()) {
                  attempt(next, write.object(), true, write.pool());
                }
              });
      case UNKNOWN -> {
        if (isFine()) {
          to(
              "operator reads the object",
              next -> next.write = write.with(Progress.READ, next.server));
        } else {
          again(state.server);
        }
      }
      case READ -> again(write.object());
      case SENT, ANSWERED -> {}
    }
  }

  private void again(ModelObject read) {
    ModelState saw = state.after(next -> saw(next, read));
    steps.put(
        "operator writes again",
        saw.after(next -> attempt(next, read, next.write.spec(), next.write.pool())));
    steps.put("operator gives up writing", saw.after(next -> next.write = Write.NONE));
  }

  /** A write is under way, or none when nothing is to be changed. */
  private static void attempt(ModelState next, ModelObject base, boolean spec, int pool) {
    if (spec) {
      NodeResource wanted = publication(next, pool).spec(base.resource());
      int now = ModelObject.number(wanted.pool().addresses());
      ModelObject changed = new ModelObject(base.version(), now, base.shown(), base.wire());
      next.write =
          now == base.pool()
              ? Write.NONE
              : new Write(Progress.SENT, true, pool, changed, base.version());
      return;
    }
    int now = next.inventory;
    NodeResource wanted = publication(next, now).status(base.resource(), NO_CLOUD);
    ModelObject changed = base.with(now, wanted.releaseIps());
    if (changed.equals(base)) {
      attempt(next, base, true, now);
    } else {
      next.write = new Write(Progress.SENT, false, now, changed, base.version());
    }
  }

  private static NodePublication publication(ModelState state, int inventory) {
    AttachedInterface attached =
        new AttachedInterface(INTERFACE, ModelObject.withThird(inventory), List.of());
    Inventory.Known known =
        new Inventory.Known(
            1, List.of(attached), new InterfaceStatistics(0, 1, 1, 0, 0, Optional.empty()));
    return new NodePublication(
        known,
        NodePublication.pool(known, AddressSet.of()),
        AddressSet.of(),
        state.handshake,
        0,
        ResourceFacts.AgentKind.SINGLE_ADDRESSES);
  }
}
