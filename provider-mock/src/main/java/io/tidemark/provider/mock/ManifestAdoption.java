package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.CloudState;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the embedded cloud from manifests, before each read, by one rule: what a manifest shows is
 * taken, all or nothing; what another one holds already is refused with a reason, until it is free.
 * A manifest that shows no interface gets an instance after those that do. Thread-safe.
 */
final class ManifestAdoption {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestAdoption.class);

  private final CloudState cloud;
  private final boolean embedded;
  private final Map<String, List<Cidr>> aliasRanges;

  /** The node of each instance. */
  private final Map<String, String> owners = new ConcurrentHashMap<>();

  private final Map<String, ShownInstance> waiting = new TreeMap<>();
  private final Map<String, Blocked> refusals = new ConcurrentHashMap<>();

  /** Adopts, if the cloud is embedded; these instances have alias ranges from the start. */
  ManifestAdoption(CloudState cloud, boolean embedded, Map<String, List<Cidr>> aliasRanges) {
    this.cloud = cloud;
    this.embedded = embedded;
    this.aliasRanges = aliasRanges;
  }

  /** Why the node must wait; empty when it need not. */
  Optional<Blocked> refusal(String node) {
    return Optional.ofNullable(refusals.get(node));
  }

  /** A manifest appeared or was changed, or its node became another instance. */
  synchronized void arrived(String node, InstanceId id, NodeResource resource) {
    if (embedded && !node.equals(owners.get(id.text()))) {
      waiting.put(node, new ShownInstance(id, resource));
    }
  }

  /** The provider ID of a Node names an instance; a Node shows nothing of it. */
  void named(InstanceId id) {
    if (!owners.containsKey(id.text())) {
      arrived(id.text(), id, NodeResource.named(id.text()));
    }
  }

  /** The manifest of an instance is gone. */
  synchronized void left(InstanceId id) {
    boolean owned = owners.remove(id.text()) != null;
    boolean shared = waiting.values().removeIf(each -> each.id().equals(id));
    refusals.keySet().retainAll(waiting.keySet());
    if (owned && !shared) {
      cloud.terminate(id.text());
    }
    adoptWaiting();
  }

  /** Takes what manifests show, in the order of their names, then starts the other instances. */
  synchronized void adoptWaiting() {
    List.copyOf(waiting.entrySet()).stream()
        .sorted(Comparator.comparing(each -> each.getValue().isBare()))
        .forEach(each -> settle(each.getKey(), each.getValue()));
  }

  private void settle(String node, ShownInstance shown) {
    String id = shown.id().text();
    Optional<Blocked> why =
        owners.containsKey(id) ? Optional.of(claimed("instance " + id, id)) : take(shown);
    if (why.isEmpty()) {
      owners.put(id, node);
      waiting.remove(node);
      refusals.remove(node);
      aliasRanges.getOrDefault(id, List.of()).forEach(range -> cloud.aliasRange(id, range));
    } else if (!why.equals(Optional.ofNullable(refusals.put(node, why.get())))) {
      LOG.warn(
          "The manifest is left as it is. node={} reason={} {} detail={}",
          node,
          why.get().reason().label(),
          why.get().reason(),
          why.get().detail());
    }
  }

  /** Takes what a manifest shows, or says why not. */
  private Optional<Blocked> take(ShownInstance shown) {
    String id = shown.id().text();
    String type = shown.spec().instanceType();
    try {
      if (cloud.isRunning(id).isPresent()) {
        return Optional.empty();
      }
      List<MockInterface> interfaces = shown.interfaces();
      List<MockSubnet> subnets = shown.subnets(interfaces, cloud.subnets());
      if (shown.isBare()) {
        subnets.forEach(cloud::subnet);
        cloud.launch(id, type, shown.subnetId(), Map.of());
        return Optional.empty();
      }
      return cloud
          .adopt(id, type, subnets, interfaces)
          .map(held -> claimed(held.what(), held.byInstance()));
    } catch (IllegalArgumentException impossible) {
      MockError code =
          shown.isBare() ? MockError.MANIFEST_WITHOUT_ROOM : MockError.MANIFEST_CONTRADICTS;
      String remedy = code.remedy().substring(0, code.remedy().length() - 1);
      return Optional.of(
          new Blocked(
              shown.isBare() ? BlockedReason.SUBNET_EXHAUSTED : BlockedReason.INVALID_RESOURCE,
              code.label() + " " + code + ": " + impossible.getMessage() + ". " + remedy));
    }
  }

  private Blocked claimed(String what, String holder) {
    String owner = owners.get(holder);
    String by = owner == null ? " is in use already" : " is also claimed by node " + owner;
    return new Blocked(BlockedReason.DUPLICATE_CLAIM, what + by);
  }
}
