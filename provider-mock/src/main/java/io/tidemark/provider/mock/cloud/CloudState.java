package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of the cloud, and its recent past. Every change of an interface or instance goes
 * through {@link #put} and its neighbours, so history and mutation log cannot be forgotten. Not
 * thread-safe. One file, because an interface and the list of its instance change in one step, now
 * and in every past that is remembered.
 */
final class CloudState {
  /** How long a terminated instance is still described. */
  private static final Duration TERMINATED_FOR = Duration.ofHours(1);

  private final long keepNanos;
  private final Map<String, Vpc> vpcs = new TreeMap<>();
  private final Map<String, SubnetBooks> subnets = new TreeMap<>();
  private final Map<String, SecurityGroup> groups = new TreeMap<>();
  private final Map<String, PublicAddress> publicAddresses = new TreeMap<>();
  private final TreeMap<String, Versions<NetworkInterface>> interfaces = new TreeMap<>();
  private final Map<String, InstanceEntry> instances = new HashMap<>();
  private final ArrayDeque<Tombstone> tombstones = new ArrayDeque<>();
  private final ArrayDeque<Tombstone> terminated = new ArrayDeque<>();
  private final AliasRanges aliases;
  private final MutationLog log = new MutationLog();
  private long nowNanos;

  /**
   * An instance with the ids of its interfaces, in order of attachment, and these interfaces as
   * they are now; null until somebody asks.
   */
  private static final class InstanceEntry {
    private final Versions<Instance> instance;
    private final Versions<List<String>> attached;
    private @Nullable List<NetworkInterface> current;

    InstanceEntry(Instance first, long nowNanos) {
      instance = new Versions<>(first, nowNanos);
      attached = new Versions<>(List.of(), nowNanos);
    }
  }

  private record Tombstone(String id, long forgetAtNanos) {}

  /** An empty cloud that remembers the past so long. */
  CloudState(long keepNanos) {
    this.keepNanos = keepNanos;
    this.aliases = new AliasRanges(keepNanos);
  }

  /** Time goes on; what was deleted long enough ago is forgotten. */
  void advance(long nanos) {
    nowNanos = nanos;
    while (!tombstones.isEmpty() && nanos - tombstones.getFirst().forgetAtNanos() >= 0) {
      String id = tombstones.removeFirst().id();
      Versions<NetworkInterface> versions = interfaces.get(id);
      if (versions != null && versions.current() == null) {
        interfaces.remove(id);
      }
    }
    while (!terminated.isEmpty() && nanos - terminated.getFirst().forgetAtNanos() >= 0) {
      String id = terminated.removeFirst().id();
      if (findInstance(id).filter(each -> each.state() == Instance.State.TERMINATED).isPresent()) {
        instances.remove(id);
      }
    }
  }

  long nowNanos() {
    return nowNanos;
  }

  MutationLog log() {
    return log;
  }

  // ---- networks

  Map<String, Vpc> vpcs() {
    return vpcs;
  }

  Map<String, SubnetBooks> subnets() {
    return subnets;
  }

  Map<String, SecurityGroup> groups() {
    return groups;
  }

  Map<String, PublicAddress> publicAddresses() {
    return publicAddresses;
  }

  AliasRanges aliases() {
    return aliases;
  }

  SubnetBooks subnet(String id) throws CloudException {
    SubnetBooks books = subnets.get(id);
    if (books == null) {
      throw new CloudException(
          CloudErrorCode.SUBNET_NOT_FOUND, "The subnet ID '" + id + "' does not exist");
    }
    return books;
  }

  // ---- instances

  /** The instance now; empty when it was never there or is forgotten. */
  Optional<Instance> findInstance(String id) {
    InstanceEntry entry = instances.get(id);
    return entry == null ? Optional.empty() : Optional.ofNullable(entry.instance.current());
  }

  /** The instance as a reader of that instant sees it. */
  Optional<Instance> findInstance(String id, long asOfNanos) {
    InstanceEntry entry = instances.get(id);
    return entry == null ? Optional.empty() : Optional.ofNullable(entry.instance.at(asOfNanos));
  }

  /** The instance, which is neither unknown nor terminated. */
  Instance instance(String id) throws CloudException {
    return findInstance(id)
        .filter(instance -> instance.state() != Instance.State.TERMINATED)
        .orElseThrow(
            () ->
                new CloudException(
                    CloudErrorCode.INSTANCE_NOT_FOUND,
                    "The instance ID '" + id + "' does not exist"));
  }

  List<Instance> instances() {
    List<Instance> all = new ArrayList<>(instances.size());
    for (InstanceEntry entry : instances.values()) {
      Instance instance = entry.instance.current();
      if (instance != null) {
        all.add(instance);
      }
    }
    return all;
  }

  void put(Instance instance) {
    InstanceEntry entry = instances.get(instance.id());
    if (entry == null) {
      instances.put(instance.id(), new InstanceEntry(instance, nowNanos));
    } else {
      entry.instance.set(instance, nowNanos, keepNanos);
    }
    if (instance.state() == Instance.State.TERMINATED) {
      terminated.addLast(new Tombstone(instance.id(), nowNanos + TERMINATED_FOR.toNanos()));
    }
    log.add(Mutation.Kind.INSTANCE_CHANGED, instance.id(), "", AddressSet.of(), nowNanos);
  }

  /** Forgets an instance that has no interfaces any more. */
  void removeInstance(String id) {
    instances.remove(id);
  }

  // ---- interfaces

  /** The interface now. */
  Optional<NetworkInterface> findInterface(String id) {
    Versions<NetworkInterface> versions = interfaces.get(id);
    return versions == null ? Optional.empty() : Optional.ofNullable(versions.current());
  }

  /** Whether there is an interface of this id, or was one a short time ago. */
  boolean hasSeen(String id) {
    return interfaces.containsKey(id);
  }

  NetworkInterface networkInterface(String id) throws CloudException {
    return findInterface(id)
        .orElseThrow(
            () ->
                new CloudException(
                    CloudErrorCode.INTERFACE_NOT_FOUND,
                    "The networkInterface ID '" + id + "' does not exist"));
  }

  /** The interface as a reader of that instant sees it. */
  Optional<NetworkInterface> findInterface(String id, long asOfNanos) {
    Versions<NetworkInterface> versions = interfaces.get(id);
    return versions == null ? Optional.empty() : Optional.ofNullable(versions.at(asOfNanos));
  }

  /**
   * Interfaces attached to an instance now, in order of attachment; unmodifiable, and the same
   * object until one of them changes.
   */
  List<NetworkInterface> attached(String instanceId) {
    InstanceEntry entry = instances.get(instanceId);
    if (entry == null) {
      return List.of();
    }
    List<NetworkInterface> current = entry.current;
    if (current == null) {
      current = List.copyOf(attached(instanceId, nowNanos));
      entry.current = current;
    }
    return current;
  }

  /** Interfaces attached to an instance, as a reader of that instant sees it. */
  List<NetworkInterface> attached(String instanceId, long asOfNanos) {
    InstanceEntry entry = instances.get(instanceId);
    List<String> ids = entry == null ? null : entry.attached.at(asOfNanos);
    if (ids == null) {
      return List.of();
    }
    List<NetworkInterface> found = new ArrayList<>(ids.size());
    for (String id : ids) {
      findInterface(id, asOfNanos).ifPresent(found::add);
    }
    return found;
  }

  /**
   * Interfaces with ids above {@code afterId}, ascending, as a reader of that instant sees them.
   */
  List<NetworkInterface> listed(String afterId, int limit, long asOfNanos) {
    List<NetworkInterface> found = new ArrayList<>();
    for (Versions<NetworkInterface> versions : interfaces.tailMap(afterId, false).values()) {
      NetworkInterface each = versions.at(asOfNanos);
      if (each != null) {
        found.add(each);
        if (found.size() >= limit) {
          break;
        }
      }
    }
    return found;
  }

  /** A new or changed interface; {@code changed} are the addresses that came or went. */
  void put(NetworkInterface next, Mutation.Kind kind, AddressSet changed) {
    Versions<NetworkInterface> versions = interfaces.get(next.id());
    @Nullable NetworkInterface before = versions == null ? null : versions.current();
    if (versions == null) {
      interfaces.put(next.id(), new Versions<>(next, nowNanos));
    } else {
      versions.set(next, nowNanos, keepNanos);
    }
    String from = before == null ? "" : instanceOf(before);
    String to = instanceOf(next);
    if (!from.equals(to)) {
      unlist(from, next.id());
      list(to, next.id());
    }
    changed(from);
    changed(to);
    log.add(kind, to.isEmpty() ? from : to, next.id(), changed, nowNanos);
  }

  /** Deletes an interface and gives its addresses back. */
  void remove(NetworkInterface gone) {
    Versions<NetworkInterface> versions = interfaces.get(gone.id());
    if (versions == null) {
      return;
    }
    versions.set(null, nowNanos, keepNanos);
    unlist(instanceOf(gone), gone.id());
    changed(instanceOf(gone));
    if (keepNanos == 0) {
      interfaces.remove(gone.id());
    } else {
      tombstones.addLast(new Tombstone(gone.id(), nowNanos + keepNanos));
    }
    SubnetBooks books = subnets.get(gone.subnetId());
    if (books != null) {
      books.give(AddressSet.of(gone.primary()));
      books.give(gone.singles());
      books.give(gone.prefixes());
    }
    log.add(
        Mutation.Kind.INTERFACE_DELETED, instanceOf(gone), gone.id(), addressesOf(gone), nowNanos);
  }

  /** Every address of an interface, blocks spelled out. */
  static AddressSet addressesOf(NetworkInterface holder) {
    AddressSet all = holder.singles().plus(holder.primary());
    for (var block : holder.prefixes()) {
      all = all.plus(AddressSet.ofRange(block));
    }
    return all;
  }

  private static String instanceOf(NetworkInterface each) {
    return each.attachment().map(Attachment::instanceId).orElse("");
  }

  /** An interface of the instance came, went or changed. */
  private void changed(String instanceId) {
    InstanceEntry entry = instances.get(instanceId);
    if (entry != null) {
      entry.current = null;
    }
  }

  private void list(String instanceId, String interfaceId) {
    InstanceEntry entry = instances.get(instanceId);
    List<String> ids = entry == null ? null : entry.attached.current();
    if (entry != null && ids != null) {
      List<String> more = new ArrayList<>(ids);
      more.add(interfaceId);
      entry.attached.set(List.copyOf(more), nowNanos, keepNanos);
    }
  }

  private void unlist(String instanceId, String interfaceId) {
    InstanceEntry entry = instances.get(instanceId);
    List<String> ids = entry == null ? null : entry.attached.current();
    if (entry != null && ids != null) {
      List<String> fewer = new ArrayList<>(ids);
      fewer.remove(interfaceId);
      entry.attached.set(List.copyOf(fewer), nowNanos, keepNanos);
    }
  }
}
