package io.tidemark.kubernetes.backend;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidemark.cluster.Backend;
import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.kubernetes.KubernetesKey;
import io.tidemark.kubernetes.backend.ClusterBackend.Opened;
import java.util.List;
import java.util.function.Supplier;

/**
 * The nodes of a cluster as the backend of a system: CiliumNodes for an engine. When it is opened,
 * it watches nodes and pods and requests the lease, if there is one; the engine begins when the
 * lease is acquired and all nodes were listed after that.
 */
public final class KubernetesBackend {
  private KubernetesBackend() {}

  /** Opens its own connection; the settings decide whether it needs a lease. */
  public static NodeBackend.Opener connecting(ClusterAccess access) {
    return new Opener(() -> ClusterConnection.open(access), true, true);
  }

  /**
   * As {@link #connecting}, for a system that does not ask which pods wait, and that lists the
   * nodes itself when it begins.
   */
  public static NodeBackend.Opener withoutPods(ClusterAccess access) {
    return new Opener(() -> ClusterConnection.open(access), true, false);
  }

  /** The action of the program of a node when the node has no object. */
  public enum WhenAbsent {
    /** Waits for one. */
    WAIT,
    /** Creates one, owned by the Kubernetes Node; others give it addresses. */
    CREATE,
    /** Creates one with {@code spec.podCIDRs} of the Kubernetes Node. */
    CREATE_WITH_POD_CIDRS
  }

  /**
   * The object of the node {@code name} alone, for the program of that node: no lease, no pods, no
   * other nodes. Opens its own connection; the user agent is the field manager, too. A backend that
   * only reads creates nothing.
   */
  public static NodeBackend.Opener ofNode(
      String name, WhenAbsent whenAbsent, ClusterAccess access) {
    return environment ->
        new NodeObjectBackend(
            name,
            access.userAgent(),
            environment.readOnly() ? WhenAbsent.WAIT : whenAbsent,
            ClusterConnection.open(access),
            environment);
  }

  /**
   * Over a client of the embedding program, which closes it after the engine. There is no lease:
   * the program starts the engine only while it is the leader, or runs once.
   */
  public static NodeBackend.Opener sharing(KubernetesClient client) {
    return new Opener(() -> ClusterConnection.of(client), false, true);
  }

  /** As {@link #sharing}, but with our lease, unless the settings turn it off. */
  public static NodeBackend.Opener sharingWithLease(KubernetesClient client) {
    return new Opener(() -> ClusterConnection.of(client), true, true);
  }

  /** The Kubernetes Nodes of a cluster, over a connection of its own. */
  public static ClusterNodeBackend.Opener ofClusterNodes(ClusterAccess access) {
    return environment -> KubernetesNodeBackend.open(opened(access, environment));
  }

  /** As {@link #ofClusterNodes}, with claims as Leases of {@code namespace}. */
  public static ClaimBackend.Opener withClaims(String namespace, ClusterAccess access) {
    return environment -> KubernetesClaimBackend.open(opened(access, environment), namespace);
  }

  /**
   * As {@link #withClaims}, for the program of one node, which asks for single objects: no lease,
   * no watch. Opens its own connection.
   */
  public static ClaimBackend.Opener askedForClaims(String namespace, ClusterAccess access) {
    return environment ->
        new NodeClaimBackend(
            ClusterConnection.open(access), namespace, environment.scheduler().time());
  }

  private static Opened opened(ClusterAccess access, Backend.Environment environment) {
    return new Opened(ClusterConnection.open(access), config(environment.settings()), environment);
  }

  private static KubernetesConfig config(ConfigSource settings) {
    ConfigProblems problems = new ConfigProblems();
    KubernetesConfig config = KubernetesConfig.read(settings, problems);
    problems.throwIfAny();
    return config;
  }

  private record Opener(Supplier<ClusterConnection> connection, boolean mayElect, boolean forEngine)
      implements NodeBackend.Opener {
    @Override
    public NodeBackend open(Backend.Environment environment) {
      KubernetesConfig config = config(environment.settings());
      return new CiliumNodeBackend(
          new Opened(connection.get(), mayElect ? config : config.withoutElection(), environment),
          forEngine);
    }

    @Override
    public List<Option<?>> settings() {
      return KubernetesKey.all();
    }

    @Override
    public void check(ConfigSource settings, ConfigProblems problems) {
      KubernetesConfig.read(settings, problems);
    }
  }
}
