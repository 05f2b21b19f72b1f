package io.tidemark.node;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks the virtual machine which locks a thread holds: at a door to the outside, none may be held
 * (NM-L1); anywhere, locks must be nested in one order (NM-L8). Thread-safe.
 */
public final class LockCheck {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int every;
  private final AtomicInteger visits = new AtomicInteger();
  private final AtomicInteger checks = new AtomicInteger();
  private final Queue<String> held = new ConcurrentLinkedQueue<>();
  private final Map<String, Set<String>> innerByOuter = new TreeMap<>();

  /**
   * Looks at one of {@code every} visits. Each look at locks walks the heap, so what earlier tests
   * have left there is collected first.
   */
  public LockCheck(int every) {
    this.every = every;
    System.gc();
  }

  /** The calling thread leaves for {@code where}, which may block. */
  public void leaving(String where) {
    if (visits.incrementAndGet() % every != 0) {
      return;
    }
    checks.incrementAndGet();
    long self = Thread.currentThread().getId();
    ThreadInfo info = THREADS.getThreadInfo(new long[] {self}, true, true)[0];
    for (MonitorInfo monitor : info.getLockedMonitors()) {
      held.add(
          where + " is called with " + monitor + " locked in " + monitor.getLockedStackFrame());
    }
    for (LockInfo lock : info.getLockedSynchronizers()) {
      if (!lock.getClassName().endsWith("ThreadPoolExecutor$Worker")) {
        held.add(where + " is called with " + lock + " locked");
      }
    }
  }

  /** Notes which locks all threads hold at this moment, outer before inner. */
  public synchronized void sample() {
    for (ThreadInfo info : THREADS.dumpAllThreads(true, false)) {
      List<MonitorInfo> monitors = new ArrayList<>(List.of(info.getLockedMonitors()));
      monitors.removeIf(monitor -> !isOurs(monitor));
      // The deeper the frame lies in the stack, the earlier the lock was taken.
      monitors.sort((a, b) -> b.getLockedStackDepth() - a.getLockedStackDepth());
      for (int outer = 0; outer < monitors.size(); outer++) {
        for (int inner = outer + 1; inner < monitors.size(); inner++) {
          note(kind(monitors.get(outer)), kind(monitors.get(inner)));
        }
      }
    }
  }

  /** The platform's own locks, those of an output stream for instance, are not ours to order. */
  private static boolean isOurs(MonitorInfo monitor) {
    StackTraceElement frame = monitor.getLockedStackFrame(); // null while a frame is being left
    return frame != null && frame.getClassName().startsWith("io.tidemark.");
  }

  private void note(String outer, String inner) {
    if (!outer.equals(inner)) {
      innerByOuter.computeIfAbsent(outer, any -> new TreeSet<>()).add(inner);
    }
  }

  private static String kind(MonitorInfo monitor) {
    return monitor.getClassName() + " in " + monitor.getLockedStackFrame().getClassName();
  }

  /** How often was looked. */
  public int checks() {
    return checks.get();
  }

  /** Locks that were held where none may be. */
  public List<String> heldOutside() {
    return List.copyOf(held);
  }

  /** Locks that were taken inside one another, in both orders; empty when there is one order. */
  public synchronized List<String> cycles() {
    List<String> cycles = new ArrayList<>();
    for (String start : innerByOuter.keySet()) {
      if (reaches(start, start, new TreeSet<>())) {
        cycles.add(start + " can be inside itself: " + innerByOuter);
      }
    }
    long[] dead = THREADS.findDeadlockedThreads();
    if (dead != null) {
      cycles.add("deadlocked: " + List.of(THREADS.getThreadInfo(dead)));
    }
    return cycles;
  }

  private boolean reaches(String from, String to, Set<String> seen) {
    for (String inner : innerByOuter.getOrDefault(from, Set.of())) {
      if (inner.equals(to) || (seen.add(inner) && reaches(inner, to, seen))) {
        return true;
      }
    }
    return false;
  }
}
