/**
 * Runs in: agent.
 *
 * <p>Mode {@code delegated-plugin}: a plugin of the data path gives pods their addresses, and the
 * agent has none. Every request for one is refused; a release succeeds, as everywhere.
 *
 * <p>Read {@link io.tidemark.agent.delegated.DelegatedAllocator} first.
 */
@NullMarked
package io.tidemark.agent.delegated;

import org.jspecify.annotations.NullMarked;
