package io.tidemark.manifests;

import io.tidemark.manifests.FolderReader.Known;
import io.tidemark.manifests.FolderReader.Scan;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectSite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the folder again and again: at all files every interval, less often where a look takes
 * long, and a short time after a change at the changed files alone, to see whether they stand
 * still.
 */
final class FolderPoller<T> {
  private static final Logger LOG = LoggerFactory.getLogger(FolderPoller.class);
  private static final int LOOKS_UNTIL_SYNCED_MAX = 3;

  /** A look of a tenth of a second is followed by a pause of one. */
  private static final int LOOKS_SHARE = 10;

  private static final long INTERVAL_NANOS_MAX = 5_000_000_000L;

  private final StoreContext<T> context;
  private boolean running;
  private boolean looking;
  private boolean nudged;
  private boolean synced;
  private int looks;
  private int turn;
  private long lookedFromNanos;
  private @Nullable Cancellable timer;

  FolderPoller(StoreContext<T> context) {
    this.context = context;
  }

  /** Begins; called under the lock, once after each {@link #stop}. */
  void start() {
    running = true;
    synced = false;
    looks = 0;
    turn++;
    after(Duration.ZERO, false);
  }

  /** Ends; called under the lock. A look that is under way means nothing any more. */
  void stop() {
    running = false;
    looking = false;
    nudged = false;
    if (timer != null) {
      timer.cancel();
    }
  }

  /** Looks at all files as soon as possible; called under the lock. */
  void nudge() {
    if (running && looking) {
      nudged = true;
    } else if (running) {
      after(Duration.ZERO, false);
    }
  }

  private void after(Duration delay, boolean suspectsOnly) {
    if (timer != null) {
      timer.cancel();
    }
    int mine = turn;
    timer = context.scheduler.after(delay, () -> look(mine, suspectsOnly));
  }

  private void look(int mine, boolean suspectsOnly) {
    Map<Path, Known<T>> known;
    Set<Path> suspects;
    synchronized (context.lock) {
      if (!running || looking || mine != turn) {
        return;
      }
      looking = true;
      lookedFromNanos = context.scheduler.time().nanos();
      known = context.inventory.known();
      suspects = context.inventory.suspects();
    }
    context
        .effects
        .run(
            new EffectSite("lookAtFiles", ""),
            context.options.requestTimeout(),
            () ->
                suspectsOnly
                    ? context.reader.lookAt(suspects, known)
                    : context.reader.lookAtAll(known))
        .stage()
        .whenComplete((scan, error) -> looked(mine, suspectsOnly, scan, error, known));
  }

  private void looked(
      int mine,
      boolean suspectsOnly,
      @Nullable Scan<T> scan,
      @Nullable Throwable error,
      Map<Path, Known<T>> known) {
    synchronized (context.lock) {
      if (!running || mine != turn) {
        return;
      }
      looking = false;
      looks++;
      List<Consumer<ObjectWatcher<T>>> events =
          new ArrayList<>(context.inventory.apply(scan == null ? noAnswer(error) : scan, known));
      boolean settled = context.inventory.suspects().isEmpty();
      if (!synced && (settled || looks >= LOOKS_UNTIL_SYNCED_MAX)) {
        synced = true;
        events.add(ObjectWatcher::synced);
      }
      context.queue(events);
      if (nudged) {
        nudged = false;
        after(Duration.ZERO, false);
      } else if (!settled && !suspectsOnly) {
        after(context.options.settleTime(), true);
      } else {
        after(interval(), false);
      }
    }
    context.deliver();
  }

  /** The poll interval; longer where one look takes long, so that looking stays a small part. */
  private Duration interval() {
    long look = context.scheduler.time().nanos() - lookedFromNanos;
    long least = Math.min(look * LOOKS_SHARE, INTERVAL_NANOS_MAX);
    Duration usual = context.options.pollInterval();
    return usual.toNanos() >= least ? usual : Duration.ofNanos(least);
  }

  private Scan<T> noAnswer(@Nullable Throwable error) {
    LOG.warn("no answer from the file system of {}", context.folder, error);
    String problem = "cannot be read: " + (error == null ? "no answer" : error.getMessage());
    String remedy = "Check the file system; reads are retried automatically.";
    return Scan.failed(new ResourceProblem(context.folder.toString(), "", problem, remedy));
  }
}
