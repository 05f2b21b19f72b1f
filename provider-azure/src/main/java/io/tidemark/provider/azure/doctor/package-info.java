/**
 * Runs in: operator.
 *
 * <p>What {@code doctor} looks at on Azure (Z50, Z51): credential, cloud, endpoint, clock, which
 * actions our roles grant where they are needed, and the free addresses of subnets. Every request
 * is a read. Read {@link io.tidemark.provider.azure.doctor.AzureCheckup} first.
 */
@NullMarked
package io.tidemark.provider.azure.doctor;

import org.jspecify.annotations.NullMarked;
