package io.tidemark.agent.crd;

import io.tidemark.agent.CoolingRule;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which addresses an agent may hand out, said with maps and searches over the version of the object
 * that it has seen. Which of several it takes is not said.
 */
final class CrdModel {
  final Map<IpAddress, String> used = new TreeMap<>();
  private final CoolingRule rule;
  private final Map<IpAddress, Long> released = new TreeMap<>();
  private NodeResource seen = NodeResource.named("none");
  private boolean present;

  CrdModel(CoolingRule rule) {
    this.rule = rule;
  }

  /** The agent takes in a version; what cools outside of the pool is forgotten. */
  void saw(NodeResource version) {
    seen = version;
    present = true;
    released.keySet().removeIf(ip -> !seen.pool().contains(ip));
  }

  /** The object is deleted; its last version says what cools. */
  void gone() {
    present = false;
  }

  void restart() {
    released.clear();
  }

  void use(IpAddress ip, String owner) {
    used.put(ip, owner);
    released.remove(ip);
  }

  void release(IpAddress ip, long now) {
    if (used.remove(ip) != null && seen.pool().contains(ip)) {
      released.put(ip, now);
    }
  }

  /** Whether an address cools. */
  boolean cools(IpAddress ip, long now) {
    return released.containsKey(ip) && now - at(ip) < rule.pause().toNanos();
  }

  private long at(IpAddress ip) {
    return released.getOrDefault(ip, 0L);
  }

  /** Addresses of which the next request gets one. */
  List<IpAddress> next(long now) {
    List<IpAddress> free = usable().filter(ip -> !cools(ip, now)).toList();
    if (!free.isEmpty()) {
      return free;
    }
    List<IpAddress> old = usable().filter(ip -> now - at(ip) >= rule.floor().toNanos()).toList();
    long oldest = old.stream().mapToLong(this::at).min().orElse(0);
    return old.stream().filter(ip -> at(ip) == oldest).toList();
  }

  private Stream<IpAddress> usable() {
    return seen.pool().addresses().toList().stream()
        .filter(ip -> mayUse(ip) && !used.containsKey(ip));
  }

  /** Whether nothing stands against the use of an address that nobody uses. */
  boolean mayUse(IpAddress ip) {
    HandshakeState state = seen.releaseIps().get(ip);
    return present
        && seen.pool().contains(ip)
        && !seen.pool().reserved().containsKey(ip)
        && seen.eniStatus().isPresent()
        && seen.eniStatus().get().enis().containsKey(seen.pool().resource(ip).orElse(""))
        && (state == null || state == HandshakeState.DO_NOT_RELEASE);
  }
}
