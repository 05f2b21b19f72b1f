package io.tidemark.nodeid.plan;

import io.tidemark.nodeid.NodeIdError;

/**
 * A problem of a node.
 *
 * @param value the id, CIDR or address, as the node has it
 * @param detail what is wrong, with the value and without a full stop
 */
public record NodeIdFinding(String node, NodeIdError code, String value, String detail) {}
