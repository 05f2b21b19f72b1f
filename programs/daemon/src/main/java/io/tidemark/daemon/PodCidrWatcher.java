package io.tidemark.daemon;

import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv6Address;
import io.tidemark.resource.NodeAddresses;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore.Watcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the blocks of the node's object. Those that it has first stay the agent's until it is
 * restarted; a later change is reported, because addresses of pods are of the first ones.
 */
final class PodCidrWatcher implements Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(PodCidrWatcher.class);

  private final String node;
  private final String place;
  private final Set<IpFamily> families;

  /** Empty when the agent is stopped before. */
  private final CompletableFuture<Optional<List<Cidr>>> first = new CompletableFuture<>();

  private boolean seen;
  private volatile String told;
  private volatile NodeAddresses addresses = NodeResource.named("").nodeAddresses();

  PodCidrWatcher(String node, String place, Set<IpFamily> families) {
    this.node = node;
    this.place = place;
    this.families = Set.copyOf(families);
    this.told = place + " was not read yet";
  }

  /**
   * Blocks the program's main thread until the object has blocks.
   *
   * @param trouble why the object cannot be read now
   * @return empty when the agent is to stop before
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES} when it has none within {@code
   *     limit}, or with {@code NODE_UNKNOWN} when there is no object
   */
  Optional<List<Cidr>> await(Duration limit, StopSignal stop, Supplier<List<String>> trouble)
      throws InterruptedException {
    stop.requested().thenRun(() -> first.complete(Optional.empty()));
    try {
      return first.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw StartWait.inVain(limit.toSeconds(), trouble.get(), told.equals(absent()), told);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the wait does not fail", e);
    }
  }

  /** The addresses of the node itself, as the object with the first blocks names them. */
  NodeAddresses addresses() {
    return addresses;
  }

  @Override
  public void upserted(NodeResource resource) {
    if (!resource.name().equals(node)) {
      return;
    }
    seen = true;
    List<Cidr> all = new ArrayList<>();
    for (String text : resource.podCidrs()) {
      Optional<Cidr> block =
          Cidr.tryParse(text)
              .filter(it -> !(it.network() instanceof Ipv6Address v6 && v6.isIpv4Mapped()));
      if (block.isEmpty()) {
        tell("spec.ipam.podCIDRs of node " + node + " has '" + text + "', which is not a CIDR");
        return;
      }
      all.add(block.get());
    }
    List<Cidr> used = new ArrayList<>();
    List<Cidr> unused = new ArrayList<>();
    for (IpFamily family : List.of(IpFamily.IPV4, IpFamily.IPV6)) {
      List<Cidr> own = all.stream().filter(each -> each.family() == family).toList();
      if (families.contains(family) && !own.isEmpty()) {
        used.add(own.get(0));
        unused.addAll(own.subList(1, own.size()));
      }
    }
    if (used.isEmpty()) {
      tell("spec.ipam.podCIDRs of node " + node + " is " + resource.podCidrs());
    } else {
      serve(List.copyOf(used), unused, resource.nodeAddresses());
    }
  }

  /** The first block of each family is used; {@code unused} are further blocks. */
  private void serve(List<Cidr> used, List<Cidr> unused, NodeAddresses ofTheNode) {
    addresses = first.isDone() ? addresses : ofTheNode;
    if (first.complete(Optional.of(used))) {
      if (!unused.isEmpty()) {
        LOG.warn("Only the first block of a family is used. unused={}", unused);
      }
    } else if (!first.join().equals(Optional.of(used))) {
      tell("spec.ipam.podCIDRs of node " + node + " gives " + used);
    } else {
      told = "";
    }
  }

  @Override
  public void deleted(String name) {
    if (name.equals(node)) {
      tell(absent());
    }
  }

  @Override
  public void refused(String name, List<ResourceProblem> problems) {
    if (name.equals(node)) {
      seen = true;
      ResourceProblem first = problems.get(0);
      tell("node " + node + " cannot be read: " + first.path() + " " + first.problem());
    }
  }

  @Override
  public void synced() {
    if (!seen) {
      tell(absent());
    }
  }

  private String absent() {
    return place + " has no node " + node;
  }

  /** Logs each state once, until there is another. */
  private void tell(String state) {
    if (state.equals(told)) {
      return;
    }
    told = state;
    if (first.isDone()) {
      LOG.warn(
          "The node's blocks changed. The agent serves those of its start; drain the node and"
              + " restart the agent. served={} now={}",
          first.join().map(List::toString).orElse("none"),
          state);
    } else {
      LOG.warn("The agent waits for the addresses of its node. cause={}", state);
    }
  }
}
