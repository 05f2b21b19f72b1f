package io.tidemark.time;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of the present instant, first in first out, each with the process it belongs to.
 *
 * @param <P> a process; a task can have none
 */
final class NowQueue<P> {
  private static final int FIRST_CAPACITY = 64;

  private @Nullable Runnable[] tasks = new @Nullable Runnable[FIRST_CAPACITY];
  private @Nullable Object[] processes = new @Nullable Object[FIRST_CAPACITY];
  private int head;
  private int size;

  int size() {
    return size;
  }

  void add(Runnable task, @Nullable P process) {
    if (size == tasks.length) {
      grow();
    }
    int tail = (head + size++) & (tasks.length - 1);
    tasks[tail] = task;
    processes[tail] = process;
  }

  @SuppressWarnings("NullAway") // the caller asks only when not empty
  Runnable firstTask() {
    return tasks[head];
  }

  @SuppressWarnings("unchecked") // only add() fills the array
  @Nullable P firstProcess() {
    return (P) processes[head];
  }

  void removeFirst() {
    tasks[head] = null;
    processes[head] = null;
    head = (head + 1) & (tasks.length - 1);
    size--;
  }

  /** Removes the tasks of {@code process}, handing each to {@code removed}. */
  void removeOf(P process, Consumer<Runnable> removed) {
    for (int left = size; left > 0; left--) {
      Runnable task = firstTask();
      P of = firstProcess();
      removeFirst();
      if (of == process) {
        removed.accept(task);
      } else {
        add(task, of);
      }
    }
  }

  private void grow() {
    int old = tasks.length;
    tasks = unrolled(tasks, Arrays.copyOf(tasks, old * 2));
    processes = unrolled(processes, Arrays.copyOf(processes, old * 2));
    head = 0;
  }

  private <T> @Nullable T[] unrolled(@Nullable T[] from, @Nullable T[] to) {
    System.arraycopy(from, head, to, 0, from.length - head);
    System.arraycopy(from, 0, to, from.length - head, head);
    return to;
  }
}
