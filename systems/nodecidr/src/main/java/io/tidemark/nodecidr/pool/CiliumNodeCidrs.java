package io.tidemark.nodecidr.pool;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.DistinctNodes;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.IpFormatException;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * CiliumNodes as nodes with CIDRs: those of {@code spec.ipam.podCIDRs}. Thread-safe.
 *
 * <p>A change is written on the version that was read, so it reaches no other incarnation and no
 * object that has changed since; after a conflict the object is read and the change applied again.
 * It adds CIDRs of the families that an object lacks, and never changes or removes one.
 *
 * <p>An object that {@code ipam.cilium.io/ignore} exempts is shown with the CIDRs that it has, and
 * never written; without CIDRs it is not shown at all.
 */
public final class CiliumNodeCidrs implements ClusterNodeStore {
  private final NodeResourceStore store;
  private final int attempts;
  private final ObjectWatcher<NodeResource> beside;

  /**
   * Of a store that nobody else watches; {@code beside} is shown the objects before the watcher. A
   * change is applied to so many versions ({@code sync-attempts}), 1 or more.
   */
  public CiliumNodeCidrs(
      NodeResourceStore store, int attempts, ObjectWatcher<NodeResource> beside) {
    this.store = store;
    this.attempts = attempts;
    this.beside = beside;
  }

  @Override
  public Optional<ClusterNode> latest(String name) {
    return store.latest(name).flatMap(this::shown);
  }

  @Override
  public List<String> names() {
    return store.names().stream()
        .filter(name -> store.latest(name).filter(CiliumNodeCidrs::isShown).isPresent())
        .toList();
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> watcher) {
    return store.watch(new Shown(new DistinctNodes(watcher)));
  }

  @Override
  public Reading get(String name) {
    return store
        .get(name)
        .match(
            found -> shown(found).<Reading>map(Reading.Found::new).orElseGet(Reading.Absent::new),
            Reading.Absent::new,
            Reading.Absent::new,
            Reading.Absent::new,
            Reading.Failed::new,
            Reading.Failed::new);
  }

