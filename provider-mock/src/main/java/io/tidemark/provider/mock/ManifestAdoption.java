package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.CloudSetup;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the embedded cloud from manifests, by one rule: what a manifest shows is taken, all or
 * nothing; what another one holds already is refused with a reason, and tried again before the next
 * read. A manifest that shows no interface gets an instance after those that do. Thread-safe.
 */
final class ManifestAdoption {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestAdoption.class);

  private final MockCloud cloud;
  private final CloudSetup setup;
  private final Map<String, List<Cidr>> aliasRanges;
  private final Map<InstanceId, String> owners = new ConcurrentHashMap<>();
  private final Map<String, ShownInstance> waiting = new TreeMap<>();
  private final Map<String, Blocked> refusals = new ConcurrentHashMap<>();

  /**
   * The adoption of a cloud's manifests.
   *
   * @param aliasRanges those that instances have from the start, by instance
   */
  ManifestAdoption(MockCloud cloud, Map<String, List<Cidr>> aliasRanges) {
    this.cloud = cloud;
    this.setup = cloud.setup();
    this.aliasRanges = Map.copyOf(aliasRanges);
  }

  /** Why the node must wait; empty when it need not. */
  Optional<Blocked> refusal(String node) {
    return Optional.ofNullable(refusals.get(node));
  }

  /** A manifest appeared or was changed, or its node became another instance. */
  void arrived(String node, InstanceId id, NodeResource resource) {
    if (!node.equals(owners.get(id))) {
      arrived(node, ShownInstance.of(id, resource));
    }
  }

  private synchronized void arrived(String node, ShownInstance shown) {
    String owner = owners.get(shown.id());
    if (node.equals(owner)) {
      return; // another thread took it meanwhile
    }
    if (!shown.equals(waiting.put(node, shown))) {
      refusals.remove(node);
    }
    if (owner != null) {
      settle(node, shown);
    }
  }

  /** The provider ID of a Node names an instance; a Node shows nothing of it. */
  void named(InstanceId id) {
    if (!owners.containsKey(id)) {
      arrived(id.text(), id, NodeResource.named(id.text()));
    }
  }

  /** The manifest of an instance is gone. */
  synchronized void left(InstanceId id) {
    String owner = owners.remove(id);
    boolean shared = waiting.values().removeIf(each -> each.id().equals(id));
    refusals.keySet().retainAll(waiting.keySet());
    if (owner != null && !shared) {
      setup.terminate(id.text());
    }
    adoptWaiting();
  }

  /** Takes what manifests show, in the order of their names, then starts the other instances. */
  synchronized void adoptWaiting() {
    new TreeMap<>(waiting).forEach(this::settle);
    new TreeMap<>(waiting)
        .forEach(
            (node, shown) -> {
              if (owners.containsKey(shown.id())) {
                settle(node, shown);
              } else if (shown.isBare()) {
                launch(node, shown);
              }
            });
  }

  private void launch(String node, ShownInstance shown) {
    try {
      setup.subnet(shown.home(setup.subnets()));
      setup.launch(shown.id().text(), shown.type(), shown.subnetId());
      took(node, shown.id());
    } catch (IllegalArgumentException noRoom) {
      refuse(
          node,
          BlockedReason.SUBNET_EXHAUSTED,
          MockError.MANIFEST_WITHOUT_ROOM,
          String.valueOf(noRoom.getMessage()));
    }
  }

  private void took(String node, InstanceId id) {
    owners.put(id, node);
    waiting.remove(node);
    refusals.remove(node);
    for (Cidr range : aliasRanges.getOrDefault(id.text(), List.of())) {
      setup.aliasRange(id.text(), range);
    }
  }

  /** Takes what a manifest shows, or says why not. */
  private void settle(String node, ShownInstance shown) {
    String owner = owners.get(shown.id());
    if (owner != null) {
      claimed(node, "instance " + shown.id(), owner);
    } else if (cloud.isRunning(shown.id().text()).isPresent()) {
      took(node, shown.id());
    } else if (!shown.problems().isEmpty()) {
      contradicts(node, String.join("; ", shown.problems()));
    } else if (!shown.isBare()) {
      Optional<CloudSetup.Conflict> conflict = adopt(shown);
      if (conflict.isEmpty()) {
        took(node, shown.id());
      } else if (conflict.get().byInstance().isPresent()) {
        String instance = conflict.get().byInstance().get();
        String holder = instance.isEmpty() ? "" : owners.get(new InstanceId(instance));
        claimed(node, conflict.get().what(), holder);
      } else {
        contradicts(node, conflict.get().what());
      }
    }
  }

  private Optional<CloudSetup.Conflict> adopt(ShownInstance shown) {
    try {
      List<MockSubnet> subnets = shown.subnets(setup.subnets());
      return setup.adopt(shown.id().text(), shown.type(), subnets, shown.interfaces());
    } catch (IllegalArgumentException impossible) {
      return Optional.of(
          new CloudSetup.Conflict(String.valueOf(impossible.getMessage()), Optional.empty()));
    }
  }

  private void claimed(String node, String what, @Nullable String holder) {
    refuse(
        node,
        new Blocked(
            BlockedReason.DUPLICATE_CLAIM,
            holder == null || holder.isEmpty()
                ? what + " is in use already"
                : what + " is also claimed by node " + holder));
  }

  private void contradicts(String node, String what) {
    refuse(node, BlockedReason.INVALID_RESOURCE, MockError.MANIFEST_CONTRADICTS, what);
  }

  private void refuse(String node, BlockedReason reason, MockError code, String what) {
    String remedy = code.remedy().substring(0, code.remedy().length() - 1);
    refuse(node, new Blocked(reason, code.label() + " " + code + ": " + what + ". " + remedy));
  }

  private void refuse(String node, Blocked why) {
    if (!why.equals(refusals.put(node, why))) {
      LOG.warn(
          "The manifest is left as it is. node={} reason={} {} detail={}",
          node,
          why.reason().label(),
          why.reason(),
          why.detail());
    }
  }
}
