package io.tidemark.kubernetes;

import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The watches over one connection, which are looked at from time to time: one that is open and
 * silent is opened again, one without a sign of life for too long is reported. Thread-safe; its
 * questions never block.
 */
public final class Watches implements AutoCloseable {
  private final WatchPace pace;
  private final ThreadTaskScheduler timer;
  private final List<WatchTrouble> open = new CopyOnWriteArrayList<>();

  private Watches(WatchPace pace, ThreadTaskScheduler timer) {
    this.pace = pace;
    this.timer = timer;
  }

  /** Starts the thread that looks. */
  static Watches start(WatchPace pace) {
    Watches watches =
        new Watches(pace, ThreadTaskScheduler.start("watches", SystemTime.instance()));
    watches.look();
    return watches;
  }

  private void look() {
    open.forEach(each -> each.look(nanos()));
    timer.after(pace.look(), this::look);
  }

  WatchPace pace() {
    return pace;
  }

  ThreadTaskScheduler timer() {
    return timer;
  }

  long nanos() {
    return timer.time().nanos();
  }

  void add(WatchTrouble watch) {
    open.add(watch);
  }

  void remove(WatchTrouble watch) {
    open.remove(watch);
  }

  /** Watches that are older than their deadline, a sentence each, with the code and what to do. */
  public List<String> late() {
    return open.stream().map(WatchTrouble::late).flatMap(Optional::stream).toList();
  }

  /** The time since the last sign of life of each watch that was open once, by what it watches. */
  public SortedMap<String, Duration> ages() {
    SortedMap<String, Duration> ages = new TreeMap<>();
    open.forEach(each -> each.age().ifPresent(age -> ages.merge(each.kind(), age, Watches::older)));
    return ages;
  }

  private static Duration older(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  @Override
  public void close() {
    timer.close();
  }
}
