package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.HandshakeModel.Grain;
import io.tidemark.node.HandshakeModel.Steps;
import io.tidemark.node.ModelState.Operator;
import io.tidemark.node.ModelState.Progress;
import io.tidemark.node.ModelState.Release;
import io.tidemark.node.ModelState.Write;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.contract.UnaskedOperations;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * The operator of {@link HandshakeModel}. What it decides and writes is decided by {@link
 * ReleaseHandshake}, {@link ReleaseHandshake.Step} and {@link NodePublication}; around them it does
 * what {@link NodeView}, {@link NodeMaintenance} and {@link NodeStatusWriter} do in their turns.
 */
final class ModelOperator {
  private static final InterfaceId INTERFACE = new InterfaceId("eni-1");

  /** Adds nothing of a cloud to the status; nothing else is asked. */
  private static final NodeOperations NO_CLOUD = new UnaskedOperations() {};

  private final Grain grain;

  ModelOperator(Grain grain) {
    this.grain = grain;
  }

  void steps(ModelState state, Steps steps) {
    Operator operator = state.operator();
    if (!operator.alive()) {
      if (operator.write().equals(Write.NONE) && operator.release().equals(Release.NONE)) {
        steps.to("operator starts", started(state));
      }
      return;
    }
    news(state, steps);
    writes(state, steps);
    passes(state, steps);
    releases(state, steps);
    steps.to(
        "operator dies",
        state.with(
            dead(
                operator.write().progress() == Progress.SENT ? operator.write() : Write.NONE,
                operator.release().progress() == Progress.SENT
                    ? operator.release()
                    : Release.NONE)));
  }

  // ---- life and news

  /** No operator; what it has sent is still under way. */
  static Operator dead(Write write, Release release) {
    return new Operator(
        false,
        ModelObject.NONE,
        ModelObject.NONE,
        ModelObject.NONE,
        ReleaseHandshake.UNADOPTED,
        0,
        false,
        write,
        release);
  }

  /** An operator that has read the object and the instance. */
  static ModelState started(ModelState state) {
    return state.with(
        refresh(
            new Operator(
                true,
                state.server(),
                state.server(),
                ModelObject.NONE,
                ReleaseHandshake.UNADOPTED,
                state.attached(),
                false,
                Write.NONE,
                Release.NONE)));
  }

  private void news(ModelState state, Steps steps) {
    Operator operator = state.operator();
    HandshakeModel.news(operator.arriving(), operator.latest(), state.server())
        .ifPresent(
            now ->
                steps.to(
                    "watch sends to operator",
                    state.with(grain.fine ? operator.withArriving(now) : saw(operator, now))));
    if (!operator.arriving().equals(ModelObject.NONE)) {
      ModelObject latest = HandshakeModel.newer(operator.latest(), operator.arriving());
      steps.to(
          "operator's store learns",
          state.with(operator.withLatest(latest).withArriving(ModelObject.NONE)));
    }
    if (!operator.facts().equals(operator.latest())) {
      steps.to("operator takes the object", state.with(take(operator, operator.latest())));
    }
  }

  private static Operator take(Operator operator, ModelObject object) {
    return refresh(operator.withFacts(object));
  }

  /** As an answer brings it: the version itself, and then the newest one. */
  private static Operator saw(Operator operator, ModelObject object) {
    ModelObject latest = HandshakeModel.newer(operator.latest(), object);
    Operator now = take(operator.withLatest(latest), object);
    return latest.equals(object) ? now : take(now, latest);
  }

  private static Operator refresh(Operator operator) {
    Predicate<IpAddress> attached = address -> ModelObject.contains(operator.inventory(), address);
    SortedMap<IpAddress, HandshakeState> wire = operator.facts().states();
    return operator.withHandshake(
        operator.handshake().adopt(wire, attached, 0).seen(wire, attached));
  }

  // ---- passes

  private void passes(ModelState state, Steps steps) {
    Operator operator = refresh(state.operator());
    if (operator.doubt()) {
      steps.to(
          "operator reads the instance",
          state.with(refresh(operator.withInventory(state.attached(), false))));
      return;
    }
    if (!operator.release().equals(Release.NONE)) {
      return;
    }
    for (int candidates = 1; candidates <= grain.all(); candidates++) {
      if ((candidates & ~operator.inventory()) == 0) {
        pass(state, operator, candidates, "pass with surplus ", 0, steps);
        if (grain.fine) {
          pass(state, operator, candidates, "early pass with surplus ", 1, steps);
        }
      }
    }
    Operator aborted = operator.withHandshake(operator.handshake().abort());
    steps.to("pass without surplus", state.with(aborted));
    for (int bit = 1; bit <= grain.addresses; bit++) {
      if ((operator.inventory() & bit) == 0) {
        ModelState added = state.withAttached(state.attached() | bit);
        Operator knows = aborted.withInventory(operator.inventory() | bit, false);
        steps.to("pass adds " + bit, added.with(refresh(knows)));
        Operator doubts = aborted.withInventory(operator.inventory(), true);
        steps.to("pass adds " + bit + ", no answer", added.with(doubts));
      }
    }
  }

