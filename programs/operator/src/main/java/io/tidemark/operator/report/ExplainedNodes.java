package io.tidemark.operator.report;

import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The explanations of all nodes, one after the other, with some requested ahead, so that ten
 * thousand nodes are never held at once. Blocks the calling thread, in total no longer than its
 * limit. Not thread-safe.
 */
public final class ExplainedNodes implements Iterator<Explained> {
  private static final int AHEAD = 64;

  private final Iterator<NodeRow> rows;
  private final Function<String, CompletionStage<Optional<NodeExplanation>>> explain;
  private final TimeSource time;
  private final long deadlineNanos;
  private final Queue<Asked> asked = new ArrayDeque<>();
  private boolean outOfTime;

  private record Asked(NodeRow row, CompletableFuture<Optional<NodeExplanation>> answer) {}

  public ExplainedNodes(
      List<NodeRow> rows,
      Function<String, CompletionStage<Optional<NodeExplanation>>> explain,
      TimeSource time,
      Duration limit) {
    this.rows = rows.iterator();
    this.explain = explain;
    this.time = time;
    this.deadlineNanos = time.nanos() + limit.toNanos();
  }

  @Override
  public boolean hasNext() {
    return !asked.isEmpty() || rows.hasNext();
  }

  @Override
  public Explained next() {
    while (asked.size() < AHEAD && rows.hasNext()) {
      NodeRow row = rows.next();
      asked.add(new Asked(row, explain.apply(row.name()).toCompletableFuture()));
    }
    Asked next = asked.poll();
    if (next == null) {
      throw new NoSuchElementException("all nodes were explained");
    }
    return new Explained(next.row(), answer(next.answer()));
  }

  /** Whether one of those handed out has no explanation because the limit was reached. */
  public boolean isOutOfTime() {
    return outOfTime;
  }

  private Optional<NodeExplanation> answer(CompletableFuture<Optional<NodeExplanation>> answer) {
    try {
      return answer.get(Math.max(0, deadlineNanos - time.nanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      outOfTime = true;
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a node cannot be explained", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
