package io.tidemark.provider.aws.ec2;

import java.time.Duration;
import java.util.Optional;

/**
 * EC2 that is asked whether it would do something, and does nothing. Every method of the two ends
 * with {@link Ec2Failure}: {@link Ec2Condition#PERMITTED} when it would have been done. Where one
 * answers, the endpoint knows no dry runs; then nothing but reads may be tried. Thread-safe.
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
   * How far EC2's clock is ahead of ours, negative when ours is ahead, to the second; of the answer
   * that came fastest. Empty while nothing answered.
   */
  public Optional<Duration> clockSkew() {
    return requests.clockSkew();
  }
}
