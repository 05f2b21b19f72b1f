/**
 * Runs in: operator.
 *
 * <p>The watermark loop: keeps every node's pool of pod addresses between its watermarks through a
 * provider of {@link io.tidemark.spi}. Decisions are pure functions over a snapshot ({@code
 * Watermarks}, {@code MaintenancePlanner}, {@code ReleaseHandshake}, {@code CidrRelease}); {@code
 * Node} acts, on a lane of its own; {@code NodeStatusWriter} alone writes the resource.
 *
 * <p>Looks wrong, is right: a pass that changed something is not followed by a describe (the answer
 * was applied already, only a lost or contradictory answer is read back); a node whose status write
 * failed leaves its spec alone; an address that is no longer attached is published as {@code
 * released} before it leaves the pool.
 *
 * <p>Read {@link io.tidemark.node.NodeManager} first, then the walk in docs/internals/walk.md.
 */
@NullMarked
package io.tidemark.node;

import org.jspecify.annotations.NullMarked;
