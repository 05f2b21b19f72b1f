package io.tidemark.nodecidr.pool;

import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.metrics.Meters;
import io.tidemark.nodecidr.CidrWorld;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A cluster of CiliumNodes; requests take 10 ms. */
final class PoolWorld extends CidrWorld {
  final PoolServer server = new PoolServer(time);

  /** How requests fail, such as {@code UPDATE n1}. */
  final Map<String, Effect> failing = new HashMap<>();

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
          return Optional.ofNullable(failing.get(request))
              .map(effect -> new StoreResult.Failed("no route", effect));
        };
    NodeResourceStore store = server.client(faults);
    EffectRunner effects =
        time.effects(EffectModel.reliable(Duration.ofMillis(5), Duration.ofMillis(5)));
    OperatorErrors errors =
        new OperatorErrors(this, store, 3, effects, time, () -> true, new Random(2));
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

  /** An object registers, and is looked at. */
  void create(String name, String... cidrs) {
    server.create(name, cidrs);
    settle();
  }

  /** The operator ends, and another one starts with these ranges. */
  void restart(String ranges) {
    controller.stop();
    settle();
    controller = controller(ranges);
    start();
  }

  @Override
  public String cidrsOf(String name) {
    return String.join(" ", server.cidrs(name));
  }

  @Override
  protected CidrNodeReport reportOf(String name) {
    return controller.report(name).orElseThrow();
  }
}
