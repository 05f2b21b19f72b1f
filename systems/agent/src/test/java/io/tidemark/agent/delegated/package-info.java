/**
 * Runs in: the build alone.
 *
 * <p>What an agent refuses that has no addresses.
 */
@NullMarked
package io.tidemark.agent.delegated;

import org.jspecify.annotations.NullMarked;
