/**
 * Runs in: agent.
 *
 * <p>The node's own half of the address management: which pod has which address.
 *
 * <p>Looks wrong, is right: every expected ending is a value, a {@code Denial} with a published
 * code; nothing here throws because an address is taken.
 *
 * <p>Read {@link io.tidemark.agent.Allocator} first.
 */
@NullMarked
package io.tidemark.agent;

import org.jspecify.annotations.NullMarked;
