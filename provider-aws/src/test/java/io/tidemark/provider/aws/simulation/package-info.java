/**
 * Runs in: anywhere.
 *
 * <p>The simulated cluster on the AWS provider: the strict EC2 as a cloud of the simulation, random
 * clusters, crash points and planted bugs.
 *
 * <p>Read {@link io.tidemark.provider.aws.simulation.AwsSimulatedCloud} first.
 */
@NullMarked
package io.tidemark.provider.aws.simulation;

import org.jspecify.annotations.NullMarked;
