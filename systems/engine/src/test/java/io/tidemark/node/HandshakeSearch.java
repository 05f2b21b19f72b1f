package io.tidemark.node;

import io.tidemark.node.HandshakeModel.Grain;
import io.tidemark.node.HandshakeModel.Steps;
import io.tidemark.node.ModelState.Release;
import io.tidemark.node.ModelState.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

  /** A state and what makes it the same as another, which takes long to find out. */
  private record Keyed(ModelState state, ModelState.Key key) {
    static Keyed of(ModelState state) {
      return new Keyed(state, state.key());
    }
  }

  /** The successors of one state; a key is made when it is asked for. */
  private static final class Following implements Steps {
    private final ModelState state;
    private final Map<String, ModelState> steps = new LinkedHashMap<>();
    private final List<String> broken = new ArrayList<>();

    Following(HandshakeModel model, ModelState state) {
      this.state = state;
      model.steps(state, this);
    }

    @Override
    public void to(String step, ModelState to) {
      steps.put(step, to);
    }

    Keyed after(String step) {
      return Keyed.of(Objects.requireNonNull(steps.get(step), step));
    }

    @Override
    public void broken(String step, String why) {
      broken.add(why + ": " + step);
    }
  }

  /** The first thing that is wrong, with the steps that lead there. */
  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Broken(String message) {
      super(message);
    }
  }

  private final Map<ModelState.Key, From> reached = new HashMap<>();
  private final Deque<Keyed> next = new ArrayDeque<>();
  private final Set<ModelState.Key> settling = new HashSet<>();
  private final Set<ModelState.Key> settlingWithSurplus = new HashSet<>();
  private long steps;

  private final HandshakeAgent fresh;

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
   * @param grain name of a {@link Grain}
   * @return "sound: " and numbers, or "broken: " and how
   */
  @Override
  public String apply(String grain) {
    try {
      search(new HandshakeModel(Grain.valueOf(grain), fresh));
      return "sound: " + reached.size() + " states, " + steps + " steps";
    } catch (Broken e) {
      return "broken: " + e.getMessage();
    }
  }

  private void search(HandshakeModel model) {
    Keyed start = Keyed.of(model.start());
    reached.put(start.key(), new From(null, "start"));
    next.add(start);
    for (Keyed each = next.poll(); each != null; each = next.poll()) {
      Following following = new Following(model, each.state());
      if (!following.broken.isEmpty()) {
        throw new Broken(following.broken.get(0) + "\n" + path(each));
      }
      following.steps.forEach((step, to) -> reach(following.state, step, Keyed.of(to)));
      settles(model, following, each, true, settlingWithSurplus);
      settles(model, following, each, false, settling);
    }
  }

  private void reach(ModelState from, String step, Keyed to) {
    steps++;
    if (reached.putIfAbsent(to.key(), new From(from, step)) == null) {
      next.add(to);
    }
  }

  private String path(Keyed to) {
    Deque<String> path = new ArrayDeque<>();
    Keyed at = to;
    while (at != null) {
      From from = Objects.requireNonNull(reached.get(at.key()));
      path.addFirst("  " + from.step() + ": " + at.state().server());
      at = from.before() == null ? null : Keyed.of(from.before());
    }
    return String.join("\n", path);
  }

  // ---- calm times

  private void settles(
      HandshakeModel model,
      Following from,
      Keyed start,
      boolean surplus,
      Set<ModelState.Key> known) {
    Set<ModelState.Key> way = new LinkedHashSet<>();
    List<String> taken = new ArrayList<>();
    Keyed here = start;
    while (!known.contains(here.key())) {
      Following at = taken.isEmpty() ? from : new Following(model, here.state());
      Optional<Calm> calm = way.add(here.key()) ? calm(at, here.key(), surplus) : Optional.empty();
      if (calm.isPresent()) {
        taken.add(calm.get().step());
        here = calm.get().after();
      } else if (atRest(at.state, surplus)) {
        break;
      } else {
        throw new Broken(
            (surplus ? "no rest with surplus\n" : "no rest without surplus\n")
                + path(start)
                + "\n  and then "
                + taken
                + " to "
                + at.state);
      }
    }
    known.addAll(way);
  }

  /** A step of a calm time and where it leads. */
  private record Calm(String step, Keyed after) {}

  /** The one step of a calm time; empty when nothing changes any more. */
  private static Optional<Calm> calm(Following from, ModelState.Key key, boolean surplus) {
    List<String> wanted = new ArrayList<>(CALM);
    int released = from.state.operator().release().addresses();
    wanted.add("cloud releases " + released + " of " + released);
    int free = from.state.operator().inventory() & ~from.state.pods();
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
        .map(step -> new Calm(step, from.after(step)))
        .filter(calm -> !calm.after().key().equals(key))
        .findFirst();
  }

  private static boolean atRest(ModelState state, boolean surplus) {
    return state.server().wire() == 0
        && state.server().pool() == state.attached()
        && state.operator().handshake().isEmpty()
        && state.operator().write().equals(Write.NONE)
        && state.operator().release().equals(Release.NONE)
        && state.agent().write().equals(Write.NONE)
        && (!surplus || state.attached() == state.pods());
  }
}
