package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.model.Ec2Attachment;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.CloudChange.Kind;
import io.tidemark.simulation.cloud.CloudInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The interfaces as they really are, and how they came to be so. */
final class Truth {
  private static final IpAddress NOWHERE = IpAddress.parse("198.18.0.0");

  private final Ec2World world;
  private final Map<String, Shown> interfaces = new HashMap<>();
  private final Map<String, List<CloudInterface>> attached = new HashMap<>();
  private final Map<String, Ipv4Address> without = new HashMap<>();
  private List<CloudChange> changes = new ArrayList<>();

  /** An interface as EC2 has it and as it is shown. */
  private record Shown(Ec2NetworkInterface model, CloudInterface shown) {}

  Truth(Ec2World world) {
    this.world = world;
  }

  Optional<CloudInterface> find(String id) {
    return Optional.ofNullable(interfaces.get(id)).map(Shown::shown);
  }

  /** In order of attachment; the same list until one of them changes. */
  List<CloudInterface> attachedTo(String instanceId) {
    return attached.getOrDefault(instanceId, List.of());
  }

  List<CloudChange> drain() {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<CloudChange> drained = changes;
    changes = new ArrayList<>();
    return drained;
  }

  /** This interface of somebody else's is there. */
  void know(String id) {
    Ec2NetworkInterface one = world.region().interfaces().find(id).orElseThrow();
    interfaces.put(id, new Shown(one, shown(one)));
  }

  /** Somebody else put this interface on an instance. */
  void knowOn(String id, String instanceId) {
    know(id);
    refresh(instanceId);
  }

  /** The instance and everything on it may have changed. */
  void lookAtInstance(String instanceId) {
    List<String> before =
        new ArrayList<>(attachedTo(instanceId).stream().map(CloudInterface::id).toList());
    before.forEach(this::look);
    world
        .region()
        .instances()
        .find(instanceId)
        .ifPresent(instance -> instance.interfaceIds().forEach(this::look));
    changes.add(new CloudChange(Kind.INSTANCE_CHANGED, instanceId, "", AddressSet.of()));
  }

  /** This interface may have changed. */
  void look(String id) {
    @Nullable Shown before = interfaces.get(id);
    @Nullable Ec2NetworkInterface now = world.region().interfaces().find(id).orElse(null);
    if (now == null) {
      if (before != null) {
        interfaces.remove(id);
        refresh(before.shown().instanceId());
        add(Kind.INTERFACE_DELETED, before.shown(), all(before.shown()));
      }
      return;
    }
    if (before != null && isSame(before.model(), now)) {
      return;
    }
    CloudInterface shown = shown(now);
    interfaces.put(id, new Shown(now, shown));
    if (before == null) {
      refresh(shown.instanceId());
      add(shown.isAttached() ? Kind.INTERFACE_ATTACHED : Kind.INTERFACE_CREATED, shown, all(shown));
      return;
    }
    if (before.shown().equals(shown)) {
      interfaces.put(id, new Shown(now, before.shown()));
      return;
    }
    refresh(before.shown().instanceId());
    refresh(shown.instanceId());
    compare(before.shown(), shown);
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Ec2NetworkInterface before, Ec2NetworkInterface now) {
    return before == now;
  }

  private void compare(CloudInterface before, CloudInterface now) {
    AddressSet gone = all(before).minus(all(now));
    AddressSet came = all(now).minus(all(before));
    if (!gone.isEmpty()) {
      add(Kind.ADDRESSES_REMOVED, now, gone);
    }
    if (before.isAttached() && !before.instanceId().equals(now.instanceId())) {
      add(Kind.INTERFACE_DETACHED, before, all(before));
    }
    if (now.isAttached() && !now.instanceId().equals(before.instanceId())) {
      add(Kind.INTERFACE_ATTACHED, now, all(now));
    } else if (!came.isEmpty()) {
      add(Kind.ADDRESSES_ADDED, now, came);
    } else if (gone.isEmpty()) {
      add(Kind.ATTRIBUTE_CHANGED, now, AddressSet.of());
    }
  }

  private void add(Kind kind, CloudInterface of, AddressSet addresses) {
    changes.add(new CloudChange(kind, of.instanceId(), of.id(), addresses));
  }

  private void refresh(String instanceId) {
    if (instanceId.isEmpty()) {
      return;
    }
    List<CloudInterface> now = new ArrayList<>();
    world
        .region()
        .instances()
        .find(instanceId)
        .ifPresent(
            instance ->
                instance
                    .interfaceIds()
                    .forEach(
                        id -> {
                          if (!interfaces.containsKey(id)) {
                            look(id);
                          }
                          if (world.isOnCard0(id)) {
                            find(id).ifPresent(now::add);
                          }
                        }));
    if (now.isEmpty()) {
      attached.remove(instanceId);
    } else {
      attached.put(instanceId, List.copyOf(now));
    }
  }

  private CloudInterface shown(Ec2NetworkInterface each) {
    AddressSet.Builder singles = AddressSet.builder();
    each.addresses().secondary().forEach(singles::add);
    Optional<Ec2Attachment> attachment = each.attachment();
    return new CloudInterface(
        each.id(),
        world.name(each.placement().subnetId()),
        attachment.map(Ec2Attachment::instanceId).orElse(""),
        attachment.map(Ec2Attachment::device).orElse(-1),
        attachment.map(Ec2Attachment::deleteOnTermination).orElse(false),
        each.addresses().first().orElseGet(() -> nowhere(each.id())),
        singles.build(),
        each.addresses().prefixes(),
        each.tags().values());
  }

  /** Stands for the address of an interface that has none; of each another one. */
  private Ipv4Address nowhere(String id) {
    return without.computeIfAbsent(id, unseen -> (Ipv4Address) NOWHERE.plus(without.size()));
  }

  private static AddressSet all(CloudInterface of) {
    AddressSet.Builder all = AddressSet.builder();
    all.add(of.primary());
    all.addAll(of.singles());
    for (Cidr block : of.blocks()) {
      all.addAll(AddressSet.ofRange(block));
    }
    return all.build();
  }
}
