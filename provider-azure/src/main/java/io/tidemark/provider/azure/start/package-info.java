/**
 * Runs in: operator.
 *
 * <p>What must be known before Azure can be asked: the cloud. It is found out with the first
 * request, and tried again with the next one when it failed. Read {@link
 * io.tidemark.provider.azure.start.CloudDiscovery} first.
 */
@NullMarked
package io.tidemark.provider.azure.start;

import org.jspecify.annotations.NullMarked;
