package io.tidemark.provider.aws.ec2;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * EC2 with dry runs only. Every method of the two throws {@link Ec2Failure}: {@link
 * Ec2Condition#PERMITTED} if the request would succeed. If one returns, the endpoint does not
 * support dry runs; then only reads may be sent. Thread-safe.
 *
 * @param instances as the account of the instances
 * @param network as the account of VPC and subnets, which may be the same
 * @param clockSkew how far EC2's clock is ahead of ours, in whole seconds, by the fastest response;
 *     negative if ours is ahead, empty before the first response
 */
public record DryRuns(Ec2Api instances, Ec2Api network, Supplier<Optional<Duration>> clockSkew) {}
