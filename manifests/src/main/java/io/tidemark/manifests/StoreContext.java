package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one store share. The lock guards the inventory and the parts' own fields; it is
 * held for a few map operations, never during I/O or while a watcher is called.
 */
final class StoreContext {
  final Object lock = new Object();
  final Inventory inventory;
  final HomeReader reader;
  final FileReplacement replacement;
  final DirectoryOptions options;
  final TaskScheduler scheduler;
  final EffectRunner effects;
  private @Nullable EventDelivery delivery;

  StoreContext(
      HomeReader reader,
      FileReplacement replacement,
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects) {
    this.inventory = new Inventory(options.readOnly());
    this.reader = reader;
    this.replacement = replacement;
    this.options = options;
    this.scheduler = scheduler;
    this.effects = effects;
  }

  /** Who is told from now on; called under the lock. */
  void tell(Optional<EventDelivery> next) {
    delivery = next.orElse(null);
  }

  /** Whether {@code asked} is told now; called under the lock. */
  boolean isTold(EventDelivery asked) {
    return asked == delivery;
  }

  /** Queues events; called under the lock, so that they keep the order in which they happened. */
  void queue(Collection<StoreEvent> events) {
    if (delivery != null) {
      delivery.add(events);
    }
  }

  /** Tells what is queued; called without the lock. */
  void deliver() {
    EventDelivery current;
    synchronized (lock) {
      current = delivery;
    }
    if (current != null) {
      current.deliver();
    }
  }

  /** Why a node is neither read nor written. */
  StoreResult refusal(NodeState node) {
    return failed(CoreError.RESOURCE_REFUSED, node.problems.get(0));
  }

  /** A failure in the form of the published errors. */
  static StoreResult failed(CoreError code, String detail) {
    return new StoreResult.Failed(
        code.label() + " " + code.name() + ": " + detail + ". " + code.remedy());
  }

  static StoreResult failed(CoreError code, ResourceProblem problem) {
    String place = problem.path().isEmpty() ? "" : " at " + problem.path();
    return new StoreResult.Failed(
        code.label()
            + " "
            + code.name()
            + ": "
            + problem.where()
            + place
            + ": "
            + problem.problem()
            + ". "
            + problem.remedy());
  }
}
