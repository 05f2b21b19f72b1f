package io.tidemark.provider.mock.cloud;

import java.util.Objects;

/**
 * A virtual machine.
 *
 * @param type name of its type
 */
public record Instance(String id, String type, String vpcId, String zone, State state) {
  /** Life of an instance. */
  public enum State {
    RUNNING,
    STOPPING,
    STOPPED,
    /** Gone for good; still described for a while. */
    TERMINATED
  }

  public Instance {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(vpcId, "vpcId");
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(state, "state");
  }

  /** The same instance in another state. */
  public Instance in(State other) {
    return new Instance(id, type, vpcId, zone, other);
  }
}
