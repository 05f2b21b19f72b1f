package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The life of instances and of the attachments of interfaces to them. */
public record Instances(Region region) {
  /** How long a terminated instance is still listed ("Terminate instances", EC2 User Guide). */
  private static final Duration TERMINATED_LISTED = Duration.ofHours(1);

  /** Where an interface is to be attached. */
  public record Slot(int card, int device, boolean deleteOnTermination) {}

  /** Puts a new instance into the world; it runs after a while. */
  public void launch(Ec2Instance pending) {
    begin(pending, InstanceState.PENDING, region.delay(Delay.START));
  }

  /**
   * Attaches an interface to an instance.
   *
   * @param launching true for the interfaces that an instance is made with
   * @return the attachment, which is complete after a while
   * @throws Ec2Refusal when state, zone, place or a limit of the type forbids it
   */
  public Ec2Attachment attach(
      Ec2NetworkInterface attached, Ec2Instance instance, Slot slot, boolean launching) {
    new AttachRules(attached, instance, on(instance), slot, launching).check();
    Ec2Attachment attachment =
        new Ec2Attachment(
            region.newId(ResourceType.ATTACHMENT),
            instance.id(),
            instance.ownerId(),
            slot.card(),
            slot.device(),
            Ec2Attachment.Status.ATTACHING,
            region.now(),
            slot.deleteOnTermination());
    put(attached, Optional.of(attachment));
    List<String> interfaces = new ArrayList<>(instance.interfaceIds());
    interfaces.add(attached.id());
    region.instances().put(instance.withInterfaces(interfaces));
    region.later(region.delay(Delay.ATTACH), () -> completeAttach(attached.id(), attachment.id()));
    return attachment;
  }

  /**
   * Begins to detach; the place is free and the interface available after a while. By force it is
   * available at once, and nothing can take its place before the instance was stopped.
   *
   * @throws Ec2Refusal for the primary interface, when it is detaching already and not forced, and
   *     for an EFA unless the instance is stopped
   */
  public void detach(Ec2NetworkInterface detached, Ec2Attachment attachment, boolean force) {
    Ec2Refusal.when(
        attachment.isPrimary(),
        "OperationNotPermitted",
        "The network interface at device index 0 and networkCard index 0 cannot be detached.");
    Ec2Refusal.when(
        detached.hasEfa() && !isStopped(attachment.instanceId()),
        "IncorrectState",
        "Instance '%s' must be stopped to detach an EFA.",
        attachment.instanceId());
    if (force) {
      completeDetach(detached.id(), attachment.id());
      block(attachment);
      return;
    }
    Ec2Refusal.when(
        attachment.status() == Ec2Attachment.Status.DETACHING,
        "IncorrectState",
        "The attachment '%s' is being detached already.",
        attachment.id());
    put(detached, Optional.of(attachment.withStatus(Ec2Attachment.Status.DETACHING)));
    region.later(region.delay(Delay.DETACH), () -> completeDetach(detached.id(), attachment.id()));
  }

  /**
   * Starts to stop the instance; one that is stopped or stopping is not changed.
   *
   * @throws Ec2Refusal when it is pending or ending
   */
  public Ec2Instance stop(Ec2Instance instance) {
    return switch (instance.state()) {
      case RUNNING -> begin(instance, InstanceState.STOPPING, region.delay(Delay.STOP));
      case STOPPED, STOPPING -> instance;
      default -> throw incorrectState(instance, "stopped");
    };
  }

  /**
   * Starts the instance; one that is running or pending is not changed.
   *
   * @throws Ec2Refusal when it is stopping or ending
   */
  public Ec2Instance start(Ec2Instance instance) {
    return switch (instance.state()) {
      case STOPPED -> begin(instance, InstanceState.PENDING, region.delay(Delay.START));
      case RUNNING, PENDING -> instance;
      default -> throw incorrectState(instance, "started");
    };
  }

  /** Begins to terminate, from any state. */
  public Ec2Instance terminate(Ec2Instance instance) {
    return instance.state().isEnding()
        ? instance
        : begin(instance, InstanceState.SHUTTING_DOWN, region.delay(Delay.TERMINATE));
  }

