/**
 * Runs in: operator and ipamd.
 *
 * <p>What an instance can learn about itself from its metadata service. Read {@link
 * io.tidemark.provider.aws.metadata.InstanceMetadata} first.
 */
@NullMarked
package io.tidemark.provider.aws.metadata;

import org.jspecify.annotations.NullMarked;
