package io.tidemark.it.engine;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeReport;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The engine with its mock cloud in virtual time, over a home of objects that is real. Requests to
 * the home take real time and no virtual time; after each happening so much virtual time passes
 * that nothing is left to do, in every home at the same instants.
 */
final class SequenceWorld implements AutoCloseable {
  /**
   * Long enough for two rounds of the handshake. Not whole seconds: the file home looks less than
   * half a second later than the server tells, and no timer of whole seconds may end between the
   * two and the instant of comparison, ten happenings long.
   */
  private static final Duration BETWEEN = Duration.ofMillis(29_950);

  private static final EngineConfig CONFIG =
      EngineConfig.defaults().releasingAfter(Duration.ofSeconds(3));

  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final SequenceHome home;
  private final MockAccount account;
  private int begun;
  private SortedMap<String, NodeResource> objects = new TreeMap<>();
  private Program program;

  SequenceWorld(SequenceHome home, List<String> nodes) {
    this.home = home;
    this.account = new MockAccount(time, nodes);
    this.program = new Program();
    pass();
  }

  /** An operator from its beginning to its end. */
  private final class Program {
    private final VirtualProcess process = time.process("operator-" + begun++);
    private final SequenceHome.Opened opened;
    private final NodeManager manager;

    Program() {
      EffectRunner line = process.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO));
      this.opened = home.open(process);
      this.manager =
          account.engine(CONFIG, opened.store(), process, process, line, line, ObjectEvents.NONE);
      manager.start();
      opened.watch(manager.watcher());
    }

    void end() {
      manager.close();
      opened.close();
      process.crash(VirtualProcess.OnTheWire.IS_LOST);
    }
  }

  /** Lets something happen, and the operator do what there is to do. */
  void happen(Happening happening) {
    Program now = program;
    switch (happening.kind()) {
      case RESTART -> {
        now.end();
        program = new Program();
      }
      case CREATED -> {
        if (!objects.containsKey(happening.node())) {
          home.create(happening.introduced());
        }
      }
      case DELETED -> {
        if (objects.containsKey(happening.node())) {
          home.delete(happening.node());
        }
      }
      default -> change(happening);
    }
    pass();
  }

  private void change(Happening happening) {
    NodeResource before = objects.get(happening.node());
    if (before != null) {
      NodeResource after = happening.appliedTo(before);
      if (!SequenceJson.outcome(before).equals(SequenceJson.outcome(after))) {
        home.change(before, after);
      }
    }
  }

  /** Lets time pass until nothing is left to do about what was done so far. */
  void pass() {
    program.opened.awaitTold();
    time.runUntil(time.nanos() + BETWEEN.toNanos());
    objects = home.all();
  }

  /** The content of the home, by node. */
  SortedMap<String, String> outcomes() {
    SortedMap<String, String> outcomes = new TreeMap<>();
    objects.forEach((node, object) -> outcomes.put(node, SequenceJson.outcome(object)));
    return outcomes;
  }

  /** The content of the cloud. */
  String cloud() {
    return account.cloud.state().all().toString();
  }

  /** Nodes that have something left to do. */
  List<String> unsettled() {
    return program.manager.reports().stream()
        .filter(report -> !report.settled())
        .map(NodeReport::toString)
        .toList();
  }

  @Override
  public void close() {
    program.end();
    objects.keySet().forEach(home::delete);
  }
}
