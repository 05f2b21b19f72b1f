/**
 * Runs in: operator and ipamd.
 *
 * <p>What must be known before EC2 can be asked: region, name of the cluster, account of the
 * instances. It is found out with the first request, through the same door, and tried again with
 * the next one when it failed. Read {@link io.tidemark.provider.aws.start.StartupDiscovery} first.
 */
@NullMarked
package io.tidemark.provider.aws.start;

import org.jspecify.annotations.NullMarked;
