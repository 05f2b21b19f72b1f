package io.tidemark.it.ipamd;

import io.tidemark.provider.aws.simulation.InstanceEc2;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Random;

/**
 * How EC2 itself goes wrong at random: errors, reads that lag behind, and times without answers.
 */
final class Ec2Faults implements CloudTemper {
  private static final int AWAY_SECONDS = 60;

  private final Random random;
  private final VirtualTime time;
  private boolean on = true;
  private long awayUntil = Long.MIN_VALUE / 2;
  private int refused;
  private int stale;

  Ec2Faults(Random random, VirtualTime time) {
    this.random = random;
    this.time = time;
  }

  boolean draw(int oneIn) {
    return on && random.nextInt(oneIn) == 0;
  }

  void end() {
    on = false;
  }

  /** EC2 answers nothing for a while. */
  void away() {
    awayUntil = time.nanos() + Duration.ofSeconds(random.nextInt(AWAY_SECONDS)).toNanos();
  }

  @Override
  public boolean refuses(String operation) {
    boolean refuses = on && (time.nanos() - awayUntil < 0 || random.nextInt(30) == 0);
    refused += refuses ? 1 : 0;
    return refuses;
  }

  @Override
  public Duration readLag() {
    if (!draw(3)) {
      return Duration.ZERO;
    }
    stale++;
    return Duration.ofMillis(random.nextInt((int) InstanceEc2.LAG_MAX.toMillis()));
  }

  int refused() {
    return refused;
  }

  int stale() {
    return stale;
  }
}
