package io.tidemark.it.engine;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.ip.IpAddress;
import io.tidemark.it.cluster.SteppedAgent;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An agent that writes its status as fast as the server answers: a few milliseconds apart. It gives
 * addresses to as many pods as are wanted, answers the handshake, says something new each time, and
 * looks whether what it said last still stands.
 */
final class StormingAgent implements AutoCloseable {
  private static final int CONFLICT = 409;

  private final CiliumNodes nodes;
  private final String node;
  private final Thread thread = new Thread(this::run, "storming agent");
  private final SteppedAgent agent;
  private final List<String> lost = new CopyOnWriteArrayList<>();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger conflicts = new AtomicInteger();
  private Map<IpAddress, UsedAddress> saidUsed = Map.of();
  private Map<IpAddress, HandshakeState> saidStates = Map.of();
  private int turn;
  private volatile int wanted;
  private volatile int holding;
  private volatile boolean ended;

  StormingAgent(CiliumNodes nodes, String node) {
    this.nodes = nodes;
    this.node = node;
    this.agent = new SteppedAgent(node, Map.of(), 0);
    thread.start();
  }

  /** Pods that shall have an address from now on. */
  void wants(int pods) {
    wanted = pods;
  }

  /** Whether as many pods as wanted have an address, and the server knows. */
  boolean isServed() {
    return holding == wanted;
  }

  /** The statements that it did not find again. */
  List<String> lost() {
    return List.copyOf(lost);
  }

  /** Writes of it that the server took. */
  int writes() {
    return writes.get();
  }

  /** Writes of it that came too late. */
  int conflicts() {
    return conflicts.get();
  }

  private void run() {
    try {
      while (!ended) {
        turn();
      }
    } catch (RuntimeException | Error e) {
      lost.add(e.toString());
    }
  }

  private void turn() {
    NodeResource now = nodes.node(node);
    look(now);
    agent.applied(now);
    for (IpAddress each : List.copyOf(agent.used().keySet())) {
      if (agent.used().size() > wanted) {
        agent.ends(each);
      }
    }
    turn++;
    while (agent.used().size() < wanted && agent.starts(pod())) {
      // as many as there are addresses for
    }
    List.copyOf(agent.used().keySet()).forEach(each -> agent.renamed(each, pod()));
    NodeResource said = agent.applied(now);
    try {
      nodes.writeStatus(said);
    } catch (KubernetesClientException e) {
      if (e.getCode() != CONFLICT) {
        throw e;
      }
      conflicts.incrementAndGet();
      return;
    }
    saidUsed = said.usedEntries();
    saidStates = said.releaseIps();
    holding = agent.used().size();
    writes.incrementAndGet();
  }

  private String pod() {
    return "default/pod-" + turn;
  }

  private void look(NodeResource now) {
    if (!saidUsed.equals(now.usedEntries())) {
      lost.add("used: said " + saidUsed + ", found " + now.usedEntries());
    }
    saidStates.forEach(
        (address, said) -> {
          HandshakeState found = now.releaseIps().get(address);
          boolean follows = found == null || found == said || found == HandshakeState.RELEASED;
          if (said == HandshakeState.READY_FOR_RELEASE && !follows) {
            lost.add(address + ": said " + said + ", found " + found);
          }
        });
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
