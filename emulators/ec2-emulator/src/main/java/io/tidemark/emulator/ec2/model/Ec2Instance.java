package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.types.Ec2InstanceType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An instance.
 *
 * @param interfaceIds its interfaces in the order of attachment, detaching ones included
 * @param blocked device indexes that a forced detachment left unusable until the instance stops
 * @param launch the parameters of RunInstances
 */
public record Ec2Instance(
    String id,
    String ownerId,
    Ec2InstanceType type,
    Placement placement,
    InstanceState state,
    List<String> interfaceIds,
    Set<Place> blocked,
    Launch launch,
    Ec2Tags tags)
    implements Resource {
  /** A device index on a network card. */
  public record Place(int card, int device) {}

  /** The part that never changes. */
  public record Launch(
      String reservationId,
      int index,
      Instant time,
      String imageId,
      Optional<String> keyName,
      Optional<String> clientToken) {}

  public Ec2Instance {
    interfaceIds = List.copyOf(interfaceIds);
    blocked = Set.copyOf(blocked);
  }

  @Override
  public Ec2Instance withTags(Ec2Tags changed) {
    return new Ec2Instance(
        id, ownerId, type, placement, state, interfaceIds, blocked, launch, changed);
  }

  public Ec2Instance withState(InstanceState changed) {
    return new Ec2Instance(
        id, ownerId, type, placement, changed, interfaceIds, blocked, launch, tags);
  }

  public Ec2Instance withInterfaces(List<String> changed) {
    return new Ec2Instance(id, ownerId, type, placement, state, changed, blocked, launch, tags);
  }

  public Ec2Instance withBlocked(Set<Place> changed) {
    return new Ec2Instance(
        id, ownerId, type, placement, state, interfaceIds, changed, launch, tags);
  }
}
