/**
 * Runs in: command line.
 *
 * <p>What must be done before Tidemark replaces the allocation of addresses by cilium-operator.
 *
 * <p>Read {@link io.tidemark.operator.migration.MigrationCheck} first.
 */
@NullMarked
package io.tidemark.operator.migration;

import org.jspecify.annotations.NullMarked;
