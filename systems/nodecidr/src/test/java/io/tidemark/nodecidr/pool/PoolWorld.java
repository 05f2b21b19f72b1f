package io.tidemark.nodecidr.pool;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Meters;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.controller.CidrNodeReport;
import io.tidemark.nodecidr.controller.CidrTakeOver;
import io.tidemark.nodecidr.controller.ControllerSettings;
import io.tidemark.nodecidr.controller.NodeCidrController;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.StoreResult.Effect;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster of CiliumNodes with one controller, in virtual time: requests take 10 ms, and what was
 * reported is written down.
 */
final class PoolWorld {
  /** Our name in the server's records. */
  static final String MANAGER = "tidemark-operator";

  final VirtualTime time = new VirtualTime(0);
  final PoolServer server = new PoolServer(time);

  /** The reported events, such as {@code open n1 CIDR_EXHAUSTED}. */
  final List<String> events = new ArrayList<>();

  /** Requests that reached the server, such as {@code UPDATE n1}. */
  final List<String> requests = new ArrayList<>();

  /** How requests fail, such as {@code UPDATE n1}. */
  final Map<String, Effect> failing = new HashMap<>();

  /** The events that happen once before requests are served, such as {@code UPDATE n1}. */
  final Map<String, Runnable> meanwhile = new HashMap<>();

  NodeCidrController controller;

  /** Ranges as {@link TestCidrs} reads them. */
  PoolWorld(String ranges) {
    this.controller = controller(ranges);
  }

  private NodeCidrController controller(String ranges) {
    Interference faults =
        (operation, name) -> {
          String request = (operation + " " + name).strip();
          if (operation != Operation.LIST) {
            requests.add(request);
          }
          Optional.ofNullable(meanwhile.remove(request)).ifPresent(Runnable::run);
          return Optional.ofNullable(failing.get(request))
              .map(effect -> new StoreResult.Failed("no route", effect));
        };
    NodeResourceStore store = server.client(faults);
    EffectRunner effects =
        time.effects(EffectModel.reliable(Duration.ofMillis(5), Duration.ofMillis(5)));
    OperatorErrors errors =
        new OperatorErrors(new Reported(), store, 3, effects, time, () -> true, new Random(2));
    return new NodeCidrController(
        new ControllerSettings(
            TestCidrs.of(ranges, Target.CILIUM_NODE),
            Duration.ofSeconds(60),
            false,
            30,
            Duration.ofSeconds(10),
            MANAGER),
        new ControllerParts(
            new CiliumNodeCidrs(store, 3, errors),
            errors,
            Meters.none(),
            effects,
            time,
            time,
            () -> true,
            new Random(1)),
        Optional.empty(),
        Optional.empty());
  }

  void start() {
    controller.start(CidrTakeOver::clean);
    settle();
  }

  /** The operator ends, and another one starts with these ranges. */
  void restart(String ranges) {
    controller.stop();
    settle();
    controller = controller(ranges);
    start();
  }

  /** Lets half a second pass. */
  void settle() {
    pass(Duration.ofMillis(500));
  }

  void pass(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  /** The CIDRs of a node on the server, with spaces between them. */
  String cidrsOf(String name) {
    return String.join(" ", server.cidrs(name));
  }

  List<String> cidrsOf(String... names) {
    return Stream.of(names).map(this::cidrsOf).toList();
  }

  List<String> stateOf(String... names) {
    return Stream.of(names).map(this::stateOf).toList();
  }

  /** Those of its report, likewise. */
  String reportedCidrsOf(String name) {
    CidrNodeReport report = controller.report(name).orElseThrow();
    return report.cidrs().stream().map(Cidr::toString).collect(Collectors.joining(" "));
  }

  /** State and codes of a node, such as {@code PARKED CIDR_EXHAUSTED}. */
  String stateOf(String name) {
    CidrNodeReport report = controller.report(name).orElseThrow();
    Stream<String> codes = report.matters().stream().map(each -> each.code().name());
    return Stream.concat(Stream.of(report.state().name()), codes)
        .distinct()
        .collect(Collectors.joining(" "));
  }

  private final class Reported implements ObjectEvents {
    @Override
    public void report(String object, ErrorCode code, String detail) {
      events.add("open " + object + " " + code.name());
    }

    @Override
    public void cleared(String object, ErrorCode code) {
      events.add("solved " + object + " " + code.name());
    }
  }
}
