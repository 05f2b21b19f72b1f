package io.tidemark.provider.aws.ec2;

import java.time.Duration;
import java.util.Optional;

/**
 * EC2 with dry runs only. Every method of the two throws {@link Ec2Failure}: {@link
 * Ec2Condition#PERMITTED} if the request would succeed. If one returns, the endpoint does not
 * support dry runs; then only reads may be sent. Thread-safe.
 */
public final class DryRuns {
  private final Ec2Api instances;
  private final Ec2Api network;
  private final DryRunRequests requests;

  DryRuns(Ec2Api instances, Ec2Api network, DryRunRequests requests) {
    this.instances = instances;
    this.network = network;
    this.requests = requests;
  }

  /** As the account of the instances. */
  public Ec2Api instances() {
    return instances;
  }

  /** As the account of VPC and subnets, which may be the same. */
  public Ec2Api network() {
    return network;
  }

  /**
   * How far EC2's clock is ahead of ours, in whole seconds, by the fastest response; negative if
   * ours is ahead. Empty before the first response.
   */
  public Optional<Duration> clockSkew() {
    return requests.clockSkew();
  }
}
