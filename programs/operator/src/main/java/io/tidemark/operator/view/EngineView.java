package io.tidemark.operator.view;

import io.tidemark.cluster.run.SystemRun;
import io.tidemark.engine.Tidemark;
import io.tidemark.node.Explanation;
import io.tidemark.node.NodeReport;
import io.tidemark.node.NodeState;
import io.tidemark.operator.report.CloudFacts;
import io.tidemark.operator.report.MaxPods;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Column;
import io.tidemark.operator.report.NodeRow.Problem;
import io.tidemark.resilience.CallCounts;
import io.tidemark.spi.Blocked;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * The engine, which keeps pools of addresses.
 *
 * @param name of the provider
 */
public record EngineView(String name, Tidemark engine) implements SystemView {
  @Override
  public SystemRun<?, ?> system() {
    return engine;
  }

  @Override
  public String kind() {
    return "CiliumNode";
  }

  @Override
  public String lacking() {
    return "addresses";
  }

  @Override
  public List<NodeRow> nodes() {
    return engine.reports().stream().map(EngineView::row).toList();
  }

  @Override
  public Optional<NodeRow> node(String node) {
    return engine.report(node).map(EngineView::row);
  }

  @Override
  public CompletionStage<Optional<NodeExplanation>> explain(String node) {
    return engine.explain(node).thenApply(found -> found.map(EngineView::explanation));
  }

  @Override
  public CallCounts counts() {
    return engine.counts();
  }

  @Override
  public CloudFacts cloud() {
    return new CloudFacts(
        Optional.of(new TreeMap<>(engine.pools())),
        engine.daysLeft(),
        engine.buckets(),
        counts(),
        Optional.of(engine.changesUnderWay()));
  }

  /** How a node of the engine is shown. */
  public static NodeRow row(NodeReport node) {
    OptionalInt maxPods = node.maxPods();
    return new NodeRow(
        node.name(),
        List.of(
            Column.of("used", node.used()),
            Column.of("available", node.available()),
            Column.of("needed", node.needed()),
            Column.of("excess", node.excess()),
            Column.of("interfaces", node.interfaces())),
        List.of(
            Column.of("inHandshake", node.inHandshake()),
            Column.of("podCapacity", node.podCapacity()),
            new Column(
                "maxPods",
                maxPods.isPresent() ? Optional.of(maxPods.getAsInt()) : Optional.empty()),
            Column.of("podsWithoutAddress", node.podsWithoutAddress()),
            Column.of("group", node.group()),
            Column.of("prefixes", node.prefixes())),
        node.state().text(),
        node.state() == NodeState.OK,
        node.needed(),
        node.blocked().map(EngineView::problem));
  }

  /** The pods that nodes accept, where their kubelets are known. */
  public List<MaxPods> podRooms() {
    return engine.reports().stream()
        .filter(node -> node.maxPods().isPresent())
        .map(
            node ->
                new MaxPods(
                    node.group(),
                    node.maxPods().getAsInt(),
                    node.podCapacity(),
                    node.podsWithoutAddress(),
                    node.prefixes()))
        .toList();
  }

  private static NodeExplanation explanation(Explanation of) {
    return new NodeExplanation(
        of.node(),
        of.state().text(),
        of.numbers(),
        of.handshakes(),
        of.plan(),
        of.blocked().map(EngineView::problem),
        of.advice(),
        of.toText());
  }

  private static Problem problem(Blocked why) {
    return new Problem(why.reason(), why.detail(), why.reason().stopsNode());
  }
}
