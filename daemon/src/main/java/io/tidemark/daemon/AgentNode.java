package io.tidemark.daemon;

import io.tidemark.cluster.NodeBackend;

/**
 * The node that an agent runs on.
 *
 * @param source opens what has its object
 * @param place of the object, for people
 */
record AgentNode(String name, NodeBackend.Opener source, String place) {}
