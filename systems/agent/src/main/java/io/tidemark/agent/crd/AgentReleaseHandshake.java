package io.tidemark.agent.crd;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The agent's view of the release handshake of one family of its node (allocators 10): what it saw
 * and answered before × what the object says now → answers, and addresses that it does not hand
 * out. Immutable and pure; times are monotonic nanoseconds.
 *
 * <p>An address with an entry is withheld until the operator takes the entry away or the entry
 * shows that the agent refused (H3). So a promise needs no memory: the entry that it answers is
 * there until the answer is stored, and the answer after that.
 *
 * <p>A {@code released} address in the pool is either about to leave the pool, or back: it counts
 * as back when it was absent in between, or after a grace period in which the object lists it under
 * an interface.
 */
public final class AgentReleaseHandshake {
  /** Nothing seen yet. */
  public static final AgentReleaseHandshake NONE = new AgentReleaseHandshake(new TreeMap<>());

  private final SortedMap<IpAddress, Entry> entries;

  /** The agent's memory of a released address. */
  public enum Phase {
    /** Still or again in the pool. */
    LINGERING,
    /** Not in the pool; its entry is to go. */
    GONE,
    /** Back in the pool; its entry is to go. */
    BACK
  }

  private record Entry(Phase phase, long sinceNanos) {}

  /**
   * The agent's knowledge at one instant.
   *
   * @param pool addresses of the family in the pool of the newest version
   * @param empty whether that version has no pool at all, for no family: nothing is answered then
   * @param wire entries of the family in its {@code release-ips}
   * @param listed addresses that its status lists under an interface
   * @param kept addresses that pods have, and those that cool
   * @param restored whether everything that pods have is known: nothing is answered before
   */
  public record Sight(
      AddressSet pool,
      boolean empty,
      SortedMap<IpAddress, HandshakeState> wire,
      Predicate<IpAddress> listed,
      Predicate<IpAddress> kept,
      boolean restored) {
    boolean answers() {
      return restored && !empty;
    }
  }

  /**
   * The consequences of a sight.
   *
   * @param next to be asked next time
   * @param answers the entries as the agent wants them; equal to those seen when it has no answer
   * @param withheld addresses of the pool that are not handed out, and why
   */
  public record Step(
      AgentReleaseHandshake next,
      SortedMap<IpAddress, HandshakeState> answers,
      SortedMap<IpAddress, HandshakeState> withheld) {}

  private AgentReleaseHandshake(SortedMap<IpAddress, Entry> entries) {
    this.entries = entries;
  }

  /**
   * Looks at the newest version.
   *
   * @param grace how long a released address must be in the pool and listed until it counts as back
   */
  public Step observe(Sight sight, Duration grace, long now) {
    if (sight.wire().isEmpty()) {
      return new Step(NONE, sight.wire(), Collections.emptySortedMap());
    }
    SortedMap<IpAddress, Entry> next = new TreeMap<>();
    SortedMap<IpAddress, HandshakeState> answers = new TreeMap<>(sight.wire());
    SortedMap<IpAddress, HandshakeState> withheld = new TreeMap<>();
    sight
        .wire()
        .forEach(
            (ip, state) -> {
              Entry after = next(sight, ip, state, grace, now);
              if (after != null) {
                next.put(ip, after);
              }
              HandshakeState answer = answer(sight, ip, state, after);
              if (answer == null) {
                answers.remove(ip);
              } else {
                answers.put(ip, answer);
              }
              if (sight.pool().contains(ip) && isWithheld(state, after)) {
                withheld.put(ip, state);
              }
            });
    return new Step(
        new AgentReleaseHandshake(next),
        Collections.unmodifiableSortedMap(answers),
        Collections.unmodifiableSortedMap(withheld));
  }

  private @Nullable Entry next(
      Sight sight, IpAddress ip, HandshakeState state, Duration grace, long now) {
    Entry before = entries.get(ip);
    if (!sight.answers()) {
      return before == null ? null : new Entry(before.phase(), now);
    }
    if (state != HandshakeState.RELEASED) {
      return null;
    }
    return sight.pool().contains(ip)
        ? pooled(before, sight.listed().test(ip), grace, now)
        : new Entry(Phase.GONE, now);
  }

  /** Of an address that is released and in the pool. */
  private static Entry pooled(@Nullable Entry before, boolean listed, Duration grace, long now) {
    if (before != null && before.phase() != Phase.LINGERING) {
      return new Entry(Phase.BACK, now);
    }
    if (before == null || !listed) {
      return new Entry(Phase.LINGERING, now);
    }
    return now - before.sinceNanos() >= grace.toNanos() ? new Entry(Phase.BACK, now) : before;
  }

  /** The agent's answer in place of a state; null for nothing. */
  private static @Nullable HandshakeState answer(
      Sight sight, IpAddress ip, HandshakeState state, @Nullable Entry entry) {
    if (!sight.answers()) {
      return state;
    }
    return switch (state) {
      case MARKED_FOR_RELEASE ->
          sight.pool().contains(ip) && !sight.kept().test(ip)
              ? HandshakeState.READY_FOR_RELEASE
              : HandshakeState.DO_NOT_RELEASE;
      case RELEASED -> entry == null || entry.phase() == Phase.LINGERING ? state : null;
      default -> state;
    };
  }

  private static boolean isWithheld(HandshakeState state, @Nullable Entry entry) {
    return switch (state) {
      case MARKED_FOR_RELEASE, READY_FOR_RELEASE -> true;
      case RELEASED -> entry == null || entry.phase() != Phase.BACK;
      case DO_NOT_RELEASE -> false;
    };
  }

  /** The remembered phase of each address; for reports. */
  public SortedMap<IpAddress, Phase> phases() {
    SortedMap<IpAddress, Phase> phases = new TreeMap<>();
    entries.forEach((ip, entry) -> phases.put(ip, entry.phase()));
    return phases;
  }

  /** When the grace period of an address ends, if one runs. */
  public OptionalLong nextDueNanos(Duration grace) {
    OptionalLong earliest = OptionalLong.empty();
    for (Map.Entry<IpAddress, Entry> each : entries.entrySet()) {
      long due = each.getValue().sinceNanos() + grace.toNanos();
      boolean sooner = earliest.isEmpty() || due - earliest.getAsLong() < 0;
      if (each.getValue().phase() == Phase.LINGERING && sooner) {
        earliest = OptionalLong.of(due);
      }
    }
    return earliest;
  }

  @Override
  public String toString() {
    return "AgentReleaseHandshake" + phases();
  }
}
