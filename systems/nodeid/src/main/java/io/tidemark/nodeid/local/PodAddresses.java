package io.tidemark.nodeid.local;

import io.tidemark.cluster.Messages;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.local.PodAllocation.Allocated;
import io.tidemark.nodeid.local.PodAllocation.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which pod has which address of one pod subnet: one store with two indexes, which are each other's
 * inverse. With an external IPAM it only records. Not thread-safe.
 */
final class PodAddresses {
  private final PodAddressPool pool;
  private final boolean external;
  private final Duration cooldown;
  private final Map<PodId, IpAddress> byPod = new HashMap<>();
  private final Map<IpAddress, PodId> byAddress = new HashMap<>();

  PodAddresses(Cidr subnet, boolean external, Duration cooldown) {
    this.pool = new PodAddressPool(subnet, cooldown);
    this.external = external;
    this.cooldown = cooldown;
  }

  Cidr subnet() {
    return pool.subnet();
  }

  Optional<IpAddress> address(PodId pod) {
    return Optional.ofNullable(byPod.get(pod));
  }

  int size() {
    return byPod.size();
  }

  PodAddressPool.Stats stats() {
    return pool.stats();
  }

  PodAllocation allocate(PodId pod, long nowNanos) {
    @Nullable IpAddress present = byPod.get(pod);
    if (present != null) {
      return new Allocated(present);
    }
    Optional<IpAddress> next = pool.allocate(nowNanos);
    if (next.isEmpty()) {
      PodAddressPool.Stats it = pool.stats();
      return new Refused(
          NodeIdError.POD_SUBNET_EXHAUSTED,
          Messages.of(
              "no address is free in the pod subnet %s for pod %s: of %s, pods have %s, and %s were"
                  + " released less than %s s ago",
              subnet(), pod, it.capacity(), it.used(), it.cooling(), cooldown.toSeconds()));
    }
    add(pod, next.get());
    return new Allocated(next.get());
  }

  /** Records what an external IPAM gave a pod: an address of the subnet if {@code members}. */
  PodAllocation record(PodId pod, IpAddress address, boolean members) {
    @Nullable IpAddress present = byPod.get(pod);
    if (address.equals(present)) {
      return new Allocated(address);
    }
    Optional<String> problem =
        present != null
            ? Optional.of("the pod has " + present + " already")
            : problem(address, members);
    if (problem.isPresent()) {
      return new Refused(
          NodeIdError.EXTERNAL_RESULT_REFUSED,
          "address " + address + " for pod " + pod + " is not recorded: " + problem.get());
    }
    add(pod, address);
    return new Allocated(address);
  }

  /** Why no pod can have this address now; empty when one can. */
  private Optional<String> problem(IpAddress address, boolean members) {
    @Nullable PodId owner = byAddress.get(address);
    if (owner != null) {
      return Optional.of("pod " + owner + " has it");
    }
    if (address.family() != subnet().family()) {
      return Optional.of("the pod subnet " + subnet() + " is of " + subnet().family());
    }
    if (members && !subnet().contains(address)) {
      return Optional.of("it is not in the pod subnet " + subnet());
    }
    return subnet().contains(address) && pool.isReserved(address)
        ? Optional.of("it is reserved in the pod subnet " + subnet())
        : Optional.empty();
  }

  /** Forgets a pod; false when it has no address. */
  boolean release(PodId pod, long nowNanos) {
    @Nullable IpAddress address = byPod.remove(pod);
    if (address == null) {
      return false;
    }
    byAddress.remove(address);
    if (!external) {
      pool.release(address, nowNanos);
    }
    return true;
  }

  /**
   * Takes over what Kubernetes lists: pods that it does not list, or that have ended, are released;
   * addresses of the subnet that pods are listed with are recorded, but for the conflicts.
   */
  List<ResyncReport.Conflict> adopt(List<KubeState.Pod> pods, long nowNanos) {
    Set<PodId> running = new HashSet<>();
    pods.stream().filter(pod -> !pod.finished()).forEach(pod -> running.add(pod.id()));
    for (PodId pod : List.copyOf(byPod.keySet())) {
      if (!running.contains(pod)) {
        release(pod, nowNanos);
      }
    }
    List<ResyncReport.Conflict> conflicts = new ArrayList<>();
    for (KubeState.Pod pod : pods) {
      Optional<IpAddress> address = IpAddress.tryParse(pod.address()).map(IpAddress::unmapped);
      if (!pod.finished() && address.filter(subnet()::contains).isPresent()) {
        adopt(pod.id(), address.get())
            .ifPresent(
                why -> conflicts.add(new ResyncReport.Conflict(pod.id(), address.get(), why)));
      }
    }
    return conflicts;
  }

  /** Why an address of the subnet that a pod has already is not recorded; empty when it is. */
  Optional<String> adopt(PodId pod, IpAddress address) {
    @Nullable IpAddress present = byPod.get(pod);
    @Nullable PodId owner = byAddress.get(address);
    if (address.equals(present)) {
      return Optional.empty();
    }
    if (present != null) {
      return Optional.of("but has " + present);
    }
    if (owner != null) {
      return Optional.of("which pod " + owner + " has");
    }
    if (pool.isReserved(address) || (!external && !pool.take(address))) {
      return Optional.of("which is reserved");
    }
    add(pod, address);
    return Optional.empty();
  }

  private void add(PodId pod, IpAddress address) {
    byPod.put(pod, address);
    byAddress.put(address, pod);
  }
}
