/**
 * Runs in: the build alone.
 *
 * <p>Tables of what is allocated again after a restart.
 */
@NullMarked
package io.tidemark.agent.restore;

import org.jspecify.annotations.NullMarked;
