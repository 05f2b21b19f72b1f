package io.tidemark.provider.aws.ec2;

import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;

/**
 * An instance.
 *
 * @param interfaces those that EC2 lists with it
 */
public record Instance(
    InstanceId id,
    State state,
    String type,
    String vpcId,
    String availabilityZone,
    List<InterfaceId> interfaces,
    Map<String, String> tags) {
  public Instance {
    interfaces = List.copyOf(interfaces);
    tags = Map.copyOf(tags);
  }

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
