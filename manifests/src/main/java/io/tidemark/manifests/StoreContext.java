package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.nio.file.Path;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts that the components of one store share. The lock guards the inventory and the parts'
 * own fields; it is held for a few map operations, never during I/O or while a watcher is called.
 */
final class StoreContext<T> {
  final Object lock = new Object();
  final ManifestKind<T> kind;

  /** As people named it; a single file, too. */
  final Path folder;

  final FolderInventory<T> inventory;
  final FolderReader<T> reader;
  final FileReplacement replacement;
  final DirectoryOptions options;
  final TaskScheduler scheduler;
  final EffectRunner effects;

  /** Who is told; null when nobody watches. */
  @Nullable EventDelivery<T> delivery;

  StoreContext(
      ManifestKind<T> kind,
      Path folder,
      FolderReader<T> reader,
      FileReplacement replacement,
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects) {
    this.kind = kind;
    this.folder = folder;
    this.inventory = new FolderInventory<>(kind, options.readOnly());
    this.reader = reader;
    this.replacement = replacement;
    this.options = options;
    this.scheduler = scheduler;
    this.effects = effects;
  }

  /** Queues events; called under the lock, so that they keep the order in which they happened. */
  void queue(Collection<Consumer<ObjectWatcher<T>>> events) {
    if (delivery != null) {
      delivery.add(events);
    }
  }

  /** Tells what is queued; called without the lock. */
  void deliver() {
    EventDelivery<T> current;
    synchronized (lock) {
      current = delivery;
    }
    if (current != null) {
      current.deliver();
    }
  }

  /** A failure in the form of the published errors. */
  static <T> ObjectEnd<T> failed(CoreError code, String detail) {
    return new ObjectEnd.Failed<>(
        code.label() + " " + code.name() + ": " + detail + ". " + code.remedy());
  }

  /** An object, or a change of it, that is refused. */
  static <T> ObjectEnd<T> refused(ResourceProblem problem) {
    CoreError code = CoreError.RESOURCE_REFUSED;
    String place = problem.path().isEmpty() ? "" : " at " + problem.path();
    String detail = problem.where() + place + ": " + problem.problem() + ". " + problem.remedy();
    return new ObjectEnd.Faulty<>(code.label() + " " + code.name() + ": " + detail);
  }
}
