package io.tidemark.operator.page;

import io.tidemark.cluster.Backend.Leading;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.node.NodeReport;
import io.tidemark.operator.report.CloudFacts;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.PageJson;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.operator.view.EngineView;
import io.tidemark.simulation.OperatorSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * States of a simulated run for the page. It keeps a bounded number of them: when there are too
 * many it drops every second one and takes every second from then on; it always has the first and
 * the last one. A node that did not change between two states is kept once. Recorded by one thread;
 * read by any afterwards.
 */
public final class Recording {
  static final int STATES_MOST = 240;
  static final int STATES_LEAST = 10;

  /** Of all states together. */
  static final int NODES_MOST = 2_000_000;

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final String title;
  private final int nodesMost;
  private final List<OperatorSnapshot> states = new ArrayList<>();
  private Map<String, NodeReport> last = Map.of();
  private int every = 1;
  private long offered;

  /**
   * Nothing is recorded yet.
   *
   * @param title of the run, in place of the name of a cluster
   */
  public Recording(String title) {
    this(title, NODES_MOST);
  }

  /** Likewise, with another bound for the nodes of all states together. */
  Recording(String title, int nodesMost) {
    this.title = title;
    this.nodesMost = nodesMost;
  }

  /** Takes a state, which is the last one until the next call. */
  public void add(OperatorSnapshot state) {
    if (offered > 0 && (offered - 1) % every != 0) {
      states.remove(states.size() - 1);
    }
    offered++;
    states.add(shared(state));
    int most = nodesMost / Math.max(1, state.nodes().size());
    if (states.size() > Math.max(STATES_LEAST, Math.min(STATES_MOST, most))) {
      for (int i = states.size() - 2; i > 0; i--) {
        if (i % 2 == 1) {
          states.remove(i);
        }
      }
      every *= 2;
    }
  }

  private OperatorSnapshot shared(OperatorSnapshot state) {
    Map<String, NodeReport> now = new HashMap<>();
    List<NodeReport> nodes = new ArrayList<>(state.nodes().size());
    for (NodeReport node : state.nodes()) {
      @Nullable NodeReport before = last.get(node.name());
      NodeReport kept = before != null && before.equals(node) ? before : node;
      now.put(kept.name(), kept);
      nodes.add(kept);
    }
    last = now;
    return new OperatorSnapshot(state.at(), nodes, state.pools(), state.buckets(), state.counts());
  }

  /** Answers a {@code GET} of the events: the state {@code ?at=INDEX}, without it the last one. */
  public HttpResponse respond(HttpRequest request) {
    Optional<Integer> index = index(request.query());
    return index
        .map(
            at ->
                HttpResponse.of(
                    OK, PageEndpoints.EVENTS, new Once(SseMessage.snapshot(new Shown(at), "", 0))))
        .orElseGet(() -> HttpResponse.of(NOT_FOUND, "text/plain", "no such state\n"));
  }

  private Optional<Integer> index(String query) {
    if (query.isEmpty() && !states.isEmpty()) {
      return Optional.of(states.size() - 1);
    }
    return query.matches("at=[0-9]{1,6}")
        ? Optional.of(Integer.parseInt(query.substring(3))).filter(at -> at < states.size())
        : Optional.empty();
  }

  private final class Shown implements PageSource {
    private final int index;
    private final OperatorSnapshot state;
    private final Map<String, NodeReport> nodes = new TreeMap<>();

    Shown(int index) {
      this.index = index;
      this.state = states.get(index);
      state.nodes().forEach(node -> nodes.put(node.name(), node));
    }

    @Override
    public String facts() {
      return PageJson.facts(
          Optional.of(title),
          StatusSummary.of(
              "simulation", List.of(), List.of(), Leading.ALONE, Optional.empty(), List.of()),
          "CiliumNode",
          "addresses",
          new CloudFacts(
              Optional.of(new TreeMap<>(state.pools())),
              Map.of(),
              state.buckets(),
              state.counts(),
              Optional.empty()),
          List.of(),
          Optional.of(
              new PageJson.Timeline(
                  states.stream().map(each -> each.at().toMillis()).toList(), index)));
    }

    @Override
    public List<NodeRow> nodes() {
      return nodes.values().stream().map(EngineView::row).toList();
    }

    @Override
    public Optional<NodeRow> node(String name) {
      return Optional.ofNullable(nodes.get(name)).map(EngineView::row);
    }
  }

  /** One message, then the end. */
  private record Once(SseMessage message) implements HttpResponse.Feed {
    @Override
    public CompletionStage<?> ready() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public Optional<String> next() {
      return message.isOver() ? Optional.empty() : Optional.of(message.piece());
    }

    @Override
    public void ended() {
      // it holds nothing
    }
  }
}
