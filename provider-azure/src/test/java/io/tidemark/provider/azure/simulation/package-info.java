/**
 * Runs in: anywhere.
 *
 * <p>The simulated cluster on the Azure provider: the strict Resource Manager as a cloud of the
 * simulation, random clusters, crash points, planted bugs and corrupted answers.
 *
 * <p>Read {@link io.tidemark.provider.azure.simulation.AzureSimulatedCloud} first.
 */
@NullMarked
package io.tidemark.provider.azure.simulation;

import org.jspecify.annotations.NullMarked;
