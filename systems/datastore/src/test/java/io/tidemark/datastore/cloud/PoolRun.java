package io.tidemark.datastore.cloud;

import io.tidemark.datastore.DataStore;
import io.tidemark.time.VirtualTime;
import java.time.Duration;

/** Pods come and go on a node in trouble; then all is well and it comes to rest. */
public final class PoolRun {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration REST = Duration.ofMinutes(10);

  /** Within so long all pods are deleted. */
  private static final Duration ENDED = Duration.ofSeconds(20);

  private final PoolWorld world;
  private final RandomPods pods;
  private final PoolChecks checks;

  /** Further events. */
  public interface Trouble {
    /** Others may change something; once a second while pods come and go. */
    void second();

    /** From now on all is well. */
    void end();
  }

  public PoolRun(PoolWorld world, RandomPods pods, PoolChecks checks) {
    this.world = world;
    this.pods = pods;
    this.checks = checks;
  }

  /**
   * Runs it; the first violation, empty when there is none.
   *
   * @param churn how long pods come and go
   * @param settle how long the node may need to come to rest
   */
  public String run(Duration churn, Duration settle, Trouble trouble) {
    seconds(
        churn,
        () -> {
          pods.churn();
          trouble.second();
        });
    trouble.end();
    seconds(settle, () -> {});
    int changes = world.changes().size();
    seconds(REST, () -> {});
    if (checks.violation().isEmpty()) {
      checks.atRest(changes, pods.waiting());
    }
    return checks.violation().orElse("");
  }

  /** After a run: all pods end, and what they had is free in the end; the first violation. */
  String withoutPods() {
    pods.end();
    DataStore store;
    do { // what a program finds at its start cools anew
      store = world.store();
      seconds(world.cooldown().period().plus(ENDED), () -> {});
    } while (store != world.store());
    if (checks.violation().isEmpty()) {
      checks.without(pods.waiting());
    }
    return checks.violation().orElse("");
  }

  private void seconds(Duration lasting, Runnable each) {
    VirtualTime time = world.time();
    long end = time.nanos() + lasting.toNanos();
    while (checks.violation().isEmpty() && time.nanos() < end) {
      each.run();
      pods.kubelet();
      time.runUntil(time.nanos() + SECOND.toNanos());
      checks.always();
    }
  }
}
