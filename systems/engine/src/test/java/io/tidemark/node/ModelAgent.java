package io.tidemark.node;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The agent that node-manager 4.8 describes, written for the model search alone: it promises in the
 * step in which it looks at an address, and keeps its promise until the mark is withdrawn. When it
 * dies it forgets all but what its pods hold.
 */
public final class ModelAgent implements HandshakeAgent {
  /** One that has just started. */
  public static final ModelAgent FRESH =
      new ModelAgent(NodeResource.named("none"), Collections.emptySortedMap(), Set.of());

  private final NodeResource view;
  private final SortedMap<IpAddress, HandshakeState> answers;
  private final Set<IpAddress> promised;

  private ModelAgent(
      NodeResource view, SortedMap<IpAddress, HandshakeState> answers, Set<IpAddress> promised) {
    this.view = view;
    this.answers = answers;
    this.promised = promised;
  }

  @Override
  public ModelAgent saw(NodeResource told, NodeResource newest, Predicate<IpAddress> pods) {
    SortedMap<IpAddress, HandshakeState> wire = newest.releaseIps();
    SortedMap<IpAddress, HandshakeState> now = new TreeMap<>(wire);
    Set<IpAddress> promises = new TreeSet<>();
    wire.forEach(
        (address, state) -> {
          boolean pooled = newest.pool().contains(address);
          if (state == HandshakeState.MARKED_FOR_RELEASE) {
            boolean free = pooled && !pods.test(address);
            now.put(
                address, free ? HandshakeState.READY_FOR_RELEASE : HandshakeState.DO_NOT_RELEASE);
          } else if (state == HandshakeState.RELEASED && !pooled) {
            now.remove(address);
          }
          boolean ready = now.get(address) == HandshakeState.READY_FOR_RELEASE;
          boolean refused = now.get(address) == HandshakeState.DO_NOT_RELEASE;
          if (ready || (promised.contains(address) && !refused)) {
            promises.add(address);
          }
        });
    return new ModelAgent(newest, now, promises);
  }

  @Override
  public boolean mayGive(IpAddress address) {
    return view.pool().contains(address)
        && !promised.contains(address)
        && Optional.ofNullable(view.releaseIps().get(address))
            .map(HandshakeState.DO_NOT_RELEASE::equals)
            .orElse(true);
  }

  @Override
  public SortedMap<IpAddress, HandshakeState> answers() {
    return answers;
  }

  @Override
  public int memory(IpAddress address) {
    return promised.contains(address) ? 1 : 0;
  }
}
