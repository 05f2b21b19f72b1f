package io.tidemark.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Tag("long")
@DisplayName("Operator, API server, EC2 and agents")
class WholePathTest {
  private static final int NODES = 4;
  private static final int ROUNDS = Integer.getInteger("tidemark.rounds", 4);
  private static final int PODS_MAX = 24;
  private static final Duration SLOW = Duration.ofMinutes(3);
  private static final String[] SETTINGS = {
    "--release-excess-ips=true",
    "--excess-ip-release-delay=1",
    "--eni-gc-interval=1m",
    "--leader-election-lease-duration=3s",
    "--leader-election-renew-deadline=2s",
    "--leader-election-retry-period=500ms"
  };

  @TempDir private Path folder;

  /** Every address that a pod holds is attached to its node's instance and held once. */
  private static void everyUsedAddressIsAttached(
      ClusterWorld world, List<ClusterAgent> agents, String when) {
    SortedMap<String, String> attached = world.addresses();
    Map<String, String> holders = new HashMap<>();
    for (ClusterAgent agent : agents) {
      for (Map.Entry<IpAddress, String> each : agent.used().entrySet()) {
        String address = each.getKey().toString();
        assertThat(holders.put(address, each.getValue())).as(when + ": " + address).isNull();
        assertThat(attached).as(when + ": in use by " + each.getValue()).containsKey(address);
      }
    }
  }

  /** The pool of each node is what EC2 has for it, and no interface is loose. */
  private static boolean poolsAreWhatEc2Has(ClusterWorld world) {
    SortedMap<String, String> pools = new TreeMap<>();
    for (String name : world.names()) {
      NodeResource node = world.nodes.node(name);
      node.pool()
          .byResource()
          .forEach((eni, addresses) -> addresses.forEach(each -> pools.put(each.toString(), eni)));
    }
    return pools.equals(world.addresses())
        && world.interfaces().stream().allMatch(each -> each.attachment() != null);
  }

  /** Restarts an operator that ended, as a Deployment does. */
  private static final class Supervisor {
    private final ClusterWorld world;
    private ClusterOperator operator;
    private int started;

    Supervisor(ClusterWorld world) throws IOException {
      this.world = world;
      this.operator = next();
    }

    private ClusterOperator next() throws IOException {
      return world.operator("operator-" + started++, SETTINGS);
    }

    void killed() throws Exception {
      operator.kill();
    }

    /** Ends it when it has begun; 1 is that of one whose lease ended at that moment. */
    void terminated() throws Exception {
      look();
      int code = operator.awaitLog("On standby for the lease").terminate();
      assertThat(code).as(operator.log()).isIn(0, 1);
    }

    void look() throws IOException {
      if (!operator.isAlive()) {
        operator = next();
      }
    }
  }

  private static void turns(
      Supervisor supervisor, List<ClusterAgent> agents, int[] wanted, String when) {
    Eventually.holds(
        "every pod has an address, " + when,
        SLOW,
        () -> {
          supervisor.look();
          boolean all = true;
          for (int i = 0; i < agents.size(); i++) {
            all &= agents.get(i).turn(wanted[i]);
          }
          return all;
        });
  }

  @Test
  @DisplayName("from upsert to filled pools, growth and release, while each part is restarted")
  void wholePath() throws Exception {
    long seed = Long.getLong("tidemark.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    String replay = "replay with -Dtidemark.seed=" + seed;
    try (ClusterWorld world =
        new ClusterWorld(folder, NODES, "\"pre-allocate\":3,\"max-above-watermark\":1")) {
      Supervisor supervisor = new Supervisor(world);
      List<ClusterAgent> agents = new ArrayList<>();
      for (String name : world.names()) {
        agents.add(new ClusterAgent(world.nodes, name, random.split()));
      }
      for (int round = 1; round <= ROUNDS; round++) {
        switch (random.nextInt(4)) {
          case 0 -> supervisor.killed();
          case 1 -> supervisor.terminated();
          case 2 -> {
            world.server.killApiServer();
            world.server.startApiServer();
          }
          default -> {
            // this round everything stays up
          }
        }
        String when = "round " + round + ", " + replay;
        turns(supervisor, agents, random.ints(NODES, 0, PODS_MAX + 1).toArray(), when);
        everyUsedAddressIsAttached(world, agents, when);
      }
      Eventually.holds(
          "what is not needed is given back, " + replay,
          SLOW,
          () -> {
            supervisor.look();
            agents.forEach(agent -> agent.turn(1));
            return world.addresses().size() <= NODES * (1 + 3 + 1) && poolsAreWhatEc2Has(world);
          });
      everyUsedAddressIsAttached(world, agents, "at the end, " + replay);
      assertThat(world.tagsOfMade("tidemark.io/cluster-id"))
          .as("M6, " + replay)
          .allMatch(world.uid()::equals);
      supervisor.terminated();
    }
  }
}
