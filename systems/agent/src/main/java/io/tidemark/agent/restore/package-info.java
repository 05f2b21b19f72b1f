/**
 * Runs in: agent.
 *
 * <p>What an agent does between its start and its first request: the addresses that were in use
 * before are allocated again, so that no pod gets one of them (allocators 9).
 *
 * <p>Read {@link io.tidemark.agent.restore.Restoration} first.
 */
@NullMarked
package io.tidemark.agent.restore;

import org.jspecify.annotations.NullMarked;
