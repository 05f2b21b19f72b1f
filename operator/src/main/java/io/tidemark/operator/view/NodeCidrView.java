package io.tidemark.operator.view;

import io.tidemark.cluster.run.SystemRun;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.controller.Explanation;
import io.tidemark.nodecidr.controller.NodeReport;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.controller.NodeReport.State;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Column;
import io.tidemark.operator.report.NodeRow.Problem;
import io.tidemark.resilience.CallCounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The assignment of pod CIDRs to nodes.
 *
 * @param name of the mode, as {@code ipam} has it
 */
public record NodeCidrView(String name, NodeCidrSystem allocator) implements SystemView {
  @Override
  public SystemRun<?, ?> system() {
    return allocator;
  }

  @Override
  public String kind() {
    return name.equals("kubernetes") ? "Node" : "CiliumNode";
  }

  @Override
  public String lacking() {
    return "CIDRs";
  }

  @Override
  public List<NodeRow> nodes() {
    return allocator.reports().stream().map(NodeCidrView::row).toList();
  }

  @Override
  public Optional<NodeRow> node(String node) {
    return allocator.explain(node).map(Explanation::node).map(NodeCidrView::row);
  }

  @Override
  public CompletionStage<Optional<NodeExplanation>> explain(String node) {
    return CompletableFuture.completedStage(allocator.explain(node).map(NodeCidrView::explanation));
  }

  @Override
  public CallCounts counts() {
    return allocator.counts();
  }

  private static NodeRow row(NodeReport node) {
    boolean lacks = node.state() == State.WAITING || node.state() == State.PARKED;
    return new NodeRow(
        node.node().name(),
        List.of(Column.of("podCIDRs", lacks ? List.of() : texts(node.cidrs()))),
        List.of(),
        node.state().label(),
        node.state() == State.ASSIGNED,
        lacks ? 1 : 0,
        node.matter().map(NodeCidrView::problem));
  }

  private static NodeExplanation explanation(Explanation of) {
    NodeReport node = of.node();
    Map<String, String> numbers = new LinkedHashMap<>();
    numbers.put("uid", node.node().uid());
    numbers.put("podCIDRs", row(node).columns().get(0).text());
    String plan = plan(node);
    String advice = node.matter().map(why -> why.code().remedy()).orElse("");
    StringBuilder text = new StringBuilder();
    text.append("node ").append(node.node().name()).append(" is ");
    text.append(node.state().label()).append('\n');
    numbers.forEach(
        (key, value) -> text.append("  ").append(key).append(": ").append(value).append('\n'));
    text.append("plan: ").append(plan).append('\n');
    node.matters()
        .forEach(why -> text.append("blocked: ").append(problem(why).text()).append('\n'));
    text.append("what you can do: ").append(advice.isEmpty() ? "nothing is wrong" : advice);
    return new NodeExplanation(
        node.node().name(),
        node.state().label(),
        numbers,
        Map.of(),
        plan,
        node.matter().map(NodeCidrView::problem),
        advice,
        text.append('\n').toString());
  }

  private static String plan(NodeReport node) {
    return switch (node.state()) {
      case WAITING -> "assign " + String.join(", ", texts(node.cidrs()));
      case PARKED -> "none: " + node.matter().map(Matter::detail).orElse("it is being deleted");
      case ASSIGNED, CONFLICT, FOREIGN -> "idle: nothing to do";
    };
  }

  private static List<String> texts(List<Cidr> cidrs) {
    return cidrs.stream().map(Cidr::toString).toList();
  }

  private static Problem problem(Matter matter) {
    return new Problem(matter.code(), matter.detail(), true);
  }
}
