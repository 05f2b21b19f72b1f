/**
 * Runs in: the build alone.
 *
 * <p>Commands on real sockets and folders.
 */
@NullMarked
package io.tidemark.daemon;

import org.jspecify.annotations.NullMarked;
