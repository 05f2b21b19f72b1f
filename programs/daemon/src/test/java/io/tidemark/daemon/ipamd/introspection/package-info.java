/**
 * Runs in: the build alone.
 *
 * <p>The documents of real stores in virtual time.
 */
@NullMarked
package io.tidemark.daemon.ipamd.introspection;

import org.jspecify.annotations.NullMarked;
