package io.tidemark.emulator.ec2.model;

import java.time.Instant;
import java.util.Locale;

/**
 * An interface's place on an instance.
 *
 * @param id {@code eni-attach-...}
 * @param card the network card; 0 on most types
 * @param device the device index on that card
 */
public record Ec2Attachment(
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
    ATTACHING,
    ATTACHED,
    DETACHING;

    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The interface that the instance was launched with and never loses. */
  public boolean isPrimary() {
    return card == 0 && device == 0;
  }

  public Ec2Attachment withStatus(Status changed) {
    return new Ec2Attachment(
        id, instanceId, instanceOwnerId, card, device, changed, since, deleteOnTermination);
  }

  public Ec2Attachment withDeleteOnTermination(boolean changed) {
    return new Ec2Attachment(id, instanceId, instanceOwnerId, card, device, status, since, changed);
  }
}
