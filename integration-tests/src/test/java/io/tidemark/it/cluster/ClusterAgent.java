package io.tidemark.it.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The agent of one node as the reference's behaves (node-manager 4.8): takes addresses of the pool
 * for its pods, says which are used, and answers the release handshake. It acts when it is told to.
 */
final class ClusterAgent {
  private static final int CONFLICT = 409;

  private final ClusterWorld world;
  private final String node;
  private final SplittableRandom random;
  private final SortedMap<IpAddress, String> used = new TreeMap<>();
  private int pods;

  ClusterAgent(ClusterWorld world, String node, SplittableRandom random) {
    this.world = world;
    this.node = node;
    this.random = random;
  }

  /** Addresses that pods hold. */
  SortedMap<IpAddress, String> used() {
    return used;
  }

  /**
   * Gives pods addresses, or takes them away, until {@code wanted} hold one, as far as there are
   * any; then says so, unless somebody wrote in between or the server is away.
   *
   * @return whether that many hold one, and the server knows
   */
  boolean turn(int wanted) {
    try {
      NodeResource now = world.node(node);
      List<IpAddress> holders = new ArrayList<>(used.keySet());
      while (used.size() > wanted) {
        used.remove(holders.remove(random.nextInt(holders.size())));
      }
      List<IpAddress> free = free(now);
      while (used.size() < wanted && !free.isEmpty()) {
        used.put(free.remove(random.nextInt(free.size())), "default/pod-" + node + '-' + pods++);
      }
      NodeResource answered = answered(now);
      if (!answered.sameStatus(now)) {
        world.writeStatus(answered);
      }
      return used.size() == wanted;
    } catch (KubernetesClientException e) {
      if (e.getCode() == CONFLICT || e.getCode() == 0 || e.getCode() >= 500) {
        return false; // the next turn is on a newer object
      }
      throw e;
    }
  }

  private List<IpAddress> free(NodeResource now) {
    List<IpAddress> free = new ArrayList<>();
    SortedMap<IpAddress, HandshakeState> asked = now.releaseIps();
    now.pool()
        .byResource()
        .values()
        .forEach(
            set ->
                set.forEach(
                    address -> {
                      HandshakeState state = asked.get(address);
                      boolean promised = state != null && state != HandshakeState.DO_NOT_RELEASE;
                      if (!promised && !used.containsKey(address)) {
                        free.add(address);
                      }
                    }));
    return free;
  }

  private NodeResource answered(NodeResource now) {
    SortedMap<IpAddress, UsedAddress> entries = new TreeMap<>();
    used.forEach(
        (address, owner) ->
            entries.put(address, new UsedAddress(owner, now.pool().resource(address).orElse(""))));
    SortedMap<IpAddress, HandshakeState> states = new TreeMap<>();
    now.releaseIps()
        .forEach(
            (address, state) -> {
              boolean inPool = now.pool().contains(address);
              if (state == HandshakeState.MARKED_FOR_RELEASE) {
                boolean keep = used.containsKey(address) || !inPool;
                states.put(
                    address,
                    keep ? HandshakeState.DO_NOT_RELEASE : HandshakeState.READY_FOR_RELEASE);
              } else if (state != HandshakeState.RELEASED || inPool) {
                states.put(address, state);
              }
            });
    return now.withUsed(entries).withReleaseIps(states);
  }
}
