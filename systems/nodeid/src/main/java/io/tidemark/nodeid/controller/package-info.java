/**
 * Runs in: operator.
 *
 * <p>Gives each node of a cluster an id: claims it, writes what follows from it to the Node object,
 * and releases it a while after the node is gone. {@code nodeid.claim} decides, this package acts:
 * on lanes, one request at a time for each name.
 *
 * <p>Read {@link io.tidemark.nodeid.controller.NodeIdController} first.
 */
@NullMarked
package io.tidemark.nodeid.controller;

import org.jspecify.annotations.NullMarked;
