package io.tidemark.simulation.agent;

import io.tidemark.ip.IpAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pods of one node: who holds which address, and who waits for one, in order of arrival. Tells
 * the world's ledger of every change. Used by the simulation's thread alone.
 */
final class AgentPods {
  private final AgentWorld world;
  private final String instanceId;
  private final SortedMap<IpAddress, Pod> used = new TreeMap<>();
  private final ArrayDeque<Pod> waiting = new ArrayDeque<>();
  private final List<Pod> pods = new ArrayList<>();
  private long usedChanges;

  AgentPods(AgentWorld world, String instanceId) {
    this.world = world;
    this.instanceId = instanceId;
  }

  SortedMap<IpAddress, Pod> used() {
    return Collections.unmodifiableSortedMap(used);
  }

  /** How often {@link #used} has changed. */
  long usedChanges() {
    return usedChanges;
  }

  int waiting() {
    return waiting.size();
  }

  /** Those that hold an address or wait for one. */
  List<Pod> all() {
    return Collections.unmodifiableList(pods);
  }

  /** A pod comes and waits. */
  void arrive(Pod pod) {
    pods.add(pod);
    waiting.add(pod);
  }

  /** A pod goes; the address that it had, which is free now. */
  Optional<IpAddress> leave(Pod pod) {
    pod.leave();
    pods.remove(pod);
    Optional<IpAddress> address = pod.address();
    if (address.isEmpty()) {
      waiting.remove(pod);
    } else {
      used.remove(address.get());
      usedChanges++;
      pod.holds(null);
      world.ledger().givenBack(instanceId, address.get());
    }
    return address;
  }

  /** Those that wait ask for an address; of one pool none is left after the first refusal. */
  void serve(AgentProcess process, boolean multiPool) {
    int before = waiting.size();
    for (Iterator<Pod> each = waiting.iterator(); each.hasNext(); ) {
      Pod pod = each.next();
      Optional<IpAddress> address = process.next(pod);
      if (address.isPresent()) {
        each.remove();
        used.put(address.get(), pod);
        usedChanges++;
        pod.holds(address.get());
        world.ledger().taken(instanceId, address.get(), pod);
      } else if (!multiPool) {
        break;
      }
    }
    if (waiting.size() < before) {
      tellWaiting();
    }
  }

  /** Tells the ledger how many pods wait. */
  void tellWaiting() {
    world.ledger().waiting(instanceId, waiting.size());
  }

  /** The instance is gone, and every pod with it. */
  void endAll() {
    for (Pod pod : pods) {
      pod.leave();
    }
    pods.clear();
    waiting.clear();
    for (IpAddress address : List.copyOf(used.keySet())) {
      used.remove(address);
      usedChanges++;
      world.ledger().givenBack(instanceId, address);
    }
    tellWaiting();
  }
}
