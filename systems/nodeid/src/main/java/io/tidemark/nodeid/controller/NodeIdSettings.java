package io.tidemark.nodeid.controller;

import io.tidemark.nodeid.NodeIdSubnets;
import java.time.Duration;

/**
 * How a controller behaves.
 *
 * @param subnets what follows from ids
 * @param cooldown how long a node must be gone before its id may go to another
 * @param writesPodCidr whether the pod subnet is written as the pod CIDR of the node
 * @param parallelRequests reads and writes in flight at once, 1 or more
 * @param requestTimeout bound of one request
 */
public record NodeIdSettings(
    NodeIdSubnets subnets,
    Duration cooldown,
    boolean writesPodCidr,
    int parallelRequests,
    Duration requestTimeout) {}
