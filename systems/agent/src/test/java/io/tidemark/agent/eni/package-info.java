/**
 * Runs in: the build alone.
 *
 * <p>Tables of the blocks of interfaces.
 */
@NullMarked
package io.tidemark.agent.eni;

import org.jspecify.annotations.NullMarked;
