package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.cni.TestAgent.Reply;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An agent whose pools consist of CIDRs, killed at any change of its file")
class PoolAgentCrashTest {
  private static final int SEQUENCES = Integer.getInteger("tidemark.daemon.sequences", 15);
  private static final List<String> POOLS = List.of("default", "default", "mars");
  private static final Fault[] CRASHES = {
    Fault.CRASH_BEFORE, Fault.CRASH_INSIDE, Fault.CRASH_AFTER
  };

  private record Pod(String pool, Reply answer) {}

  private Random random = new Random(0);
  private TestPoolAgent agent = new TestPoolAgent();
  private final Map<String, Pod> pods = new LinkedHashMap<>();
  private int made;
  private int crashes;
  private int cidrs;
  private int givenBack;

  @Test
  @DisplayName(
      "A82 A87 A93 No pod loses its address, and none has one of a CIDR that was given back")
  void sequences() {
    for (int seed = 0; seed < SEQUENCES; seed++) {
      sequence(seed);
    }
    assertThat(crashes).as("crashes").isGreaterThan(6 * SEQUENCES);
    assertThat(givenBack).as("CIDRs given back").isGreaterThan(SEQUENCES);
  }

  private void sequence(int seed) {
    random = new Random(seed);
    agent =
        new TestPoolAgent(
            "ip-cooldown=" + (random.nextBoolean() ? "0s" : "20s"),
            "cni-add-wait=0s",
            "reclaim-quarantine=1m",
            "ipam-multi-pool-pre-allocation=default=" + random.nextInt(5));
    pods.clear();
    cidrs = 0;
    for (int step = 0; step < 60; step++) {
      String container = "c" + made++;
      String pool = POOLS.get(random.nextInt(POOLS.size()));
      armed();
      try {
        step(container, pool);
      } catch (Crash e) {
        crashes++;
        crashed(container, pool);
      }
      check(seed);
    }
  }

  private void armed() {
    if (random.nextInt(6) == 0) {
      int change = agent.files.changes().size() + random.nextInt(4);
      agent.files.fault(change, CRASHES[random.nextInt(3)], random.nextInt(300));
    }
  }

  private void step(String container, String pool) {
    agent.forgetAnswer();
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        Reply answer = agent.ask("ADD", container, pool);
        if (answer.succeeded()) {
          pods.put(container, new Pod(pool, answer));
        }
      }
      case 3, 4 -> delete();
      case 5, 6 -> serveDemand();
      default -> agent.pass(Duration.ofSeconds(random.nextInt(60)));
    }
  }

  private void delete() {
    List<String> all = new ArrayList<>(pods.keySet());
    if (!all.isEmpty()) {
      String gone = all.get(random.nextInt(all.size()));
      pods.remove(gone);
      agent.ask("DEL", gone, "");
    }
  }

  /** The operator gives as many CIDRs as are asked for, also such as came back a while ago. */
  private void serveDemand() {
    Map<String, Integer> demand = new TreeMap<>(agent.requested());
    demand.forEach(
        (pool, wanted) -> {
          List<String> cidrs = new ArrayList<>(agent.allocated(pool));
          int before = cidrs.size();
          for (int i = 0; cidrs.size() * 6 < wanted && i < 16; i++) {
            String next = (pool.equals("mars") ? "10.1.0." : "10.0.0.") + i * 8 + "/29";
            if (!cidrs.contains(next)) {
              cidrs.add(next);
            }
          }
          if (cidrs.size() > before) {
            agent.offer(pool, cidrs.toArray(String[]::new));
          } else {
            agent.pass(Duration.ofSeconds(16));
          }
        });
  }

  private void crashed(String container, String pool) {
    if (agent.answered().address().isEmpty()) {
      agent.restart();
      agent.ask("DEL", container, pool);
    } else if (!pods.containsKey(container)) {
      pods.put(container, new Pod(pool, agent.answered()));
      agent.restart();
    } else {
      agent.restart();
    }
    pods.forEach(
        (name, pod) ->
            assertThat(agent.ask("ADD", name, pod.pool()).address())
                .isEqualTo(pod.answer().address()));
  }

  private void check(int seed) {
    int now = agent.allocated("default").size() + agent.allocated("mars").size();
    givenBack += Math.max(0, cidrs - now);
    cidrs = now;
    List<String> all = new ArrayList<>();
    pods.forEach(
        (name, pod) -> {
          IpAddress ip = IpAddress.parse(pod.answer().address());
          all.add(pod.pool() + " " + ip);
          assertThat(agent.allocated(pod.pool()))
              .as("seed %s: %s of %s", seed, ip, name)
              .anyMatch(cidr -> Cidr.parse(cidr).contains(ip));
          assertThat(pod.answer().gateway()).isNotEqualTo(ip.toString());
        });
    assertThat(all).as("seed %s", seed).doesNotHaveDuplicates();
  }
}
