package io.tidemark.it.cluster;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The library of the agent for one node without a program around it: it takes in a version of the
 * object when it is told to, and says what to write. Its time stands still unless it is told to
 * pass, and released addresses do not cool. Not thread-safe.
 */
public final class SteppedAgent {
  private static final PoolName POOL = new PoolName("default");
  private static final Set<IpFamily> FAMILIES = Set.of(IpFamily.IPV4);
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final SortedMap<IpAddress, String> used = new TreeMap<>();
  private final VirtualTime time = new VirtualTime(0);
  private final CrdNode node;
  private final Ipam ipam;

  /**
   * An agent that has just started.
   *
   * @param held the addresses of pods that run already, with their names
   * @param seed where handing out begins
   */
  public SteppedAgent(String name, Map<IpAddress, String> held, long seed) {
    IpamBuilder builder =
        Ipam.builder(time, new Random(seed)).cooling(CoolingRule.OFF).defaultPool(POOL);
    node =
        CrdNode.of(
            new CrdNode.Settings(
                name, CrdMode.ENI, Optional.empty(), POOL, FAMILIES, GRACE, List.of()),
            LocalInterfaces.ALL,
            time,
            new Random(seed),
            builder);
    ipam = builder.build();
    node.serve(ipam);
    held.forEach((address, pod) -> granted(ipam.restore(address, pod, POOL), pod));
    node.restored();
  }

  /** The addresses of pods, with their names. */
  public SortedMap<IpAddress, String> used() {
    return Collections.unmodifiableSortedMap(used);
  }

  /** Takes in a version; the same with everything that the agent has to say in it. */
  public NodeResource applied(NodeResource version) {
    return node.applied(version);
  }

  /** Time passes. */
  public void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** Whether a pod gets an address. */
  public boolean starts(String pod) {
    Allocation next = ipam.allocateNext(IpFamily.IPV4, pod, POOL, UpstreamSync.NOW);
    return next instanceof Allocation.Granted && granted(next, pod);
  }

  private boolean granted(Allocation allocation, String pod) {
    if (!(allocation instanceof Allocation.Granted granted)) {
      throw new IllegalStateException(pod + ": " + allocation);
    }
    used.put(granted.result().ip(), pod);
    return true;
  }

  /** The pod that has an address ends. */
  public void ends(IpAddress address) {
    used.remove(address);
    ipam.release(address, POOL)
        .ifPresent(
            denial -> {
              throw new IllegalStateException(address + ": " + denial);
            });
  }

  /** Another pod has an address from now on. */
  public void renamed(IpAddress address, String pod) {
    ends(address);
    granted(ipam.restore(address, pod, POOL), pod);
  }
}
