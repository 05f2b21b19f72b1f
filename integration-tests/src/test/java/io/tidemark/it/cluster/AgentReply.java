package io.tidemark.it.cluster;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the reference's agent makes of its object (node-manager 4.8). Pure. */
public final class AgentReply {
  private AgentReply() {}

  /**
   * Addresses that a new pod may get, interface by interface: of the pool, held by nobody, and not
   * promised to the operator.
   */
  public static List<IpAddress> free(NodeResource now, Set<IpAddress> held) {
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
                      if (!promised && !held.contains(address)) {
                        free.add(address);
                      }
                    }));
    return free;
  }

  /**
   * The object with what the agent says: who holds which address, and an answer to every mark.
   *
   * @param held addresses with the pods that hold them
   */
  public static NodeResource to(NodeResource now, Map<IpAddress, String> held) {
    SortedMap<IpAddress, UsedAddress> entries = new TreeMap<>();
    held.forEach(
        (address, owner) ->
            entries.put(address, new UsedAddress(owner, now.pool().resource(address).orElse(""))));
    SortedMap<IpAddress, HandshakeState> states = new TreeMap<>();
    now.releaseIps()
        .forEach(
            (address, state) -> {
              boolean inPool = now.pool().contains(address);
              if (state == HandshakeState.MARKED_FOR_RELEASE) {
                boolean keep = held.containsKey(address) || !inPool;
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
