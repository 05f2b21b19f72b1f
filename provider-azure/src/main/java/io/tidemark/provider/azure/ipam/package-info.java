/**
 * Runs in: operator.
 *
 * <p>Addresses of pods on Azure: {@code ConfigurationWrite} is the one way in which configurations
 * are added and removed, {@code ArmCalls} its requests.
 */
@NullMarked
package io.tidemark.provider.azure.ipam;

import org.jspecify.annotations.NullMarked;
