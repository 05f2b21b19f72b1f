/**
 * Runs in: command line.
 *
 * <p>Reads what a cluster has of the operator that Tidemark can replace.
 *
 * <p>Read {@link io.tidemark.kubernetes.migration.MigrationFacts} first.
 */
@NullMarked
package io.tidemark.kubernetes.migration;

import org.jspecify.annotations.NullMarked;
