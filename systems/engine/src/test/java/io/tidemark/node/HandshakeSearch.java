package io.tidemark.node;

import io.tidemark.node.HandshakeModel.Grain;
import io.tidemark.node.ModelState.Release;
import io.tidemark.node.ModelState.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Walks through every state of {@link HandshakeModel}, nearest first, and from each of them lets a
 * calm time begin: nothing is lost, nobody dies, no pod comes or goes. It must end at rest, with a
 * surplus that stays and without one. Made by name from outside, so that it can be of changed
 * classes; speaks in texts for that reason.
 */
public final class HandshakeSearch implements UnaryOperator<String> {
  /** The steps in a calm time, the most urgent first; a pass only when all is still. */
  private static final List<String> CALM =
      List.of(
          "operator starts",
          "agent starts",
          "agent restores",
          "operator's write is stored",
          "operator's write is refused",
          "agent's write is stored",
          "agent's write is refused",
          "operator hears that it was stored",
          "agent hears that it was stored",
          "operator reads the object",
          "operator writes again",
          "provider hears of the release",
          "operator hears of the release",
          "operator gives up the release",
          "operator reads the instance",
          "operator's store learns",
          "operator takes the object",
          "agent takes the object",
          "watch sends to operator",
          "watch sends to agent",
          "agent writes answers",
          "operator writes",
          "a grace period ends");

  /** How a state was reached first. */
  private record From(@Nullable ModelState before, String step) {}

  /** The first thing that is wrong, with the steps that lead there. */
  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Broken(String message) {
      super(message);
    }
  }

  private final Map<String, From> reached = new HashMap<>();
  private final Deque<ModelState> next = new ArrayDeque<>();
  private final HandshakeAgent fresh;
  private Grain grain = Grain.FINE;
  private long steps;

  /** With the agent of the model. Made by name from outside. */
  public HandshakeSearch() {
    this(ModelAgent.FRESH);
  }

  /** With another agent, which has just started. */
  public HandshakeSearch(HandshakeAgent fresh) {
    this.fresh = fresh;
  }

  /**
   * Searches.
   *
   * @param name of a {@link Grain}
   * @return "sound: " and numbers, or "broken: " and how
   */
  @Override
  public String apply(String name) {
    grain = Grain.valueOf(name);
    try {
      search();
      return "sound: " + reached.size() + " states, " + steps + " steps";
    } catch (Broken e) {
      return "broken: " + e.getMessage();
    }
  }

  private void search() {
    Set<String> settling = new HashSet<>();
    Set<String> settlingWithSurplus = new HashSet<>();
    reach(null, "start", HandshakeModel.start(grain, fresh));
    for (ModelState each = next.poll(); each != null; each = next.poll()) {
      HandshakeModel from = new HandshakeModel(grain, fresh, each);
      if (!from.broken.isEmpty()) {
        throw new Broken(from.broken.get(0) + "\n" + path(each));
      }
      from.steps.forEach((step, to) -> reach(from.state, step, to));
      steps += from.steps.size();
      settles(from, true, settlingWithSurplus);
      settles(from, false, settling);
    }
  }

  private void reach(@Nullable ModelState from, String step, ModelState to) {
    if (reached.putIfAbsent(to.key(), new From(from, step)) == null) {
      next.add(to);
    }
  }

  private String path(ModelState to) {
    Deque<String> path = new ArrayDeque<>();
    ModelState at = to;
    while (at != null) {
      From from = Objects.requireNonNull(reached.get(at.key()));
      path.addFirst("  " + from.step() + ": " + at.server);
      at = from.before();
    }
    return String.join("\n", path);
  }

  // ---- calm times

  private void settles(HandshakeModel start, boolean surplus, Set<String> known) {
    Set<String> way = new LinkedHashSet<>();
    List<String> taken = new ArrayList<>();
    HandshakeModel at = start;
    for (String key = at.state.key(); !known.contains(key); key = at.state.key()) {
      Optional<String> calm = way.add(key) ? calm(at, key, surplus) : Optional.empty();
      if (calm.isPresent()) {
        taken.add(calm.get());
        at = new HandshakeModel(grain, fresh, at.after(calm.get()));
      } else if (atRest(at.state, surplus)) {
        break;
      } else {
        String how = surplus ? "no rest with surplus\n" : "no rest without surplus\n";
        throw new Broken(how + path(start.state) + "\n  and then " + taken);
      }
    }
    known.addAll(way);
  }

  /** The one step of a calm time; empty when nothing changes any more. */
  private static Optional<String> calm(HandshakeModel from, String key, boolean surplus) {
    List<String> wanted = new ArrayList<>(CALM);
    int released = from.state.release.addresses();
    wanted.add("cloud releases " + released + " of " + released);
    int free = from.state.inventory & ~from.state.pods;
    if (surplus && free != 0) {
      for (int part = ModelObject.BOTH; part > 0; part--) {
        wanted.add("pass with surplus " + free + " releases " + part);
      }
      wanted.add("pass with surplus " + free);
    } else {
      wanted.add("pass without surplus");
    }
    return wanted.stream()
        .filter(from.steps::containsKey)
        .filter(step -> !from.after(step).key().equals(key))
        .findFirst();
  }

  private static boolean atRest(ModelState state, boolean surplus) {
    return state.server.wire().isEmpty()
        && state.server.pool() == state.attached
        && state.handshake.isEmpty()
        && state.write.equals(Write.NONE)
        && state.release.equals(Release.NONE)
        && state.agentWrite.equals(Write.NONE)
        && (!surplus || state.attached == state.pods);
  }
}
