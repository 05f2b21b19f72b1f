package io.tidemark.engine;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsFactory;
import io.tidemark.resilience.Failure;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Knows which changes of the cloud are under way, so that the program can end between two of them:
 * from {@link #begin} on no new pass starts, what runs goes on. Thread-safe.
 */
final class Draining {
  private final TimeSource time;
  private final Object lock = new Object();
  private final Map<Long, String> underWay = new LinkedHashMap<>();
  private final List<String> lost = new ArrayList<>();
  private long sequence;
  private long lastStepNanos;
  private boolean begun;

  Draining(TimeSource time) {
    this.time = time;
  }

  /** A door whose changes are counted here. */
  CloudCallsFactory watching(CloudCallsFactory factory) {
    return policy -> new Watched(factory.create(policy));
  }

  /** No new pass gets a token from now on. */
  void begin() {
    synchronized (lock) {
      begun = true;
      lastStepNanos = time.nanos();
    }
  }

  /** Whether no change was under way during the last {@code span} since the beginning. */
  boolean quietFor(Duration span) {
    synchronized (lock) {
      return underWay.isEmpty() && time.nanos() - lastStepNanos >= span.toNanos();
    }
  }

  /** Changes whose answers are awaited, oldest first. */
  List<String> underWay() {
    synchronized (lock) {
      return List.copyOf(underWay.values());
    }
  }

  /** Changes whose effect is not known. */
  List<String> unknown() {
    synchronized (lock) {
      return Stream.concat(lost.stream(), underWay.values().stream()).distinct().sorted().toList();
    }
  }

  private boolean isBegun() {
    synchronized (lock) {
      return begun;
    }
  }

  private long started(String change) {
    synchronized (lock) {
      underWay.put(++sequence, change);
      return sequence;
    }
  }

  private void ended(long id, Optional<Failure> failure) {
    synchronized (lock) {
      String change = underWay.remove(id);
      lastStepNanos = time.nanos();
      boolean unknown = failure.map(f -> f.kind() == Failure.Kind.LOST).orElse(false);
      if (change != null && unknown && begun) {
        lost.add(change);
      }
    }
  }

  private final class Watched implements CloudCalls {
    private final CloudCalls calls;

    Watched(CloudCalls calls) {
      this.calls = calls;
    }

    @Override
    public Admission admit(List<CallKind> anyOf, CallContext context) {
      if (isBegun()) {
        return Admission.refused(
            Failure.of(Failure.Kind.CANCELLED, "stopping", "the program is ending"));
      }
      return calls.admit(anyOf, context);
    }

    @Override
    public <T> CompletionStage<CallResult<T>> call(
        CallKind kind, CallContext context, Leaf<T> leaf) {
      if (kind.effect() == CallKind.Effect.READ) {
        return calls.call(kind, context, leaf);
      }
      String node = context.node();
      long id = started(node.isEmpty() ? kind.name() : kind.name() + " for node " + node);
      return calls
          .call(kind, context, leaf)
          .whenComplete(
              (result, thrown) ->
                  ended(
                      id,
                      result == null
                          ? Optional.empty()
                          : result.match(answer -> Optional.<Failure>empty(), Optional::of)));
    }
  }
}
