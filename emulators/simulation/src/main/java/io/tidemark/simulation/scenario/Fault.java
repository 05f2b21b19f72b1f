package io.tidemark.simulation.scenario;

import io.tidemark.emulator.kit.scenario.Names;
import java.time.Duration;
import java.util.Set;

/**
 * One fault. The kind decides which components apply; the others keep their neutral values.
 *
 * @param at when it begins
 * @param lasting how long it lasts; zero for an instant
 * @param share affected share, 0 to 1
 * @param operation the operation it concerns; empty text for all
 * @param nodes how many nodes it hits, drawn by the seed
 * @param step by how much a clock jumps
 */
public record Fault(
    Kind kind,
    Duration at,
    Duration lasting,
    double share,
    String operation,
    int nodes,
    Duration step) {

  /** A parameter of a kind of fault. */
  public enum Detail {
    /** How long. */
    LASTING("for"),
    /** The share. */
    SHARE("share"),
    /** Which operation. */
    OPERATION("operation"),
    /** How many nodes. */
    NODES("nodes"),
    /** How far a clock jumps. */
    STEP("step");

    private final String key;

    Detail(String key) {
      this.key = key;
    }

    /** The key in a scenario file. */
    public String key() {
      return key;
    }
  }

  /** Kinds of faults. */
  public enum Kind {
    /** Requests to the cloud are lost before they arrive; the caller waits for its time-out. */
    LOST_REQUEST(Detail.LASTING, Detail.SHARE, Detail.OPERATION),
    /** The cloud carries out requests and their responses are lost. */
    LOST_ANSWER(Detail.LASTING, Detail.SHARE, Detail.OPERATION),
    /** Requests take effect only after the caller gave up. */
    HANG(Detail.LASTING, Detail.SHARE, Detail.OPERATION),
    /** The cloud fails requests without effect. */
    ERRORS(Detail.LASTING, Detail.SHARE, Detail.OPERATION),
    /** Noisy neighbours take this share of every bucket. */
    THROTTLE_STORM(Detail.LASTING, Detail.SHARE),
    /** Reads of the cloud show an old state, up to {@code step} old. */
    STALE_READS(Detail.LASTING, Detail.STEP),
    /** Writes to the API server meet a change made just before. */
    STORE_CONFLICTS(Detail.LASTING, Detail.SHARE),
    /** Requests to the API server fail, some of them after they took effect. */
    STORE_OUTAGE(Detail.LASTING, Detail.SHARE),
    /** Watch events come late, up to {@code step}. */
    WATCH_LAG(Detail.LASTING, Detail.STEP),
    /** Instances stop and start again afterwards. */
    STOP_INSTANCE(Detail.LASTING, Detail.NODES),
    /** Instances vanish; their resources go later. */
    TERMINATE_INSTANCE(Detail.LASTING, Detail.NODES),
    /** Nodes leave the cluster: resource and instance. */
    REMOVE_NODE(Detail.NODES),
    /** New nodes of a random group join. */
    ADD_NODE(Detail.NODES),
    /** Nodes come back under the same name on another instance. */
    REPLACE_INSTANCE(Detail.NODES),
    /** Agents restart and forget what they did not publish. */
    RESTART_AGENT(Detail.NODES),
    /** Agents are replaced by ones of the other kind; pods and their addresses stay. */
    REPLACE_AGENT(Detail.NODES),
    /** The operator dies at a random step and restarts. */
    CRASH_OPERATOR(Detail.LASTING),
    /** A second operator runs at the same time. */
    SECOND_OPERATOR(Detail.LASTING),
    /** The operator's process pauses, as in a long garbage collection. */
    STALL_OPERATOR(Detail.LASTING),
    /** The wall clock jumps; durations must not notice. */
    WALL_CLOCK_STEP(Detail.STEP);

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
    private final Set<Detail> details;

    Kind(Detail... details) {
      this.details = Set.of(details);
    }

    /** Its parameters apart from the time; only the operation is optional. */
    public Set<Detail> details() {
      return details;
    }

    /** The name in a scenario file. */
    public String text() {
      return Names.of(this);
    }
  }

  /** A fault that concerns a share of all operations for some time. */
  public static Fault share(Kind kind, Duration at, Duration lasting, double share) {
    return new Fault(kind, at, lasting, share, "", 0, Duration.ZERO);
  }

  /** A fault that only takes time. */
  public static Fault lasting(Kind kind, Duration at, Duration lasting) {
    return new Fault(kind, at, lasting, 0, "", 0, Duration.ZERO);
  }

  /** A fault that hits nodes. */
  public static Fault nodes(Kind kind, Duration at, Duration lasting, int nodes) {
    return new Fault(kind, at, lasting, 0, "", nodes, Duration.ZERO);
  }

  /** A fault with a distance in time. */
  public static Fault step(Kind kind, Duration at, Duration lasting, Duration step) {
    return new Fault(kind, at, lasting, 0, "", 0, step);
  }

  /** When it is over. */
  public Duration end() {
    return at.plus(lasting);
  }
}
