package io.tidemark.daemon;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.StartRule;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.daemon.machine.Machine;
import io.tidemark.error.IpamException;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of an agent whose pool is in the object of its node: it waits for the object, then for
 * addresses that can be handed out. Blocks the program's main thread, which alone uses it.
 */
final class PoolWait {
  private static final Logger LOG = LoggerFactory.getLogger(PoolWait.class);

  /** The facade has seen the object by then. */
  private static final long FACADE_MILLIS = 5000;

  private final NodeBackend nodes;
  private final AgentNode node;
  private final CrdMode mode;
  private final Machine machine;
  private final StartRule rule;
  private final Duration patience;
  private final StartWait wait;
  private final Settling settling;
  private String fewer = "";

  PoolWait(
      NodeBackend nodes,
      AgentNode node,
      CrdMode mode,
      Machine machine,
      StartRule rule,
      Duration patience,
      StopSignal stop) {
    this.nodes = nodes;
    this.node = node;
    this.mode = mode;
    this.machine = machine;
    this.rule = rule;
    this.patience = patience;
    this.wait = new StartWait(nodes, node, stop);
    this.settling = new Settling(patience);
  }

  /**
   * Waits until the object of this instance has as many addresses as the node must have, of one
   * family at least, or as many as the operator adds.
   *
   * @return the families that it has, of those asked for; empty when the agent is to stop before
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES} when patience ends
   */
  Optional<Set<IpFamily>> families(Set<IpFamily> wanted) throws InterruptedException {
    Set<IpFamily> found = EnumSet.noneOf(IpFamily.class);
    NodeResourceStore.Watch watch = nodes.store().watch(new Unheard());
    try {
      boolean served =
          wait.holds(
              () -> {
                object()
                    .ifPresent(it -> found.addAll(families(it, wanted, rule.required(it.ipam()))));
                if (found.isEmpty()
                    && isSettled(object().stream().mapToLong(PoolWait::count).sum())) {
                  object().ifPresent(it -> found.addAll(families(it, wanted, 1)));
                }
                return !found.isEmpty();
              },
              this::missingObject,
              patience.toMillis());
      return served ? Optional.of(found) : Optional.empty();
    } finally {
      watch.close();
    }
  }

  /** The object of this instance, if there is one now. */
  Optional<NodeResource> object() {
    return nodes.store().latest(node.name()).filter(it -> mode.isOf(machine.instance(), it));
  }

  private boolean isSettled(long now) {
    return settling.isSettled(now, wait.waitedMillis());
  }

  private static Set<IpFamily> families(NodeResource object, Set<IpFamily> wanted, int least) {
    Set<IpFamily> found = EnumSet.noneOf(IpFamily.class);
    wanted.stream().filter(family -> count(object, family) >= least).forEach(found::add);
    return found;
  }

  private static long count(NodeResource object) {
    return count(object, IpFamily.IPV4) + count(object, IpFamily.IPV6);
  }

  private static long count(NodeResource object, IpFamily family) {
    Set<IpAddress> ofTheNode = object.nodeAddresses().owners().keySet();
    return object.pool().addresses().toList().stream()
        .filter(
            ip ->
                ip.family() == family
                    && !object.releaseIps().containsKey(ip)
                    && !ofTheNode.contains(ip))
        .count();
  }

  private String missingObject() {
    return object().isPresent()
        ? "spec.ipam.pool of node " + node.name() + " has too few addresses"
        : wait.absent(machine);
  }

  /** The store reads while it is watched. */
  private static final class Unheard implements NodeResourceStore.Watcher {
    @Override
    public void upserted(NodeResource resource) {
      // the newest version is asked for
    }

    @Override
    public void deleted(String name) {
      // likewise
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      LOG.warn("An object cannot be read. node={} {}", name, problems.get(0));
    }

    @Override
    public void synced() {
      // likewise
    }
  }

  /**
   * Waits until as many of them can be handed out: their interfaces are in the status and here. If
   * the operator adds no more, those that can are enough.
   *
   * @return false when the agent is to stop before
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES} when patience ends
   */
  boolean usable(Ipam ipam, Set<IpFamily> families) throws InterruptedException {
    return wait.holds(
        () ->
            ipam.snapshot().size() == families.size() // a pool without addresses is not there
                && (missing(ipam).isEmpty() || servesFewer(ipam)),
        () -> missing(ipam).orElse("no address of the pool can be handed out"),
        Math.max(patience.toMillis(), wait.waitedMillis() + FACADE_MILLIS));
  }

  private boolean servesFewer(Ipam ipam) {
    long fewest = ipam.snapshot().stream().mapToLong(StartRule::usable).min().orElse(0);
    boolean all = isSettled(ipam.snapshot().stream().mapToLong(StartRule::usable).sum());
    Optional<NodeResource> object = object();
    if (fewest == 0 || !all || object.isEmpty()) {
      return false;
    }
    fewer = fewest + " of " + rule.required(object.get().ipam()) + " addresses";
    LOG.warn(
        "The agent serves {} that its node asks for: the operator adds no more. node={}",
        fewer,
        node.name());
    return true;
  }

  /** How many addresses it serves, if these are fewer than the node asks for; else empty text. */
  String fewer() {
    return fewer;
  }

  private Optional<String> missing(Ipam ipam) {
    return object()
        .map(it -> rule.missing(it.ipam(), ipam.snapshot()))
        .orElseGet(() -> Optional.of(missingObject()))
        .map(less -> less + ipam.unable().map(Denial::text).map(why -> "; " + why).orElse(""));
  }
}
