package io.tidemark.nodeid.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.InMemoryClaims;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.metrics.Meters;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.TestRanges;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualProcess.OnTheWire;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose nodes come, go and come back, whose operators crash at any request and take over
 * from one another, whose requests and answers are late or lost, and whose claims are lost. It is
 * judged after every step, and once more at rest.
 */
final class ClaimScenario {
  private static final Duration COOLDOWN = Duration.ofMinutes(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration STEP_MAX = Duration.ofSeconds(40);
  private static final Duration REST = Duration.ofMinutes(25);
  private static final int STEPS = 60;
  private static final int NAMES = 9;
  private static final long LATE_MAX_NANOS = Duration.ofSeconds(60).toNanos();

  private final VirtualTime time = new VirtualTime(0, 3_000_000, 20_000);
  private final InMemoryClusterNodes nodes = new InMemoryClusterNodes(time);
  private final InMemoryClaims claims = new InMemoryClaims();
  private final Random random;
  private final Random network;
  private final NodeIdSubnets subnets;
  private final ClaimJudge judge;
  private final boolean changesOperator;
  private final boolean losesClaims;
  private final boolean agentsClaim;
  private final List<String> log = new ArrayList<>();
  private IdNotes notes = IdNotes.NONE;
  private boolean calm;
  private @Nullable VirtualProcess process;
  private @Nullable NodeIdController controller;

  private ClaimScenario(long seed) {
    Random seeded = new Random(seed * 0x9E3779B97F4A7C15L);
    this.random = new Random(seeded.nextLong());
    this.network = new Random(seeded.nextLong());
    boolean scarce = seeded.nextBoolean();
    this.changesOperator = seeded.nextInt(4) > 0;
    this.losesClaims = seeded.nextInt(3) == 0;
    this.agentsClaim = seeded.nextInt(3) == 0;
    this.subnets =
        new NodeIdSubnets(
            TestRanges.of(
                "10.1.0.0/16 24",
                "172.30.0.0/16 24",
                scarce ? "192.168.16.0/29" : "192.168.16.0/27",
                "192.168.30.0/24"));
    this.judge =
        new ClaimJudge(time, nodes, claims, subnets, COOLDOWN, changesOperator, agentsClaim);
  }

  /** Runs a seed: the first violation with what led to it, or nothing. */
  static Optional<String> failure(long seed) {
    ClaimScenario it = new ClaimScenario(seed);
    try {
      it.run();
      return Optional.empty();
    } catch (ClaimJudge.Violation e) {
      return it.told(seed, String.valueOf(e.getMessage()));
    } catch (VirtualTime.Livelock e) {
      return it.told(seed, "[Q5] an operator does not come to rest: " + e.getMessage());
    }
  }

  private Optional<String> told(long seed, String what) {
    String status =
        controller == null
            ? ""
            : controller.nodes() + " " + controller.ids() + " " + controller.oddClaims();
    return Optional.of(
        what + "\nseed " + seed + '\n' + String.join("\n", log) + '\n' + status + claims.all());
  }

  /** Runs one seed in the classes of the loader that it was loaded by: the failure, or nothing. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return failure(seed).orElse("");
    }
  }

  private void run() {
    time.afterEachStep(judge::step);
    takeOver();
    for (int i = 0; i < STEPS; i++) {
      step();
      pass(Duration.ofNanos((long) (STEP_MAX.toNanos() * Math.pow(random.nextDouble(), 2))));
      if (random.nextInt(12) == 0) {
        pass(COOLDOWN);
      }
    }
    calm = true;
    if (process == null || !process.isAlive()) {
      takeOver();
    }
    pass(REST);
    judge.atRest();
  }

  private void pass(Duration duration) {
    long end = time.nanos() + duration.toNanos();
    while (time.nanos() < end) {
      time.runUntil(Math.min(end, time.nanos() + Duration.ofSeconds(10).toNanos()));
      if (process != null && process.isAlive() && controller != null) {
        notes = controller.notes().isEmpty() ? notes : IdNotes.read(controller.notes());
      } else {
        takeOver();
      }
    }
  }

  private void step() {
    String name = "n" + random.nextInt(NAMES);
    boolean there = nodes.find(name).isPresent();
    switch (random.nextInt(11)) {
      case 0, 1, 2, 3 -> {
        if (!there) {
          create(name);
          pass(Duration.ofMillis(random.nextInt(40)));
          claimAsAgent("n" + random.nextInt(NAMES));
        }
      }
      case 4, 5 -> delete(name);
      case 6 -> {
        if (there) {
          delete(name);
          create(name);
          claimAsAgent(name);
        }
      }
      case 7 -> {
        say(name + " is being deleted");
        nodes.change(name, ClusterNode::withBeingDeleted);
      }
      case 8 -> {
        if (changesOperator) {
          crash();
        }
      }
      case 9 -> claimAsAgent(name);
      default -> lose();
    }
  }

  /**
   * The agent of a node without claim and mirror claims for itself, as without an operator; a
   * person may do so for any node.
   */
  private void claimAsAgent(String name) {
    Optional<ClusterNode> node = nodes.find(name);
    if (!agentsClaim || node.isEmpty()) {
      return;
    }
    boolean has =
        !node.get().annotations().isEmpty()
            || claims.all().stream().anyMatch(claim -> claim.holder().equals(name));
    if (has && random.nextInt(3) > 0) {
      return;
    }
    for (long id = 1; id <= subnets.capacity().ids(); id++) {
      String claim = ClaimName.of(NodeId.of(id));
      if (claims.all().stream().noneMatch(it -> it.name().equals(claim))) {
        say(name + " claims " + id);
        claims.put(claim, name, node.get().uid());
        return;
      }
    }
  }

  private void create(String name) {
    say(name + " comes");
    nodes.create(ClusterNode.named(name, ""));
  }

  /** A node goes if it is there. */
  private void delete(String name) {
    if (nodes.find(name).isPresent()) {
      say(name + " goes");
      judge.deleted(name);
      nodes.delete(name);
    }
  }

  private void lose() {
    if (losesClaims) {
      say("claims are lost");
      judge.claimsLost();
      claims.all().forEach(claim -> claims.remove(claim.name()));
      if (changesOperator && random.nextBoolean()) {
        say("notes are lost");
        crash();
        notes = IdNotes.NONE;
        judge.notesLost();
      }
    }
  }

  private void crash() {
    if (process != null) {
      say(process.name() + " crashes");
      process.crash(random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
    }
  }

  private void takeOver() {
    say("an operator starts with " + notes.write());
    VirtualProcess next = time.process("operator");
    process = next;
    NodeIdController made =
        new NodeIdController(
            new IdLedger(subnets, COOLDOWN, false),
            4,
            TIMEOUT,
            new ControllerParts(
                nodes.client("operator", next, this::lag, InMemoryClusterNodes.Interference.NONE),
                ObjectEvents.NONE,
                Meters.none(),
                next.effects(new Network(next)),
                next,
                next,
                () -> true,
                new Random(random.nextLong())),
            claims.client(next, this::lag, InMemoryClaims.Interference.NONE));
    controller = made;
    made.start(notes);
  }

  private long lag() {
    return calm ? 0 : (long) (network.nextDouble() * network.nextDouble() * 4e9);
  }

  private void say(String what) {
    log.add(time.nanos() / 1_000_000 + " ms: " + what);
  }

  /** Requests and answers that are late or lost, and a process that crashes around them. */
  private final class Network implements EffectModel {
    private final VirtualProcess sender;

    Network(VirtualProcess sender) {
      this.sender = sender;
    }

    @Override
    public EffectFate decide(EffectSite site, Duration timeout) {
      if (!calm && changesOperator && network.nextInt(150) == 0) {
        say("crash before " + site);
        sender.crash(OnTheWire.ARRIVES);
      }
      Duration quick = Duration.ofMillis(1 + network.nextInt(50));
      if (calm) {
        return EffectFate.answered(quick, quick);
      }
      return switch (network.nextInt(20)) {
        case 0 -> EffectFate.requestLost();
        case 1, 2 -> EffectFate.answerLost(quick);
        case 3, 4 ->
            EffectFate.answered(
                Duration.ofNanos((long) (network.nextDouble() * LATE_MAX_NANOS)), quick);
        default -> EffectFate.answered(quick, quick);
      };
    }

    @Override
    public void executed(EffectSite site) {
      say(site + " is served");
      if (!calm && changesOperator && network.nextInt(150) == 0) {
        say("crash after " + site);
        sender.crash(OnTheWire.ARRIVES);
      }
    }
  }
}
