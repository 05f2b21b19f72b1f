/**
 * Runs in: operator and ipamd.
 *
 * <p>What instance types can carry: what the settings say, else what EC2 says of the types in use,
 * else the table that is shipped. Read {@link io.tidemark.provider.aws.limits.InstanceTypeLimits}
 * first.
 */
@NullMarked
package io.tidemark.provider.aws.limits;

import org.jspecify.annotations.NullMarked;
