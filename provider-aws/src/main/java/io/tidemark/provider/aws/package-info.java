/**
 * Runs in: operator and ipamd.
 *
 * <p>The provider for Amazon EC2: pod addresses on network interfaces of the nodes' instances. Its
 * settings are here, the door to EC2 is in {@code ec2}, the decisions and sagas are in {@code eni},
 * what instance types can carry is in {@code limits}, what is asked before anything else in {@code
 * start}.
 *
 * <p>Read {@link io.tidemark.provider.aws.AwsProviderFactory} first; a program that works for its
 * own instance alone begins at {@link io.tidemark.provider.aws.AwsInstance}.
 */
@NullMarked
package io.tidemark.provider.aws;

import org.jspecify.annotations.NullMarked;
