/**
 * Runs in: the build alone.
 *
 * <p>When a connection counts as dead, in virtual time.
 */
@NullMarked
package io.tidemark.kubernetes.http;

import org.jspecify.annotations.NullMarked;
