package io.tidemark.provider.mock;

import io.tidemark.provider.mock.CloudAdoption.Taken;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The embedded cloud is what the manifests show: a new manifest's instance is made to exist, a
 * deleted one's is terminated. Two manifests that claim the same instance, interface or address
 * wait, both, until one of them is gone. What was made for a manifest that shows no interface is
 * nobody's claim: while it is untouched it yields to a manifest that shows it.
 */
final class ManifestAdoption implements Claims {
  private static final int PAST_MAX = 1_000;

  private final CloudAdoption adoption;
  private final MockCloud cloud;
  private final Object lock = new Object();
  private final Map<InstanceId, String> owners = new HashMap<>();
  private final Map<String, Past> past =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Past> eldest) {
          return size() > PAST_MAX;
        }
      };
  private final TreeMap<String, ShownInstance> waiting = new TreeMap<>();
  private final Map<InstanceId, ShownInstance> made = new HashMap<>();
  private final Set<InstanceId> ownerless = new HashSet<>();
  private volatile Map<String, Blocked> conflicts = Map.of();
  private volatile boolean anyOwnerless;

  /** The instance a node was last, with the interfaces it had at its end. */
  private record Past(InstanceId id, Set<String> interfaceIds) {}

  ManifestAdoption(MockCloud cloud) {
    this.cloud = cloud;
    this.adoption = new CloudAdoption(cloud);
  }

  @Override
  public void arrived(String node, InstanceId id, NodeResource resource) {
    synchronized (lock) {
      waiting.remove(node);
      ownerless.remove(id);
      if (!node.equals(owners.get(id))) {
        waiting.put(node, withoutPast(node, ShownInstance.of(id, resource)));
        settle();
      }
    }
  }

  @Override
  public void left(InstanceId id) {
    synchronized (lock) {
      String owner = owners.remove(id);
      made.remove(id);
      if (owner != null) {
        past.put(owner, new Past(id, interfaceIds(id)));
      }
      boolean shared = waiting.values().removeIf(shown -> shown.id().equals(id));
      if (shared) {
        ownerless.add(id);
        anyOwnerless = true;
      } else if (owner != null) {
        cloud.setup().terminate(id.text());
      }
      settle();
    }
  }

  /** Of two manifests with one instance, the one that is still asked for is the one that stayed. */
  @Override
  public Optional<Blocked> conflict(String node, InstanceId id) {
    if (anyOwnerless) {
      synchronized (lock) {
        if (ownerless.remove(id)) {
          owners.put(id, node);
        }
        anyOwnerless = !ownerless.isEmpty();
      }
    }
    return Optional.ofNullable(conflicts.get(node));
  }

  /** A node that became another instance still shows its predecessor's interfaces. */
  private ShownInstance withoutPast(String node, ShownInstance shown) {
    Past before = past.remove(node);
    return before == null || before.id().equals(shown.id())
        ? shown
        : shown.without(before.interfaceIds());
  }

  private Set<String> interfaceIds(InstanceId id) {
    Set<String> ids = new HashSet<>();
    cloud.attachedTo(id.text()).forEach(each -> ids.add(each.id()));
    return ids;
  }

  /** Adopts what waits without reason and says of the rest why it waits. */
  private void settle() {
    Map<String, Blocked> found = new TreeMap<>();
    for (Map.Entry<String, ShownInstance> each : new TreeMap<>(waiting).entrySet()) {
      String node = each.getKey();
      ShownInstance shown = each.getValue();
      List<ShownInstance> yielded = makeRoom(shown);
      Optional<Taken> taken = taken(shown);
      if (taken.isEmpty()) {
        waiting.remove(node);
        owners.put(shown.id(), node);
        adopt(shown);
      } else {
        String other = ownerOf(taken.get().byInstance());
        found.put(node, blocked(taken.get().what(), other));
        if (!other.isEmpty()) {
          found.put(other, blocked(taken.get().what(), node));
        }
      }
      yielded.forEach(this::adopt);
    }
    conflicts = Map.copyOf(found);
  }

  private void adopt(ShownInstance shown) {
    adoption.adopt(shown);
    if (shown.interfaces().isEmpty()) {
      made.put(shown.id(), shown);
    }
  }

  /** Takes out of the cloud what was made and is in the way of what is shown. */
  private List<ShownInstance> makeRoom(ShownInstance shown) {
    if (owners.containsKey(shown.id())) {
      return List.of();
    }
    List<ShownInstance> yielded = new ArrayList<>();
    Optional<Taken> taken = adoption.taken(shown);
    while (taken.isPresent() && isUntouched(taken.get().byInstance())) {
      InstanceId id = new InstanceId(taken.get().byInstance());
      yielded.add(Objects.requireNonNull(made.remove(id)));
      cloud.setup().forget(id.text());
      taken = adoption.taken(shown);
    }
    return yielded;
  }

  /** Whether an instance was made, and holds what it was made with and no more. */
  private boolean isUntouched(String instanceId) {
    if (instanceId.isEmpty() || !made.containsKey(new InstanceId(instanceId))) {
      return false;
    }
    List<NetworkInterface> attached = cloud.attachedTo(instanceId);
    return attached.size() == 1
        && attached.get(0).singles().isEmpty()
        && attached.get(0).prefixes().isEmpty();
  }

  private Optional<Taken> taken(ShownInstance shown) {
    if (owners.containsKey(shown.id())) {
      return Optional.of(new Taken("instance " + shown.id(), shown.id().text()));
    }
    return adoption.taken(shown);
  }

  private String ownerOf(String instanceId) {
    return instanceId.isEmpty() ? "" : owners.getOrDefault(new InstanceId(instanceId), "");
  }

  private static Blocked blocked(String what, String other) {
    return new Blocked(
        BlockedReason.DUPLICATE_CLAIM,
        what + " is also claimed by " + (other.isEmpty() ? "nobody's interface" : "node " + other));
  }
}
