/**
 * Runs in: the build alone.
 *
 * <p>Tables of the node-local IPAM, and random operations against a naive model.
 */
@NullMarked
package io.tidemark.nodeid.local;

import org.jspecify.annotations.NullMarked;