  /** Changes to a state that another one follows after a while. */
  private Ec2Instance begin(Ec2Instance instance, InstanceState state, DelayRange delay) {
    Ec2Instance changed = put(instance.withState(state));
    region.later(delay, () -> follow(instance.id(), state));
    return changed;
  }

  private boolean isStopped(String instanceId) {
    return region
        .instances()
        .find(instanceId)
        .filter(instance -> instance.state() == InstanceState.STOPPED)
        .isPresent();
  }

  private void block(Ec2Attachment attachment) {
    region
        .instances()
        .find(attachment.instanceId())
        .ifPresent(
            instance -> {
              Set<Ec2Instance.Place> blocked = new HashSet<>(instance.blocked());
              blocked.add(new Ec2Instance.Place(attachment.card(), attachment.device()));
              put(instance.withBlocked(blocked));
            });
  }

  /** Interfaces of the instance, detaching ones included. */
  private List<Ec2NetworkInterface> on(Ec2Instance instance) {
    return instance.interfaceIds().stream()
        .flatMap(id -> region.interfaces().find(id).stream())
        .toList();
  }

  private Ec2Instance put(Ec2Instance changed) {
    region.instances().put(changed);
    return changed;
  }

  /** The state after {@code from}, unless the instance has changed since. */
  private void follow(String id, InstanceState from) {
    Optional<Ec2Instance> found = region.instances().find(id).filter(i -> i.state() == from);
    if (found.isEmpty()) {
      return;
    }
    Ec2Instance instance = found.get();
    switch (from) {
      case PENDING -> put(instance.withState(InstanceState.RUNNING));
      case STOPPING -> put(instance.withState(InstanceState.STOPPED).withBlocked(Set.of()));
      case SHUTTING_DOWN -> end(instance);
      default -> throw new IllegalStateException("nothing follows " + from);
    }
  }

  /** Interfaces end with the instance when they are marked so; the others become available. */
  private void end(Ec2Instance instance) {
    for (String id : instance.interfaceIds()) {
      Ec2NetworkInterface attached = region.interfaces().find(id).orElseThrow();
      if (attached.attachment().orElseThrow().deleteOnTermination()) {
        new Interfaces(region).delete(attached);
      } else {
        put(attached, Optional.empty());
      }
    }
    put(instance.withState(InstanceState.TERMINATED).withInterfaces(List.of()));
    region.later(
        DelayRange.fixed(TERMINATED_LISTED), () -> region.instances().remove(instance.id()));
  }

  private void completeAttach(String interfaceId, String attachmentId) {
    attached(interfaceId, attachmentId)
        .filter(a -> a.attachment().orElseThrow().status() == Ec2Attachment.Status.ATTACHING)
        .ifPresent(
            a ->
                put(a, a.attachment().map(each -> each.withStatus(Ec2Attachment.Status.ATTACHED))));
  }

  private void completeDetach(String interfaceId, String attachmentId) {
    Optional<Ec2NetworkInterface> detached = attached(interfaceId, attachmentId);
    if (detached.isEmpty()) {
      return;
    }
    String instanceId = detached.get().attachment().orElseThrow().instanceId();
    put(detached.get(), Optional.empty());
    region
        .instances()
        .find(instanceId)
        .ifPresent(
            instance ->
                put(
                    instance.withInterfaces(
                        instance.interfaceIds().stream()
                            .filter(id -> !id.equals(interfaceId))
                            .toList())));
  }

  /** The interface while it has this attachment. */
  private Optional<Ec2NetworkInterface> attached(String interfaceId, String attachmentId) {
    return region
        .interfaces()
        .find(interfaceId)
        .filter(i -> i.attachment().filter(a -> a.id().equals(attachmentId)).isPresent());
  }

  private void put(Ec2NetworkInterface changed, Optional<Ec2Attachment> attachment) {
    region.interfaces().put(changed.withAttachment(attachment));
  }

  private static Ec2Refusal incorrectState(Ec2Instance instance, String wanted) {
    return Ec2Refusal.of(
        "IncorrectInstanceState",
        "The instance '%s' is not in a state from which it can be %s.",
        instance.id(),
        wanted);
  }
}
