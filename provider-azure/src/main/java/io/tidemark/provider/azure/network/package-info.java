/**
 * Runs in: operator.
 *
 * <p>The door to Azure Resource Manager: {@link io.tidemark.provider.azure.network.ArmApi} says
 * what is asked, {@link io.tidemark.provider.azure.network.PipelineArmApi} asks it over azure-core,
 * and {@link io.tidemark.provider.azure.network.ArmCallLimits} says how often and what errors mean.
 */
@NullMarked
package io.tidemark.provider.azure.network;

import org.jspecify.annotations.NullMarked;
