package io.tidemark.manifests;

import io.tidemark.manifests.FileReplacement.Replaced;
import io.tidemark.resource.ResourceProblem;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes of nodes that share a file: answered at once, collected for a short time and made in one
 * replacement. What others changed meanwhile is merged; where both changed the same place, theirs
 * stays and the watcher is told.
 */
final class WriteBehind {
  /**
   * A replacement that was made, and what the file says now.
   *
   * @param doubted whether nothing was written because the file may be half-written
   */
  private record Flushed(Replaced replaced, FileView view, boolean doubted) {}

  private final StoreContext context;
  private final Map<Path, Set<String>> dirty = new TreeMap<>();
  private final Map<Path, Cancellable> timers = new HashMap<>();
  private final Map<Path, List<PendingWrite>> flying = new TreeMap<>();
  private final List<CompletableFuture<FlushReport>> waiting = new ArrayList<>();
  private boolean ended;

  WriteBehind(StoreContext context) {
    this.context = context;
  }

  /** A node of {@code file} has something pending; called under the lock. */
  void add(Path file, String name) {
    dirty.computeIfAbsent(file, path -> new TreeSet<>()).add(name);
    schedule(file, context.options.writeBehind());
  }

  private void schedule(Path file, Duration delay) {
    if (!ended && !flying.containsKey(file) && !timers.containsKey(file)) {
      timers.put(file, context.scheduler.after(delay, () -> flush(file)));
    }
  }

  private void flush(Path file) {
    List<PendingWrite> taken;
    FileView known;
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
            () -> replace(file, taken, known))
        .stage()
        .whenComplete((flushed, error) -> flushed(file, taken, flushed, error));
  }

  /** What is pending in the file, which is busy from now on; called under the lock. */
  private List<PendingWrite> take(Path file) {
    Optional<FileState> state = context.inventory.file(file);
    Set<String> names = Objects.requireNonNullElse(dirty.remove(file), Set.of());
    List<PendingWrite> taken = new ArrayList<>();
    if (state.isPresent() && (state.get().busy || flying.containsKey(file))) {
      dirty.put(file, new TreeSet<>(names));
      return List.of();
    }
    for (String name : names) {
      NodeState node = context.inventory.node(name).orElse(null);
      if (node == null || node.pending.isEmpty()) {
        continue;
      }
      if (!node.file.equals(Optional.of(file))) {
        node.file.ifPresent(other -> add(other, name));
      } else if (state.isPresent()) {
        taken.add(new PendingWrite(node, node.base.orElseThrow(), node.pending.get()));
      } else {
        context.inventory.dropPending(node);
      }
    }
    if (!taken.isEmpty()) {
      state.orElseThrow().beginWrite();
      flying.put(file, taken);
    }
    return taken;
  }

  private Flushed replace(Path file, List<PendingWrite> taken, FileView known)
      throws IOException, MalformedText {
    List<ObjectEdit> edits = taken.stream().flatMap(each -> each.edits().stream()).toList();
    Replaced replaced =
        context.replacement.edit(
            file, file.toString(), read -> isHalfWritten(read, known) ? List.of() : edits);
    FileView view = FileView.of(replaced.file(), replaced.hash(), known);
    return new Flushed(replaced, view, replaced.results().isEmpty());
  }

  /** What is written into a half-written file is lost with the rest of it. */
  private static boolean isHalfWritten(ManifestFile read, FileView known) {
    return Losses.between(known, FileView.of(read, "", known)).isPresent();
  }

  private void flushed(
      Path file, List<PendingWrite> taken, @Nullable Flushed flushed, @Nullable Throwable error) {
    synchronized (context.lock) {
      flying.remove(file);
      FileState state = context.inventory.file(file).orElseThrow();
      state.endWrite();
      if (flushed == null) {
        failed(file, taken, state, error);
      } else if (flushed.doubted()) {
        later(file, taken);
      } else {
        List<StoreEvent> events = new ArrayList<>();
        Replaced replaced = flushed.replaced();
        for (PendingWrite each : taken) {
          if (each.settle(context.inventory, replaced.results(), flushed.view(), events)) {
            dirty.computeIfAbsent(file, path -> new TreeSet<>()).add(each.node().name);
          }
        }
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

  private void failed(
      Path file, List<PendingWrite> taken, FileState state, @Nullable Throwable error) {
    String problem = "cannot be replaced: " + words(error);
    String remedy = "Check permissions and free space; it is tried again by itself.";
    state.unwritable = Optional.of(new ResourceProblem(file.toString(), "", problem, remedy));
    later(file, taken);
  }

  private void later(Path file, List<PendingWrite> taken) {
    Set<String> names = dirty.computeIfAbsent(file, path -> new TreeSet<>());
    taken.forEach(each -> names.add(each.node().name));
    schedule(file, context.options.pollInterval());
  }

  private static String words(@Nullable Throwable error) {
    if (error instanceof IOException io) {
      return Words.of(io);
    }
    return error instanceof MalformedText malformed
        ? malformed.problem()
        : String.valueOf(error == null ? "no answer" : error.getMessage());
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
      for (Path file : files) {
        Cancellable timer = timers.remove(file);
        if (timer != null) {
          timer.cancel();
        }
      }
    }
    files.forEach(this::flush);
    return done;
  }

  private void giveUp(CompletableFuture<FlushReport> done) {
    FlushReport report;
    synchronized (context.lock) {
      waiting.removeIf(each -> each == done);
      report = report();
    }
    done.complete(report);
  }

  /**
   * Writes in this thread what is not under way; called once, when nothing else is accepted any
   * more.
   */
  FlushReport finish() {
    List<Path> files;
    synchronized (context.lock) {
      ended = true;
      timers.values().forEach(Cancellable::cancel);
      timers.clear();
      files = List.copyOf(dirty.keySet());
    }
    for (Path file : files) {
      List<PendingWrite> taken;
      FileView known;
      synchronized (context.lock) {
        taken = take(file);
        known = context.inventory.file(file).map(each -> each.view).orElseGet(FileView::nothing);
      }
      if (!taken.isEmpty()) {
        finish(file, taken, known);
      }
    }
    synchronized (context.lock) {
      return report();
    }
  }

  private void finish(Path file, List<PendingWrite> taken, FileView known) {
    Flushed flushed = null;
    Throwable error = null;
    try {
      flushed = replace(file, taken, known);
    } catch (IOException | MalformedText e) {
      error = e;
    }
    flushed(file, taken, flushed, error);
  }

  private boolean isIdle() {
    return dirty.isEmpty() && flying.isEmpty();
  }

  private FlushReport report() {
    Set<String> unknown =
        flying.values().stream()
            .flatMap(List::stream)
            .map(each -> each.node().name)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> unwritten =
        dirty.values().stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
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
