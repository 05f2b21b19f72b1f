package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.ledger.ClusterCidrs;
import java.time.Duration;

/**
 * How a controller behaves.
 *
 * @param cidrs the ranges
 * @param cooldown how long a node must be absent before its blocks may go to another
 * @param strictStart whether a problem with a CIDR of a node ends the start
 * @param parallelRequests reads and writes of nodes that are in flight at once, 1 or more
 * @param requestTimeout bound of one request
 * @param manager by which the server records our writes; another one is a second allocator
 */
public record ControllerSettings(
    ClusterCidrs cidrs,
    Duration cooldown,
    boolean strictStart,
    int parallelRequests,
    Duration requestTimeout,
    String manager) {
  /** As many requests at once as the Kubernetes controller manager has workers. */
  public static final int USUAL_PARALLELISM = 30;
}
