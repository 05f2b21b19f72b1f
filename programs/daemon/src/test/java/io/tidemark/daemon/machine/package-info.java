/**
 * Runs in: the build alone.
 *
 * <p>A metadata service on loopback, and lists of interfaces.
 */
@NullMarked
package io.tidemark.daemon.machine;

import org.jspecify.annotations.NullMarked;
