package io.tidemark.datastore.cloud;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.Assignment;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The pods of a node, which come and go at random, and what the kubelet does with them. */
public final class RandomPods {
  /** After so long without an answer a sandbox is given up and deleted. */
  private static final long DEADLINE = Duration.ofSeconds(10).toNanos();

  private final PoolWorld world;
  private final PoolChecks checks;
  private final Random random;
  private final int max;
  private final Map<String, Pod> pods = new TreeMap<>();
  private int names;
  private int grants;

  private enum Phase {
    WAITING,
    ADDING,
    RUNNING,
    DELETING,
    GONE
  }

  /** The kubelet's steps for one pod. */
  private static final class Pod {
    private final String name;
    private Phase phase = Phase.WAITING;
    private IpAddress address = IpAddress.parse("0.0.0.0");
    private int sandbox;
    private long next;
    private boolean ends;

    private Pod(String name) {
      this.name = name;
    }

    private IpamKey key() {
      return new IpamKey("aws-cni", name + "-" + sandbox, "eth0");
    }
  }

  /**
   * No pods yet.
   *
   * @param max how many live at once
   */
  public RandomPods(PoolWorld world, PoolChecks checks, Random random, int max) {
    this.world = world;
    this.checks = checks;
    this.random = random;
    this.max = max;
  }

  /** How many addresses pods have got, so that a run that does nothing is noticed. */
  public int grants() {
    return grants;
  }

  /** Some begin, some end. */
  void churn() {
    long living = pods.values().stream().filter(pod -> !pod.ends).count();
    if (random.nextInt(4) == 0 && living < max) {
      String name = "pod-" + names++;
      pods.put(name, new Pod(name));
    }
    if (random.nextInt(living > max / 2 ? 5 : 12) == 0 && living > 0) {
      List<Pod> all = pods.values().stream().filter(pod -> !pod.ends).toList();
      all.get(random.nextInt(all.size())).ends = true;
    }
    if (random.nextInt(200) == 0) {
      pods.values().forEach(pod -> pod.ends = pod.ends || random.nextBoolean());
    }
  }

  /** All end. */
  void end() {
    pods.values().forEach(pod -> pod.ends = true);
  }

  /** The pods of an address that others remove do not live long. */
  public void removedByOthers(Cidr cidr) {
    checks.removedByOthers(cidr);
    for (Pod pod : pods.values()) {
      if (pod.phase == Phase.RUNNING && cidr.contains(pod.address)) {
        pod.ends = true;
      }
    }
  }

  /** The node gives something back to the cloud. */
  public void givenBack(Cidr cidr) {
    checks.givenBack(cidr, running());
  }

  private Map<String, IpAddress> running() {
    Map<String, IpAddress> running = new TreeMap<>();
    pods.values().stream()
        .filter(pod -> pod.phase == Phase.RUNNING)
        .forEach(pod -> running.put(pod.name, pod.address));
    return running;
  }

  /** Those without an address, with what they wait for. */
  List<String> waiting() {
    return pods.values().stream()
        .filter(pod -> pod.phase != Phase.RUNNING)
        .map(pod -> pod.name + " " + pod.phase)
        .toList();
  }

  /** Does what is due. */
  void kubelet() {
    long now = world.time().nanos();
    for (Pod pod : List.copyOf(pods.values())) {
      if (now < pod.next) {
        continue;
      }
      switch (pod.phase) {
        case WAITING -> {
          if (pod.ends) {
            pods.remove(pod.name);
          } else if (world.serves()) {
            add(pod);
          }
        }
        case ADDING, DELETING -> delete(pod);
        case RUNNING -> {
          if (pod.ends) {
            delete(pod);
          }
        }
        case GONE -> pods.remove(pod.name);
      }
    }
  }

  private void add(Pod pod) {
    pod.phase = Phase.ADDING;
    pod.sandbox++;
    call(
        pod,
        world.store().assign(pod.key(), new IpamMetadata("default", pod.name, 1), IpFamily.IPV4),
        outcome -> {
          if (outcome instanceof AssignOutcome.Granted granted) {
            granted(pod, granted);
          } else {
            pod.phase = Phase.WAITING;
            pod.next = world.time().nanos() + Duration.ofSeconds(2 + random.nextInt(5)).toNanos();
          }
        });
  }

  private void granted(Pod pod, AssignOutcome.Granted granted) {
    grants++;
    checks.granted(pod.name, granted, running());
    pod.address = granted.assignment().address();
    pod.ends = pod.ends || checks.isTouchedByOthers(pod.address);
    pod.phase = Phase.RUNNING;
  }

  private void delete(Pod pod) {
    pod.phase = Phase.DELETING;
    call(
        pod,
        world.store().release(pod.key()),
        outcome -> {
          if (outcome instanceof StoreReleaseOutcome.Released freed) {
            freed.assignments().stream().map(Assignment::address).forEach(checks::released);
          }
          if (!(outcome instanceof StoreReleaseOutcome.Refused)) {
            pod.phase = pod.ends ? Phase.GONE : Phase.WAITING;
          }
        });
  }

  private <T> void call(Pod pod, CompletionStage<T> stage, Consumer<T> handler) {
    int sandbox = pod.sandbox;
    Phase phase = pod.phase;
    pod.next = world.time().nanos() + DEADLINE;
    stage.thenAccept(
        outcome -> {
          if (pod.sandbox == sandbox && pod.phase == phase) {
            pod.next = world.time().nanos();
            handler.accept(outcome);
          }
        });
    world.loop().request();
  }
}
