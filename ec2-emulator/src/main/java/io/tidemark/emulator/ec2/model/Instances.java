package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.pace.DelayRange;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.emulator.ec2.types.InstanceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The life of instances and of the attachments of interfaces to them. */
public final class Instances {
  /** How long a terminated instance is still listed ("Terminate instances", EC2 User Guide). */
  private static final Duration TERMINATED_LISTED = Duration.ofHours(1);

  private final Region region;

  Instances(Region region) {
    this.region = region;
  }

  /** Where an interface is to be attached. */
  public record Slot(int card, int device, boolean deleteOnTermination) {}

  /** Puts a new instance into the world; it runs after a while. */
  public void launch(Instance pending) {
    region.instances().put(pending);
    region.later(region.delays().start(), () -> follow(pending.id(), InstanceState.PENDING));
  }

  /**
   * Attaches an interface to an instance.
   *
   * @param launching true for the interfaces that an instance is made with
   * @return the attachment, which is complete after a while
   * @throws Refusal when state, zone, place or a limit of the type forbids it
   */
  public Attachment attach(
      NetworkInterface attached, Instance instance, Slot slot, boolean launching) {
    if (!launching
        && instance.state() != InstanceState.RUNNING
        && instance.state() != InstanceState.STOPPED) {
      throw Refusal.of(
          "IncorrectState", "Instance '" + instance.id() + "' is not 'running' or 'stopped'.");
    }
    if (attached.attachment().isPresent()) {
      throw Refusal.of(
          "InvalidNetworkInterface.InUse", "Interface: [" + attached.id() + "] in use.");
    }
    if (!attached.placement().zone().equals(instance.placement().zone())) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "You may not attach a network interface to an instance if they are not in the same"
              + " availability zone");
    }
    requirePlace(instance, slot);
    if (attached.hasEfa()) {
      requireEfa(instance, slot, launching);
    }
    requireAddresses(attached, instance);
    Attachment attachment =
        new Attachment(
            region.newId(ResourceType.ATTACHMENT),
            instance.id(),
            instance.ownerId(),
            slot.card(),
            slot.device(),
            Attachment.Status.ATTACHING,
            region.now(),
            slot.deleteOnTermination());
    region.interfaces().put(attached.withAttachment(Optional.of(attachment)));
    List<String> interfaces = new ArrayList<>(instance.interfaceIds());
    interfaces.add(attached.id());
    region.instances().put(instance.withInterfaces(interfaces));
    region.later(region.delays().attach(), () -> completeAttach(attached.id(), attachment.id()));
    return attachment;
  }

  /**
   * Begins to detach; the place is free and the interface available after a while. By force it is
   * available at once, and nothing can take its place before the instance was stopped.
   *
   * @throws Refusal for the primary interface, when it is detaching already and not forced, and for
   *     an EFA unless the instance is stopped
   */
  public void detach(NetworkInterface detached, Attachment attachment, boolean force) {
    if (attachment.isPrimary()) {
      throw Refusal.of(
          "OperationNotPermitted",
          "The network interface at device index 0 and networkCard index 0 cannot be detached.");
    }
    if (detached.hasEfa() && !isStopped(attachment.instanceId())) {
      throw Refusal.of(
          "IncorrectState",
          "Instance '" + attachment.instanceId() + "' must be stopped to detach an EFA.");
    }
    if (force) {
      completeDetach(detached.id(), attachment.id());
      block(attachment);
      return;
    }
    if (attachment.status() == Attachment.Status.DETACHING) {
      throw Refusal.of(
          "IncorrectState", "The attachment '" + attachment.id() + "' is being detached already.");
    }
    region
        .interfaces()
        .put(
            detached.withAttachment(
                Optional.of(attachment.withStatus(Attachment.Status.DETACHING))));
    region.later(region.delays().detach(), () -> completeDetach(detached.id(), attachment.id()));
  }

  /**
   * Begins to stop; an instance that is stopped or stopping stays so.
   *
   * @throws Refusal when it is pending or ending
   */
  public Instance stop(Instance instance) {
    switch (instance.state()) {
      case RUNNING -> {
        Instance stopping = put(instance.withState(InstanceState.STOPPING));
        region.later(region.delays().stop(), () -> follow(instance.id(), InstanceState.STOPPING));
        return stopping;
      }
      case STOPPED, STOPPING -> {
        return instance;
      }
      default -> throw incorrectState(instance, "stopped");
    }
  }

  /**
   * Begins to start; an instance that is running or pending stays so.
   *
   * @throws Refusal when it is stopping or ending
   */
  public Instance start(Instance instance) {
    switch (instance.state()) {
      case STOPPED -> {
        Instance pending = put(instance.withState(InstanceState.PENDING));
        region.later(region.delays().start(), () -> follow(instance.id(), InstanceState.PENDING));
        return pending;
      }
      case RUNNING, PENDING -> {
        return instance;
      }
      default -> throw incorrectState(instance, "started");
    }
  }

  /** Begins to terminate, from any state. */
  public Instance terminate(Instance instance) {
    if (instance.state().isEnding()) {
      return instance;
    }
    Instance ending = put(instance.withState(InstanceState.SHUTTING_DOWN));
    region.later(
        region.delays().terminate(), () -> follow(instance.id(), InstanceState.SHUTTING_DOWN));
    return ending;
  }

  private boolean isStopped(String instanceId) {
    return region
        .instances()
        .find(instanceId)
        .filter(instance -> instance.state() == InstanceState.STOPPED)
        .isPresent();
  }

  private void block(Attachment attachment) {
    region
        .instances()
        .find(attachment.instanceId())
        .ifPresent(
            instance -> {
              Set<Instance.Place> blocked = new HashSet<>(instance.blocked());
              blocked.add(new Instance.Place(attachment.card(), attachment.device()));
              put(instance.withBlocked(blocked));
            });
  }

  /** Interfaces of the instance, detaching ones included. */
  private Stream<NetworkInterface> on(Instance instance) {
    return instance.interfaceIds().stream().flatMap(id -> region.interfaces().find(id).stream());
  }

  private List<Attachment> onCard(Instance instance, int card) {
    return on(instance)
        .flatMap(present -> present.attachment().stream())
        .filter(attachment -> attachment.card() == card)
        .toList();
  }

  /** One on each card, as many as the type has, and only while the instance is stopped. */
  private void requireEfa(Instance instance, Slot slot, boolean launching) {
    InstanceType type = instance.type();
    if (type.hardware().efaInterfaces() == 0) {
      throw Refusal.of(
          "UnsupportedOperation", "The instance type " + type.name() + " does not support EFA");
    }
    if (!launching && instance.state() != InstanceState.STOPPED) {
      throw Refusal.of(
          "IncorrectState", "Instance '" + instance.id() + "' must be stopped to attach an EFA.");
    }
    List<Integer> cards =
        on(instance)
            .filter(NetworkInterface::hasEfa)
            .map(present -> present.attachment().orElseThrow().card())
            .toList();
    if (cards.contains(slot.card()) || cards.size() >= type.hardware().efaInterfaces()) {
      throw Refusal.of(
          "AttachmentLimitExceeded",
          String.format(
              Locale.ROOT,
              "EFA count %d on network card %d exceeds the limit for %s",
              cards.size() + 1,
              slot.card(),
              type.name()));
    }
  }

  private void requirePlace(Instance instance, Slot slot) {
    InstanceType type = instance.type();
    if (slot.card() < 0 || slot.card() >= type.cards().size()) {
      throw Refusal.of(
          "InvalidParameterValue",
          String.format(
              Locale.ROOT,
              "Network card index '%d' is not valid for instance type %s",
              slot.card(),
              type.name()));
    }
    List<Attachment> neighbours = onCard(instance, slot.card());
    if (instance.blocked().contains(new Instance.Place(slot.card(), slot.device()))
        || neighbours.stream().anyMatch(attachment -> attachment.device() == slot.device())) {
      throw Refusal.of(
          "InvalidParameterValue",
          String.format(
              Locale.ROOT,
              "Instance '%s' already has an interface attached at device index '%d'.",
              instance.id(),
              slot.device()));
    }
    if (neighbours.size() >= type.cards().get(slot.card()).maximumInterfaces()) {
      throw Refusal.of(
          "AttachmentLimitExceeded",
          String.format(
              Locale.ROOT,
              "Interface count %d exceeds the limit for %s",
              neighbours.size() + 1,
              type.name()));
    }
  }

  private static void requireAddresses(NetworkInterface attached, Instance instance) {
    int ipv4 = attached.addresses().ipv4Places();
    int ipv6 = attached.addresses().ipv6Places();
    int places = Math.max(ipv4, ipv6);
    if (ipv4 > instance.type().ipv4PerInterface() || ipv6 > instance.type().ipv6PerInterface()) {
      throw Refusal.of(
          "InvalidInterface.IpAddressLimitExceeded",
          String.format(
              Locale.ROOT,
              "Address count %d on interface-%s exceeds the limit for %s",
              places,
              attached.id().substring(ResourceType.NETWORK_INTERFACE.prefix().length()),
              instance.type().name()));
    }
    if (!attached.addresses().prefixes().isEmpty()
        || !attached.addresses().ipv6Prefixes().isEmpty()) {
      Interfaces.requirePrefixes(instance);
    }
  }

  private Instance put(Instance changed) {
    region.instances().put(changed);
    return changed;
  }

  /** What comes after {@code from}, unless the instance has gone another way since. */
  private void follow(String id, InstanceState from) {
    Optional<Instance> found = region.instances().find(id).filter(i -> i.state() == from);
    if (found.isEmpty()) {
      return;
    }
    Instance instance = found.get();
    switch (from) {
      case PENDING -> put(instance.withState(InstanceState.RUNNING));
      case STOPPING -> put(instance.withState(InstanceState.STOPPED).withBlocked(Set.of()));
      case SHUTTING_DOWN -> end(instance);
      default -> throw new IllegalStateException("nothing follows " + from);
    }
  }

  /** Interfaces end with the instance when they are marked so; the others become available. */
  private void end(Instance instance) {
    for (String id : instance.interfaceIds()) {
      NetworkInterface attached = region.interfaces().find(id).orElseThrow();
      if (attached.attachment().orElseThrow().deleteOnTermination()) {
        region.interfaceRules().delete(attached);
      } else {
        region.interfaces().put(attached.withAttachment(Optional.empty()));
      }
    }
    put(instance.withState(InstanceState.TERMINATED).withInterfaces(List.of()));
    region.later(
        DelayRange.fixed(TERMINATED_LISTED), () -> region.instances().remove(instance.id()));
  }

  private void completeAttach(String interfaceId, String attachmentId) {
    region
        .interfaces()
        .find(interfaceId)
        .ifPresent(
            attached ->
                attached
                    .attachment()
                    .filter(a -> a.id().equals(attachmentId))
                    .filter(a -> a.status() == Attachment.Status.ATTACHING)
                    .ifPresent(
                        a ->
                            region
                                .interfaces()
                                .put(
                                    attached.withAttachment(
                                        Optional.of(a.withStatus(Attachment.Status.ATTACHED))))));
  }

  private void completeDetach(String interfaceId, String attachmentId) {
    Optional<NetworkInterface> detached =
        region
            .interfaces()
            .find(interfaceId)
            .filter(i -> i.attachment().filter(a -> a.id().equals(attachmentId)).isPresent());
    if (detached.isEmpty()) {
      return;
    }
    String instanceId = detached.get().attachment().orElseThrow().instanceId();
    region.interfaces().put(detached.get().withAttachment(Optional.empty()));
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

  private static Refusal incorrectState(Instance instance, String wanted) {
    return Refusal.of(
        "IncorrectInstanceState",
        "The instance '"
            + instance.id()
            + "' is not in a state from which it can be "
            + wanted
            + ".");
  }
}
