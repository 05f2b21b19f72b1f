package io.tidemark.manifests;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.DistinctNodes;
import io.tidemark.cluster.NodeChange;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FilePort;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Kubernetes Nodes ({@code v1 Node}) in a directory of manifests, or in a single file; see {@link
 * ManifestStore}. A change writes {@code spec.podCIDR} and {@code spec.podCIDRs} of a node that has
 * none, or annotations of this product, and nothing else. A node without uid is known by its name
 * alone.
 */
public final class DirectoryClusterNodeStore extends ManifestStore<ClusterNode>
    implements ClusterNodeStore {
  /** Reads of a file that others keep changing, before the caller is asked to wait. */
  private static final int ATTEMPTS_MAX = 5;

  private DirectoryClusterNodeStore(Opened<ClusterNode> opened) {
    super(opened);
  }

  /**
   * Opens a directory or a file and locks it, unless {@code options} are read-only. Blocks on the
   * file system. Throws {@link IpamException} with {@code STORE_UNREADABLE} when it does not exist,
   * {@code STORE_IN_USE} when another process uses it (the message has its id), {@code
   * STORE_UNWRITABLE} when the lock cannot be made.
   *
   * @param home a directory or a file
   * @param scheduler schedules scans and delayed writes
   * @param effects runs scans and delayed writes
   */
  public static DirectoryClusterNodeStore open(
      Path home, DirectoryOptions options, TaskScheduler scheduler, EffectRunner effects) {
    return open(home, options, scheduler, effects, new DiskFiles());
  }

  static DirectoryClusterNodeStore open(
      Path home,
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects,
      FilePort files) {
    return new DirectoryClusterNodeStore(
        opened(ManifestKind.NODE, home, options, scheduler, effects, files));
  }

  @Override
  public List<String> names() {
    return all().stream().map(ClusterNode::name).toList();
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> watcher) {
    return begin(new DistinctNodes(watcher));
  }

  @Override
  public Reading get(String name) {
    ObjectEnd<ClusterNode> end = read(name);
    if (end instanceof ObjectEnd.Stored<ClusterNode> stored) {
      return new Reading.Found(stored.object());
    }
    return end instanceof ObjectEnd.NotFound<ClusterNode>
        ? new Reading.Absent()
        : new Reading.Failed(detail(end));
  }

  @Override
  public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
    ClusterNodeStore.requireOnePerFamily(cidrs);
    PodCidrs wanted = PodCidrs.of(cidrs, "");
    return change(
        name,
        uid,
        node -> {
          if (node.podCidrs().isEmpty()) {
            return Optional.empty();
          }
          List<String> has = node.podCidrs().texts();
          return Optional.of(
              has.equals(wanted.all())
                  ? new NodeChange.Accepted(node)
                  : new NodeChange.Occupied("node " + name + " has " + has));
        },
        node -> node.withPodCidrs(wanted));
  }

  @Override
  public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    ClusterNodeStore.requireOwnNames(annotations);
    return change(
        seen.name(),
        seen.uid(),
        node ->
            node.version().equals(seen.version())
                ? Optional.empty()
                : Optional.of(
                    new NodeChange.AskedToWait("node " + node.name() + " has another version")),
        node -> node.withAnnotations(annotations));
  }

  /**
   * Changes a node.
   *
   * @param ending in place of a change of this version; empty to change it
   */
  private NodeChange change(
      String name,
      String uid,
      Function<ClusterNode, Optional<NodeChange>> ending,
      UnaryOperator<ClusterNode> change) {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      Optional<ClusterNode> now = latest(name);
      if (now.isEmpty() || attempt > 0) {
        ObjectEnd<ClusterNode> end = read(name);
        if (!(end instanceof ObjectEnd.Stored<ClusterNode> stored)) {
          return notStored(end);
        }
        now = Optional.of(stored.object());
      }
      ClusterNode node = now.get();
      if (!node.uid().equals(uid)) {
        return new NodeChange.Gone();
      }
      Optional<NodeChange> instead = ending.apply(node);
      if (instead.isPresent()) {
        return instead.get();
      }
      ObjectEnd<ClusterNode> end = write(name, node.version(), change);
      if (end instanceof ObjectEnd.Stored<ClusterNode> stored) {
        return new NodeChange.Accepted(stored.object());
      }
      if (!(end instanceof ObjectEnd.Conflict<ClusterNode>)) {
        return notStored(end);
      }
    }
    return new NodeChange.AskedToWait(
        "the file of node " + name + " is being changed all the time");
  }

  /** Conditions are what a kubelet or a cloud reports; a manifest has none to be kept. */
  @Override
  public NodeChange networkAvailable(String name, String uid) {
    return new NodeChange.Refused("the status of a node in a file is not written");
  }

  @Override
  public boolean keepsConditions() {
    return false;
  }

  private static NodeChange notStored(ObjectEnd<ClusterNode> end) {
    if (end instanceof ObjectEnd.NotFound<ClusterNode>) {
      return new NodeChange.Gone();
    }
    return end instanceof ObjectEnd.Failed<ClusterNode>
        ? new NodeChange.Unknown(detail(end))
        : new NodeChange.Refused(detail(end));
  }

  private static String detail(ObjectEnd<ClusterNode> end) {
    if (end instanceof ObjectEnd.Refused<ClusterNode> refused) {
      return refused.detail();
    }
    return end instanceof ObjectEnd.Faulty<ClusterNode> faulty
        ? faulty.detail()
        : ((ObjectEnd.Failed<ClusterNode>) end).detail();
  }
}
