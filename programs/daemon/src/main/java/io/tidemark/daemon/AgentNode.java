package io.tidemark.daemon;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.NodeBackend;
import java.util.Optional;

/**
 * The node that an agent runs on.
 *
 * @param source opens what has its object
 * @param claims opens what has its Kubernetes Node and the claims of ids, if it needs an id
 * @param place of the object, for people
 */
record AgentNode(
    String name, NodeBackend.Opener source, Optional<ClaimBackend.Opener> claims, String place) {}
