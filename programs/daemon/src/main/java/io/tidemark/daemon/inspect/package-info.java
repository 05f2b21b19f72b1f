/**
 * Runs in: ipamd.
 *
 * <p>What the file of a datastore says and what a start would make of it, without changing anything
 * and without naming a container.
 *
 * <p>Read {@link io.tidemark.daemon.inspect.CheckpointInspection} first.
 */
@NullMarked
package io.tidemark.daemon.inspect;

import org.jspecify.annotations.NullMarked;
