package io.tidemark.emulator.ec2.model;

import java.time.Instant;
import java.util.Objects;

/**
 * An interface's place on an instance.
 *
 * @param id {@code eni-attach-...}
 * @param card the network card; 0 on most types
 * @param device the device index on that card
 */
public record Attachment(
    String id,
    String instanceId,
    String instanceOwnerId,
    int card,
    int device,
    Status status,
    Instant since,
    boolean deleteOnTermination) {
  /** As EC2 names them, in lower case. */
  public enum Status {
    ATTACHING("attaching"),
    ATTACHED("attached"),
    DETACHING("detaching");

    private final String wire;

    Status(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }

  public Attachment {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(instanceId, "instanceId");
    Objects.requireNonNull(instanceOwnerId, "instanceOwnerId");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(since, "since");
  }

  /** The interface that the instance was launched with and never loses. */
  public boolean isPrimary() {
    return card == 0 && device == 0;
  }

  public Attachment withStatus(Status changed) {
    return new Attachment(
        id, instanceId, instanceOwnerId, card, device, changed, since, deleteOnTermination);
  }

  public Attachment withDeleteOnTermination(boolean changed) {
    return new Attachment(id, instanceId, instanceOwnerId, card, device, status, since, changed);
  }
}
