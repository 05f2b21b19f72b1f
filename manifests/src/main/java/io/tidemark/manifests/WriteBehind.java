package io.tidemark.manifests;

import io.tidemark.manifests.FileReplacement.Replaced;
import io.tidemark.manifests.NodeWrite.Flushed;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectSite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes of nodes that share a file: answered at once, collected for a short time and made in one
 * replacement. Changes of other programs are merged; if both changed the same place, theirs stays,
 * and the watch delivers it.
 */
final class WriteBehind<T> {
  private final StoreContext<T> context;
  private final Map<Path, Set<String>> dirty = new TreeMap<>();
  private final Map<Path, Cancellable> timers = new HashMap<>();
  private final Map<Path, List<NodeWrite<T>>> flying = new TreeMap<>();
  private final List<CompletableFuture<FlushReport>> waiting = new ArrayList<>();
  private boolean ended;

  WriteBehind(StoreContext<T> context) {
    this.context = context;
  }

  /** A node of {@code file} has something pending; called under the lock. */
  void add(Path file, FolderNode<T> node) {
    markDirty(file, node);
    schedule(file, context.options.writeBehind());
  }

  private void markDirty(Path file, FolderNode<T> node) {
    dirty.computeIfAbsent(file, path -> new TreeSet<>()).add(node.name);
  }

  private void schedule(Path file, Duration delay) {
    if (!ended && !flying.containsKey(file) && !timers.containsKey(file)) {
      timers.put(file, context.scheduler.after(delay, () -> flush(file)));
    }
  }

  private void flush(Path file) {
    List<NodeWrite<T>> taken;
    FileView<T> known;
    synchronized (context.lock) {
      timers.remove(file);
      taken = take(file);
      if (taken.isEmpty()) {
        if (dirty.containsKey(file)) {
          schedule(file, context.options.writeBehind());
        }
        completeWaiting();
        return;
      }
      known = context.inventory.file(file).orElseThrow().view;
    }
    context
        .effects
        .run(
            new EffectSite("replaceFile", String.valueOf(file.getFileName())),
            context.options.requestTimeout(),
            () -> NodeWrite.replace(context, file, taken, known))
        .stage()
        .whenComplete((flushed, error) -> flushed(file, taken, flushed, error));
  }

  /** The pending writes of the file, which is busy from now on; called under the lock. */
  private List<NodeWrite<T>> take(Path file) {
    Optional<FileState<T>> state = context.inventory.file(file);
    if (flying.containsKey(file) || state.filter(each -> each.busy).isPresent()) {
      return List.of();
    }
    List<NodeWrite<T>> taken = new ArrayList<>();
    for (String name : Objects.requireNonNullElse(dirty.remove(file), Set.<String>of())) {
      FolderNode<T> node = context.inventory.node(name).orElse(null);
      if (node == null || node.pending.isEmpty()) {
        continue;
      }
      Path now = node.file.orElse(file);
      if (!now.equals(file)) {
        add(now, node);
      } else if (state.isPresent()) {
        taken.add(
            new NodeWrite<>(node, node.base.orElseThrow(), node.pending.get(), Optional.empty()));
      } else {
        context.inventory.dropPending(node);
      }
    }
    if (!taken.isEmpty()) {
      state.orElseThrow().write(true);
      flying.put(file, taken);
    }
    return taken;
  }

  private void flushed(
      Path file,
      List<NodeWrite<T>> taken,
      @Nullable Flushed<T> flushed,
      @Nullable Throwable error) {
    synchronized (context.lock) {
      flying.remove(file);
      context.inventory.file(file).orElseThrow().write(false);
      if (flushed == null) {
        taken.forEach(each -> markDirty(file, each.node()));
        schedule(file, context.options.pollInterval());
        NodeWrite.unwritable(context, file, error);
      } else {
        List<Consumer<ObjectWatcher<T>>> events = new ArrayList<>();
        for (NodeWrite<T> each : taken) {
          each.settle(context, flushed, events);
          if (each.node().pending.isPresent()) {
            markDirty(file, each.node());
          }
        }
        Replaced replaced = flushed.replaced();
        events.addAll(context.inventory.take(file, replaced.stamp(), flushed.view()));
        context.queue(events);
      }
      if (dirty.containsKey(file)) {
        schedule(file, context.options.writeBehind());
      }
      completeWaiting();
    }
    context.deliver();
  }

  /** Writes everything now; ends when all is written, or with what is left after a while. */
  CompletionStage<FlushReport> flush() {
    CompletableFuture<FlushReport> done = new CompletableFuture<>();
    List<Path> files;
    synchronized (context.lock) {
      if (isIdle()) {
        return CompletableFuture.completedFuture(FlushReport.CLEAN);
      }
      waiting.add(done);
      files = List.copyOf(dirty.keySet());
      context.scheduler.after(context.options.flushTimeout(), () -> giveUp(done));
      files.forEach(this::cancelTimer);
    }
    files.forEach(this::flush);
    return done;
  }

  private void cancelTimer(Path file) {
    @Nullable Cancellable timer = timers.remove(file);
    if (timer != null) {
      timer.cancel();
    }
  }

  private void giveUp(CompletableFuture<FlushReport> done) {
    FlushReport report;
    synchronized (context.lock) {
      waiting.removeIf(each -> each == done);
      report = report();
    }
    done.complete(report);
  }

  boolean ended() {
    return ended;
  }

  /** Takes no more writes; called under the lock. */
  void end() {
    ended = true;
    List.copyOf(timers.keySet()).forEach(this::cancelTimer);
  }

  /** Writes in this thread what is not under way; called once, after {@link #end}. */
  FlushReport finish() {
    List<Path> files;
    synchronized (context.lock) {
      files = List.copyOf(dirty.keySet());
    }
    for (Path file : files) {
      List<NodeWrite<T>> taken;
      FileView<T> known;
      synchronized (context.lock) {
        taken = take(file);
        known = context.inventory.file(file).map(each -> each.view).orElse(FileView.nothing());
      }
      if (!taken.isEmpty()) {
        @Nullable Flushed<T> flushed = null;
        @Nullable Throwable error = null;
        try {
          flushed = NodeWrite.replace(context, file, taken, known);
        } catch (IOException e) {
          error = e;
        }
        flushed(file, taken, flushed, error);
      }
    }
    synchronized (context.lock) {
      return report();
    }
  }

  private boolean isIdle() {
    return dirty.isEmpty() && flying.isEmpty();
  }

  private FlushReport report() {
    Set<String> unknown = new TreeSet<>();
    flying.values().forEach(writes -> writes.forEach(each -> unknown.add(each.node().name)));
    Set<String> unwritten = new TreeSet<>();
    dirty.values().forEach(unwritten::addAll);
    unwritten.removeAll(unknown);
    return new FlushReport(List.copyOf(unwritten), List.copyOf(unknown));
  }

  /** Tells who waits; called under the lock, so the news go out as tasks of their own. */
  private void completeWaiting() {
    if (isIdle() && !waiting.isEmpty()) {
      List<CompletableFuture<FlushReport>> all = List.copyOf(waiting);
      waiting.clear();
      context.scheduler.after(
          Duration.ZERO, () -> all.forEach(each -> each.complete(FlushReport.CLEAN)));
    }
  }
}
