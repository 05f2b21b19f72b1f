/**
 * Runs in: the build alone.
 *
 * <p>Real sockets: {@code RawClient} is a client in the place of the plugin.
 */
@NullMarked
package io.tidemark.daemon.socket;

import org.jspecify.annotations.NullMarked;
