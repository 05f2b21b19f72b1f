package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded cloud is what the manifests show: a new manifest's instance is made to exist, a
 * deleted one's is terminated. Two manifests that claim the same instance, interface or address
 * wait, both, until one of them is gone. A manifest that contradicts itself or others is not
 * adopted in part: it stays as it is, and its node waits until it is corrected. What was made for a
 * manifest that shows no interface is nobody's claim: while it is untouched it yields to a manifest
 * that shows it.
 */
final class ManifestAdoption implements Claims {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestAdoption.class);
  private static final int PAST_MAX = 1_000;
  private static final int PROBLEMS_MAX = 5;

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
  private final AtomicInteger networkChanges = new AtomicInteger();
  private final Map<String, List<Cidr>> aliasRanges;

  /** The instance a node was last, with the interfaces it had at its end. */
  private record Past(InstanceId id, Set<String> interfaceIds) {}

  /**
   * The adoption of a cloud's manifests.
   *
   * @param aliasRanges those that instances of Nodes have, by instance
   */
  ManifestAdoption(MockCloud cloud, Map<String, List<Cidr>> aliasRanges) {
    this.cloud = cloud;
    this.aliasRanges = aliasRanges;
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

  /** A Node shows nothing of its instance, so one is made. */
  @Override
  public void named(InstanceId id) {
    synchronized (lock) {
      if (owners.containsKey(id)) {
        return;
      }
      arrived(id.text(), id, NodeResource.named(id.text()));
      aliasRanges
          .getOrDefault(id.text(), List.of())
          .forEach(range -> cloud.setup().aliasRange(id.text(), range));
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

  @Override
  public int networkChanges() {
    return networkChanges.get();
  }

  /** A node that became another instance still shows its predecessor's interfaces. */
  private ShownInstance withoutPast(String node, ShownInstance shown) {
    Past before = past.get(node);
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
    Map<String, ShownInstance> refused = new TreeMap<>();
    new TreeMap<>(waiting)
        .forEach(
            (node, shown) -> {
              if (!shown.problems().isEmpty()) {
                refused.put(node, shown);
                found.put(node, refused(shown.problems()));
              }
            });
    for (Map.Entry<String, ShownInstance> each : new TreeMap<>(waiting).entrySet()) {
      settle(each.getKey(), each.getValue(), found, refused);
    }
    found.forEach(this::warn);
    conflicts = Map.copyOf(found);
  }

  private void settle(
      String node,
      ShownInstance shown,
      Map<String, Blocked> found,
      Map<String, ShownInstance> refused) {
    List<ShownInstance> yielded = makeRoom(shown);
    Optional<Claim> claim = claim(node, shown, refused);
    if (claim.isPresent()) {
      String other = claim.get().node();
      String what = claim.get().what();
      if (other.equals(node)) {
        found.put(node, claimed(what, "two interfaces of the node"));
      } else if (other.isEmpty()) {
        found.put(node, claimed(what, "an interface of no node"));
      } else {
        found.put(node, claimed(what, "node " + other));
        found.put(other, claimed(what, "node " + node));
      }
      refused.put(node, shown);
    } else if (!refused.containsKey(node)) {
      AdoptionPlan plan = adoption.plan(shown);
      if (plan.problems().isEmpty()) {
        waiting.remove(node);
        past.remove(node);
        owners.put(shown.id(), node);
        adopt(shown, plan);
      } else {
        refused.put(node, shown);
        found.put(node, refused(plan.problems()));
      }
    }
    yielded.forEach(each -> adopt(each, adoption.plan(each)));
  }

  /** Something shown that is claimed twice, and by which other node; empty when by none. */
  private record Claim(String what, String node) {}

  private Optional<Claim> claim(
      String node, ShownInstance shown, Map<String, ShownInstance> refused) {
    Optional<Claim> inCloud =
        taken(shown).map(taken -> new Claim(taken.what(), ownerOf(taken.byInstance())));
    if (inCloud.isPresent()) {
      return inCloud;
    }
    for (Map.Entry<String, ShownInstance> other : refused.entrySet()) {
      Optional<String> clash =
          other.getKey().equals(node) ? Optional.empty() : shown.clash(other.getValue());
      if (clash.isPresent()) {
        return Optional.of(new Claim(clash.get(), other.getKey()));
      }
    }
    return shown.claimedTwice().map(what -> new Claim(what, node));
  }

  private void adopt(ShownInstance shown, AdoptionPlan plan) {
    adoption.adopt(shown, plan);
    networkChanges.incrementAndGet();
    if (shown.interfaces().isEmpty()) {
      made.put(shown.id(), shown);
    }
  }

  /** Takes out of the cloud what was made and is in the way of what is shown. */
  private List<ShownInstance> makeRoom(ShownInstance shown) {
    if (owners.containsKey(shown.id()) || !shown.problems().isEmpty()) {
      return List.of();
    }
    List<ShownInstance> yielded = new ArrayList<>();
    Optional<Taken> taken = adoption.taken(shown);
    while (taken.isPresent() && isUntouched(taken.get().byInstance())) {
      yielded.add(unmade(new InstanceId(taken.get().byInstance())));
      taken = adoption.taken(shown);
    }
    adoption
        .madeInTheWay(shown)
        .forEach(
            (subnet, instances) -> {
              if (instances.stream().allMatch(id -> isUntouched(id.text()))) {
                instances.forEach(id -> yielded.add(unmade(id)));
                adoption.unmake(subnet);
              }
            });
    return yielded;
  }

  private ShownInstance unmade(InstanceId id) {
    cloud.setup().forget(id.text());
    return Objects.requireNonNull(made.remove(id));
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

  private static Blocked claimed(String what, String by) {
    return new Blocked(
        BlockedReason.DUPLICATE_CLAIM,
        what + (by.startsWith("two") ? " is claimed by " : " is also claimed by ") + by);
  }

  private static Blocked refused(List<String> problems) {
    MockError code = MockError.MANIFEST_CONTRADICTS;
    int more = problems.size() - PROBLEMS_MAX;
    return new Blocked(
        BlockedReason.INVALID_RESOURCE,
        code.label()
            + " "
            + code
            + ": "
            + String.join("; ", problems.subList(0, Math.min(PROBLEMS_MAX, problems.size())))
            + (more > 0 ? "; and " + more + " more" : "")
            + ". "
            + code.remedy().substring(0, code.remedy().length() - 1));
  }

  private void warn(String node, Blocked why) {
    if (!why.equals(conflicts.get(node))) {
      LOG.warn(
          "The manifest is left as it is. node={} reason={} {} detail={}",
          node,
          why.reason().label(),
          why.reason(),
          why.detail());
    }
  }
}