  /**
   * Adds those of the CIDRs whose family the object lacks; one that it has other CIDRs of is {@link
   * NodeChange.Occupied}, and so is an object that is to be ignored.
   */
  @Override
  public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
    if (cidrs.isEmpty()) {
      throw new IllegalArgumentException(cidrs + " is not one block per family, or more");
    }
    Optional<NodeResource> now = store.latest(name);
    for (int attempt = 0; attempt < attempts; attempt++) {
      if (now.isEmpty() || attempt > 0) {
        StoreResult read = store.get(name);
        if (!(read instanceof StoreResult.Stored stored)) {
          return unread(read);
        }
        now = Optional.of(stored.resource());
      }
      NodeResource node = now.get();
      if (!uid(node).equals(uid)) {
        return new NodeChange.Gone();
      }
      if (node.ignored()) {
        // No earlier request takes effect: this version is not one that it can be based on.
        return new NodeChange.Occupied("CiliumNode " + name + " is to be ignored");
      }
      List<String> has = node.podCidrs();
      if (areIn(has, cidrs)) {
        return new NodeChange.Accepted(view(node));
      }
      Optional<List<String>> both = plus(has, cidrs);
      if (both.isEmpty()) {
        return new NodeChange.Occupied("node " + name + " has " + node.podCidrs());
      }
      StoreResult written = store.update(node, node.withPodCidrs(both.get()));
      if (!(written instanceof StoreResult.Conflict)) {
        return ended(written);
      }
    }
    return new NodeChange.AskedToWait(
        "CiliumNode " + name + " was changed by others " + attempts + " times meanwhile");
  }

  /** Nothing was written since, or what was written was a conflict. */
  private static NodeChange unread(StoreResult read) {
    return read instanceof StoreResult.NotFound
        ? new NodeChange.Gone()
        : new NodeChange.AskedToWait(
            read instanceof StoreResult.Failed failed ? failed.detail() : read.toString());
  }

  private NodeChange ended(StoreResult written) {
    if (written instanceof StoreResult.Failed failed) {
      return switch (failed.effect()) {
        case ASKED_TO_WAIT -> new NodeChange.AskedToWait(failed.detail());
        case REFUSED -> new NodeChange.Refused(failed.detail());
        case UNKNOWN -> new NodeChange.Unknown(failed.detail());
      };
    }
    return written.match(
        stored -> new NodeChange.Accepted(view(stored)),
        () -> new NodeChange.Refused("the API server drops spec.ipam.podCIDRs; update the CRD"),
        () -> new NodeChange.AskedToWait("conflict"),
        NodeChange.Gone::new,
        NodeChange.Refused::new,
        NodeChange.Unknown::new);
  }

  /** A CiliumNode has no conditions. */
  @Override
  public NodeChange networkAvailable(String name, String uid) {
    return new NodeChange.Refused("a CiliumNode has no condition NetworkUnavailable");
  }

  @Override
  public boolean keepsConditions() {
    return false;
  }

  /** Ids of nodes are kept on Kubernetes Nodes. */
  @Override
  public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    ClusterNodeStore.requireOwnNames(annotations);
    return new NodeChange.Refused("the annotations of a CiliumNode are not written");
  }

  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return store.catchUp(effects);
  }

  @Override
  public long interruptions() {
    return store.interruptions();
  }

  private Optional<ClusterNode> shown(NodeResource node) {
    return isShown(node) ? Optional.of(view(node)) : Optional.empty();
  }

  private static boolean isShown(NodeResource node) {
    return !node.ignored() || !node.podCidrs().isEmpty();
  }

  /**
   * Who wrote the CIDRs is recorded of the newest version known, which has the same ones where it
   * matters. The writer of an object that is to be ignored does not matter: others assign it.
   */
  private ClusterNode view(NodeResource node) {
    return view(
        node,
        node.podCidrs().isEmpty() || node.ignored()
            ? Optional.empty()
            : store.lastWriter(node.name()).podCidrs());
  }

  /** The node as an object describes it, and who wrote its CIDRs, if that is known. */
  public static ClusterNode view(NodeResource node, Optional<String> writer) {
    List<String> cidrs = node.podCidrs();
    return new ClusterNode(
        node.name(),
        uid(node),
        node.resourceVersion(),
        node.created(),
        node.beingDeleted(),
        node.ignored(),
        new PodCidrs(cidrs.isEmpty() ? "" : cidrs.get(0), cidrs, writer),
        "",
        false,
        OptionalInt.empty(),
        Optional.empty(),
        Map.of(),
        ClusterNode.Scheduling.NONE);
  }

  private static String uid(NodeResource node) {
    return node.uid().orElse("");
  }

  /** Whether all of these are written, in whatever spelling. */
  private static boolean areIn(List<String> texts, List<Cidr> cidrs) {
    return texts.stream().flatMap(text -> read(text).stream()).toList().containsAll(cidrs);
  }

  /**
   * These texts as they are, and those CIDRs that are missing, IPv4 first. Empty when one is
   * missing whose family is written with another CIDR, or with a text that cannot be read and so
   * may be of any family.
   */
  private static Optional<List<String>> plus(List<String> texts, List<Cidr> cidrs) {
    List<String> all = new ArrayList<>(texts);
    for (Cidr each : cidrs) {
      if (!areIn(texts, List.of(each))) {
        if (texts.stream().anyMatch(text -> isOf(each.family(), text))) {
          return Optional.empty();
        }
        boolean first = !texts.isEmpty() && each.family() == IpFamily.IPV4;
        all.add(first ? 0 : all.size(), each.toString());
      }
    }
    return Optional.of(all);
  }

  private static boolean isOf(IpFamily family, String text) {
    return read(text).map(cidr -> cidr.family() == family).orElse(true);
  }

  private static Optional<Cidr> read(String text) {
    try {
      return Optional.of(Cidr.parseLenient(text));
    } catch (IpFormatException e) {
      return Optional.empty();
    }
  }

  private final class Shown implements NodeResourceStore.Watcher {
    private final ObjectWatcher<ClusterNode> watcher;

    Shown(ObjectWatcher<ClusterNode> watcher) {
      this.watcher = watcher;
    }

    @Override
    public void upserted(NodeResource node) {
      beside.upserted(node);
      shown(node).ifPresentOrElse(watcher::upserted, () -> watcher.deleted(node.name()));
    }

    @Override
    public void deleted(String name) {
      beside.deleted(name);
      watcher.deleted(name);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      watcher.refused(name, problems);
    }

    @Override
    public void synced() {
      watcher.synced();
    }
  }
}
