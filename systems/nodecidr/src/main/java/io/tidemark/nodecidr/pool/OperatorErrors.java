package io.tidemark.nodecidr.pool;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.error.ErrorCode;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.BackoffState;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Writes the problems of a CiliumNode into its {@code status.ipam.operator-status.error}, as the
 * Cilium operator does, and reports them as before. It is written when the text changes and removed
 * when nothing is wrong any more, also a text that an earlier operator left. One write per object
 * at a time; one that fails is repeated. Thread-safe; never blocks.
 *
 * <p>It watches the objects beside their store, since a write of an earlier operator may arrive
 * late: a text that differs from what was found last is replaced once, so that two operators do not
 * replace each other's texts for ever.
 */
public final class OperatorErrors implements ObjectEvents, ObjectWatcher<NodeResource> {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final BackoffPolicy PAUSES =
      new BackoffPolicy(
          Duration.ofMillis(500), 2, Duration.ofMinutes(1), true, true, Duration.ofMinutes(10));

  /** Problems of writing the object itself, which cannot be written into it. */
  private static final Set<NodeCidrError> LEFT_OUT =
      Set.of(NodeCidrError.CIDR_WRITE_FAILED, NodeCidrError.CIDR_FORBIDDEN);

  /** The problems whose numbers change all the time; the text leaves them out. */
  private static final Set<NodeCidrError> COUNTED =
      Set.of(NodeCidrError.CIDR_EXHAUSTED, NodeCidrError.CIDR_WITHHELD);

  private static final int LENGTH_MAX = 1024;

  private final ObjectEvents events;
  private final NodeResourceStore store;
  private final int attempts;
  private final EffectRunner effects;
  private final TaskScheduler scheduler;
  private final Fence fence;
  private final RandomGenerator random;
  private final Object lock = new Object();

  /** The texts that are being written, by object. */
  private final Map<String, String> wanted = new HashMap<>();

  /** The last problems, by object, that were not solved since. */
  private final Map<String, String> found = new HashMap<>();

  private CompletableFuture<?> idle = CompletableFuture.completedFuture("written");

  /**
   * In front of {@code events}. A change is applied to so many versions ({@code sync-attempts});
   * none is written while the fence is closed; {@code random} is thread-safe.
   */
  public OperatorErrors(
      ObjectEvents events,
      NodeResourceStore store,
      int attempts,
      EffectRunner effects,
      TaskScheduler scheduler,
      Fence fence,
      RandomGenerator random) {
    this.events = events;
    this.store = store;
    this.attempts = attempts;
    this.effects = effects;
    this.scheduler = scheduler;
    this.fence = fence;
    this.random = random;
  }

  @Override
  public void report(String object, ErrorCode code, String detail) {
    events.report(object, code, detail);
  }

  @Override
  public void cleared(String object, ErrorCode code) {
    events.cleared(object, code);
  }

  @Override
  public void found(String object, Map<? extends ErrorCode, String> open) {
    String text = text(open);
    synchronized (lock) {
      found.put(object, text);
      boolean busy = wanted.containsKey(object);
      if (!busy && !differs(store.latest(object), text)) {
        return;
      }
      wanted.put(object, text);
      if (busy) {
        return;
      }
    }
    write(object, BackoffState.NONE);
  }

  @Override
  public void upserted(NodeResource node) {
    String text;
    synchronized (lock) {
      text = found.get(node.name());
      if (text == null || wanted.containsKey(node.name()) || !differs(Optional.of(node), text)) {
        return;
      }
      found.remove(node.name());
      wanted.put(node.name(), text);
    }
    write(node.name(), BackoffState.NONE);
  }

  @Override
  public void deleted(String object) {
    synchronized (lock) {
      found.remove(object);
    }
  }

  /** Such an object is not written. */
  @Override
  public void refused(String object, List<ResourceProblem> problems) {}

  @Override
  public void synced() {}

  /** Completes when no write is in flight; one that failed may follow. */
  public CompletionStage<?> written() {
    synchronized (lock) {
      return idle;
    }
  }

  private static boolean differs(Optional<NodeResource> node, String text) {
    return node.filter(it -> !it.ignored() && !it.operatorError().orElse("").equals(text))
        .isPresent();
  }

  private void write(String object, BackoffState before) {
    CompletableFuture<Void> last = new CompletableFuture<>();
    synchronized (lock) {
      idle = CompletableFuture.allOf(idle, last);
    }
    attempt(object, before).whenComplete((done, thrown) -> last.complete(null));
  }

  /** Writes the text of now, and those that come meanwhile. */
  private CompletionStage<Boolean> attempt(String object, BackoffState before) {
    String text;
    synchronized (lock) {
      text = wanted.getOrDefault(object, "");
    }
    return effects
        .run(new EffectSite("write operator error", object), TIMEOUT, () -> apply(object, text))
        .stage()
        .handle((done, thrown) -> thrown == null && done)
        .thenCompose(done -> ended(object, text, done, before));
  }

  /** Whether the object says so now, or nothing is to be written to it any more. */
  private boolean apply(String object, String text) {
    Optional<NodeResource> now = store.latest(object);
    for (int attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) {
        StoreResult read = store.get(object);
        if (read instanceof StoreResult.Failed) {
          return false;
        }
        now =
            read instanceof StoreResult.Stored stored
                ? Optional.of(stored.resource())
                : Optional.empty();
      }
      if (!differs(now, text) || !fence.isOpen()) {
        return true;
      }
      NodeResource node = now.orElseThrow();
      StoreResult written = store.updateStatus(node, node.withOperatorError(text));
      if (!(written instanceof StoreResult.Conflict)) {
        return !(written instanceof StoreResult.Failed);
      }
    }
    return false;
  }

  private CompletionStage<Boolean> ended(
      String object, String text, boolean done, BackoffState before) {
    synchronized (lock) {
      if (done && wanted.remove(object, text)) {
        return CompletableFuture.completedStage(true);
      }
    }
    if (done) {
      return attempt(object, BackoffState.NONE);
    }
    BackoffState failed = before.failed(PAUSES, scheduler.time().nanos());
    scheduler.after(PAUSES.pause(failed.failures(), random), () -> write(object, failed));
    return CompletableFuture.completedStage(false);
  }

  /**
   * The text: first what the Cilium operator says, then our code, what was found and the remedy;
   * empty when nothing is wrong.
   */
  static String text(Map<? extends ErrorCode, String> open) {
    String text =
        open.entrySet().stream()
            .filter(each -> !LEFT_OUT.contains(each.getKey()))
            .sorted(Comparator.comparing(each -> each.getKey().label()))
            .map(each -> text(each.getKey(), each.getValue()))
            .collect(Collectors.joining("; "));
    return text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX - 1) + '\u2026' : text;
  }

  private static String text(ErrorCode code, String detail) {
    int colon = detail.indexOf(": ");
    String first = colon < 0 ? detail : detail.substring(0, colon);
    boolean more = colon >= 0 && !COUNTED.contains(code);
    String rest = more ? detail.substring(colon + 2) + ". " : "";
    return first + " [" + code.label() + "] " + rest + code.remedy();
  }
}
