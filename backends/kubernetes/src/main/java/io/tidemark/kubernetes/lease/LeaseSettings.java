package io.tidemark.kubernetes.lease;

import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeasePort;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The lease to use and how to hold it.
 *
 * @param namespace of the lease
 * @param name of the lease; all operators of one cluster use the same
 * @param identity of this process, unique
 */
public record LeaseSettings(String namespace, String name, String identity, LeaseTiming timing) {
  /** The lease's usual name. Each mode has its own, so that all can run in one cluster. */
  public static final String USUAL_NAME = "tidemark-operator";

  public static final String NODE_CIDR_NAME = "tidemark-node-cidr";
  public static final String NODE_ID_NAME = "tidemark-node-id";

  /**
   * A lease in the Kubernetes API, not read yet.
   *
   * @param effects runs its requests; must never be full, so it shares no pool with others
   * @param notes texts for the next leader, by name, as in {@link LeaderLease}
   */
  public LeaderLease lease(
      ClusterConnection cluster,
      TaskScheduler scheduler,
      EffectRunner effects,
      Supplier<Map<String, String>> notes) {
    LeasePort port = new LeaseRequests(cluster, namespace, name, scheduler.time());
    return new LeaderLease(port, identity, timing, scheduler, effects, notes);
  }
}
