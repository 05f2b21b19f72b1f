package io.tidemark.provider.aws.ec2;

import io.tidemark.spi.InstanceId;
import java.util.Map;

/** An instance. */
public record Instance(InstanceId id, State state, Map<String, String> tags) {
  /** Life cycle; {@code UNKNOWN} for what EC2 may add. */
  public enum State {
    PENDING,
    RUNNING,
    SHUTTING_DOWN,
    TERMINATED,
    STOPPING,
    STOPPED,
    UNKNOWN
  }
}
