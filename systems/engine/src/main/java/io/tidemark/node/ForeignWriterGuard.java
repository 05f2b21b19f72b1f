package io.tidemark.node;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices another operator that writes the same resource, and keeps this one still until the other
 * has been quiet for a while and the instance was read again (reliability.md, two leaders). Of two,
 * the one whose write comes last goes on. Confined to the node's lane.
 *
 * <p>Agents write use, demand and answers. The pool, the clouds' sections of the status and new
 * marks of the handshake are an operator's; what shows up there and was not sent by us is
 * another's, or a write of our predecessor's that was still on its way. No such write succeeds
 * after our first, since it carries an older version; so until our first write one of our own name
 * counts as the predecessor's when the store says that it may be. A second operator that goes on
 * writing is noticed by its next write.
 *
 * <p>A version whose last write under our name is older than one that was seen before was restored
 * from a backup: no operator can take back the record of a write. The node begins again with it.
 */
final class ForeignWriterGuard {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignWriterGuard.class);
  private static final long SHORTEST_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long LONGEST_NANOS = Duration.ofMinutes(5).toNanos();
  private static final int DOUBLINGS = 3;
  private static final long FORGET_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int UNANSWERED = 8;

  private enum Phase {
    ALONE,
    /** Another wrote; nothing is done until a moment that moves on with each of its writes. */
    STILL,
    /** The other is quiet; the instance is being read. */
    READING
  }

  /** An operator's entries in one version of the object. */
  private record Hand(int written, SortedMap<IpAddress, HandshakeState> marks) {
    static Hand of(NodeResource resource, AllocationImplementation provider) {
      int section =
          resource.cloudSections().isEmpty()
              ? provider.describedInterfaces(resource).hashCode()
              : 0;
      return new Hand(31 * section + resource.operatorHash(), resource.releaseIps());
    }

    /** Whether an agent alone can have made {@code later} out of this. */
    boolean leadsTo(Hand later) {
      if (written != later.written) {
        return false;
      }
      for (Map.Entry<IpAddress, HandshakeState> each : later.marks.entrySet()) {
        HandshakeState before = marks.get(each.getKey());
        HandshakeState now = each.getValue();
        boolean answer =
            now == HandshakeState.READY_FOR_RELEASE || now == HandshakeState.DO_NOT_RELEASE;
        boolean asked = before != null && before != HandshakeState.RELEASED;
        if (before != now && !(answer && asked)) {
          return false;
        }
      }
      return true;
    }
  }

  private final String name;
  private final NodeEnvironment environment;
  private final long pauseNanos;
  private final Deque<Hand> unanswered = new ArrayDeque<>(1);
  private Hand last;
  private Phase phase = Phase.ALONE;
  private boolean wrote;

  /** When the newest version that was seen was written last under our name. */
  private OptionalLong ownSeconds = OptionalLong.empty();

  private int episodes;
  private long untilNanos;
  private long seenNanos;
  private Optional<String> other = Optional.empty();

  /**
   * Of one node.
   *
   * @param resource what the node began with; its writer came before us
   */
  ForeignWriterGuard(String name, NodeEnvironment environment, NodeResource resource) {
    this.name = name;
    this.environment = environment;
    this.pauseNanos =
        Math.max(SHORTEST_NANOS, environment.ports().provider().overlayExpiry().toNanos());
    this.last = Hand.of(resource, environment.ports().provider());
    isSetBack(environment.ports().store().lastWriter(name));
  }

  /** As still as the node was on the instance before. */
  void follows(ForeignWriterGuard past) {
    if (past.keepsStill()) {
      phase = Phase.STILL;
      episodes = past.episodes;
      untilNanos = past.untilNanos;
      seenNanos = past.seenNanos;
      other = past.other;
      environment.meters().secondOwner(name, other.or(() -> Optional.of("unknown")));
    }
  }

  /** We are about to send this; it may show up although no answer comes. */
  void sending(NodeResource resource) {
    if (unanswered.size() == UNANSWERED) {
      unanswered.removeFirst();
    }
    unanswered.addLast(Hand.of(resource, environment.ports().provider()));
  }

  /** The last write had no effect, for certain: what looks like it is another's. */
  void refused() {
    unanswered.pollLast();
  }

  /** Our own write, as the server answered it. */
  void stored(NodeResource resource) {
    unanswered.clear();
    wrote = true;
    isSetBack(environment.ports().store().lastWriter(name));
    last = Hand.of(resource, environment.ports().provider());
  }

  /** Who made a version of the object what it is. */
  enum Seen {
    /** We, or the agent. */
    EXPECTED,
    FOREIGN,
    /**
     * The predecessor, after what the node began with, or we long before: the node must begin again
     * with it.
     */
    INHERITED
  }

  /** Looks at a version, the newest that is known: it may have come by any way. */
  Seen seen(NodeResource newest) {
    Hand before = last;
    Hand now = Hand.of(newest, environment.ports().provider());
    last = now;
    LastWriter writer = environment.ports().store().lastWriter(name);
    boolean restored = isSetBack(writer);
    if (before.leadsTo(now) || unanswered.stream().anyMatch(ours -> ours.leadsTo(now))) {
      return Seen.EXPECTED;
    }
    if (restored) {
      LOG.warn("The resource was restored to an older state; the node starts over. node={}", name);
      return Seen.INHERITED;
    }
    if (phase == Phase.ALONE && !wrote && writer.predecessor()) {
      LOG.info(
          "A late write of the previous operator arrived; the node starts over. node={}", name);
      return Seen.INHERITED;
    }
    keepStill(writer.other());
    return Seen.FOREIGN;
  }

  /** Whether our last write is older now than it was, and remembers when it was made. */
  private boolean isSetBack(LastWriter writer) {
    OptionalLong before = ownSeconds;
    boolean isRecorded = writer.ownSeconds() != LastWriter.NEVER;
    ownSeconds = isRecorded ? OptionalLong.of(writer.ownSeconds()) : OptionalLong.empty();
    return writer.other().isEmpty()
        && before.isPresent()
        && (!isRecorded || writer.ownSeconds() < before.getAsLong());
  }

  private void keepStill(Optional<String> writer) {
    long now = environment.now();
    if (phase == Phase.ALONE || !writer.equals(other)) {
      environment.meters().secondOwner(name, writer.or(() -> Optional.of("unknown")));
    }
    other = writer;
    if (phase == Phase.ALONE) {
      episodes = now - seenNanos > FORGET_NANOS ? 1 : Math.min(DOUBLINGS, episodes + 1);
      LOG.warn(
          "Another operator writes this node's resource; the node is paused until these writes"
              + " stop."
              + " node={} manager={}",
          name,
          writer.orElse("unknown"));
    }
    phase = Phase.STILL;
    seenNanos = now;
    long longest = Math.max(LONGEST_NANOS, pauseNanos);
    long pause = Math.min(longest, pauseNanos << (episodes - 1));
    untilNanos = now + (long) (pause * (1 + environment.ports().random().nextDouble()));
  }

  boolean keepsStill() {
    return phase != Phase.ALONE;
  }

  /** Why nothing may be changed in the cloud; while the instance is read the reader says so. */
  Optional<Blocked> blocked() {
    return phase == Phase.STILL
        ? Optional.of(
            new Blocked(
                BlockedReason.SECOND_OWNER,
                "another operator wrote the pool, status or marks"
                    + other.map(who -> "; the pool was last written by '" + who + "'").orElse("")))
        : Optional.empty();
  }

  OptionalLong nextWakeUp() {
    return phase == Phase.STILL ? OptionalLong.of(untilNanos) : OptionalLong.empty();
  }

  /** Whether the pause is over; true once, then the instance is to be read. */
  boolean isOver() {
    if (phase != Phase.STILL || environment.now() - untilNanos < 0) {
      return false;
    }
    phase = Phase.READING;
    return true;
  }

  /**
   * The inventory can be trusted.
   *
   * @return whether that ends the stillness
   */
  boolean trusted() {
    if (phase != Phase.READING) {
      return false;
    }
    phase = Phase.ALONE;
    other = Optional.empty();
    environment.meters().secondOwner(name, other);
    return true;
  }
}