  private static void pass(
      ModelState state, Operator operator, int candidates, String name, long delay, Steps steps) {
    ReleaseAction action =
        new ReleaseAction(
            Optional.of(INTERFACE),
            Optional.empty(),
            ModelObject.addresses(candidates),
            List.of(),
            ScriptedProvider.RELEASE);
    ReleaseHandshake.Step step =
        operator
            .handshake()
            .step(action, operator.facts().states().keySet(), AddressSet.of(), 0, delay);
    Operator moved = operator.withHandshake(step.handshake());
    steps.to(name + candidates, state.with(moved));
    step.releasable()
        .ifPresent(
            now -> {
              int addresses = ModelObject.number(now.allAddresses());
              steps.to(
                  name + candidates + " releases " + addresses,
                  state.with(moved.withRelease(new Release(Progress.SENT, addresses))));
            });
  }

  private void releases(ModelState state, Steps steps) {
    Operator operator = state.operator();
    int gone = operator.release().addresses();
    Operator without = operator.withRelease(Release.NONE);
    switch (operator.release().progress()) {
      case DONE -> {
        Operator knows =
            operator
                .withInventory(operator.inventory() & ~gone, operator.doubt())
                .withRelease(new Release(Progress.ANSWERED, gone));
        if (grain.fine) {
          steps.to("provider hears of the release", state.with(knows));
        } else {
          steps.to("operator hears of the release", state.with(gaveBack(knows, gone)));
        }
      }
      case ANSWERED ->
          steps.to("operator hears of the release", state.with(gaveBack(operator, gone)));
      case UNKNOWN ->
          steps.to(
              "operator gives up the release",
              state.with(without.withInventory(operator.inventory(), true)));
      case NONE, SENT, READ -> {}
    }
  }

  private static Operator gaveBack(Operator operator, int gone) {
    ReleaseHandshake now = operator.handshake().released(ModelObject.addresses(gone), 0);
    return refresh(operator.withHandshake(now).withRelease(Release.NONE));
  }

  // ---- writes

  private void writes(ModelState state, Steps steps) {
    Operator operator = state.operator();
    Write write = operator.write();
    switch (write.progress()) {
      case NONE -> {
        Operator now = attempt(refresh(operator), operator.latest(), false, 0);
        if (!now.write().equals(Write.NONE)) {
          steps.to("operator writes", state.with(now));
        }
      }
      case DONE -> {
        Operator now = saw(operator, write.object());
        steps.to(
            "operator hears that it was stored",
            state.with(
                write.spec()
                    ? now.withWrite(Write.NONE)
                    : attempt(now, write.object(), true, write.pool())));
      }
      case UNKNOWN -> {
        if (grain.fine) {
          Write read = write.with(Progress.READ, state.server());
          steps.to("operator reads the object", state.with(operator.withWrite(read)));
        } else {
          again(state, state.server(), steps);
        }
      }
      case READ -> again(state, write.object(), steps);
      case SENT, ANSWERED -> {}
    }
  }

  private static void again(ModelState state, ModelObject read, Steps steps) {
    Write write = state.operator().write();
    Operator now = saw(state.operator(), read);
    steps.to("operator writes again", state.with(attempt(now, read, write.spec(), write.pool())));
    steps.to("operator gives up writing", state.with(now.withWrite(Write.NONE)));
  }

  /** The operator with a write under way, or none when nothing is to be changed. */
  private static Operator attempt(Operator operator, ModelObject base, boolean spec, int pool) {
    if (!spec) {
      int now = operator.inventory();
      NodeResource status = publication(operator, now).status(base.resource(), NO_CLOUD);
      ModelObject changed = base.became(status).withShown(now);
      return changed.equals(base)
          ? attempt(operator, base, true, now)
          : operator.withWrite(new Write(Progress.SENT, false, now, changed, base.version()));
    }
    ModelObject changed = base.became(publication(operator, pool).spec(base.resource()));
    return changed.pool() == base.pool()
        ? operator.withWrite(Write.NONE)
        : operator.withWrite(new Write(Progress.SENT, true, pool, changed, base.version()));
  }

  private static NodePublication publication(Operator operator, int inventory) {
    AttachedInterface attached =
        new AttachedInterface(INTERFACE, ModelObject.withThird(inventory), List.of());
    Inventory.Known known =
        new Inventory.Known(
            1, List.of(attached), new InterfaceStatistics(0, 1, 1, 0, 0, Optional.empty()));
    return new NodePublication(
        known,
        NodePublication.pool(known, AddressSet.of()),
        AddressSet.of(),
        operator.handshake(),
        0,
        ResourceFacts.AgentKind.SINGLE_ADDRESSES);
  }
}
