/**
 * Runs in: ipamd.
 *
 * <p>What a node has in EC2, for its stores, and what the host needs before pods can use it.
 *
 * <p>Read {@link io.tidemark.daemon.ipamd.cloud.Ec2Interfaces} first.
 */
@NullMarked
package io.tidemark.daemon.ipamd.cloud;

import org.jspecify.annotations.NullMarked;
