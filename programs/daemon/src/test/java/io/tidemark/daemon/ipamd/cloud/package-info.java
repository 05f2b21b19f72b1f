/**
 * Runs in: the build alone.
 *
 * <p>Requests of the plugin on real stores in virtual time.
 */
@NullMarked
package io.tidemark.daemon.ipamd.cloud;

import org.jspecify.annotations.NullMarked;
