/**
 * Runs in: the build alone.
 *
 * <p>Decisions about ids: tables, and random steps against the rules.
 */
@NullMarked
package io.tidemark.nodeid.claim;

import org.jspecify.annotations.NullMarked;
