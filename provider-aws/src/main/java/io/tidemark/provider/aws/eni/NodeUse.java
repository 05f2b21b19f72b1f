package io.tidemark.provider.aws.eni;

import io.tidemark.provider.kit.InstanceView;
import io.tidemark.spi.InterfaceId;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Keeps what adds addresses to a node's interfaces and what takes interfaces away out of each
 * other's way. Thread-safe: who adds counts itself first and then asks whether the interface
 * leaves, who takes away says so first and then asks whether somebody adds; so one of them sees the
 * other.
 */
final class NodeUse {
  private final TimeSource time;
  private final AtomicInteger adding = new AtomicInteger();
  private final Set<InterfaceId> leaving = ConcurrentHashMap.newKeySet();
  private volatile long wantedNanos;

  NodeUse(TimeSource time) {
    this.time = time;
    this.wantedNanos = time.nanos();
  }

  void wanted() {
    wantedNanos = time.nanos();
  }

  boolean contentFor(Duration duration) {
    return time.nanos() - wantedNanos >= duration.toNanos();
  }

  <T> CompletionStage<T> adding(Supplier<CompletionStage<T>> change) {
    adding.incrementAndGet();
    boolean begun = false;
    try {
      CompletionStage<T> stage = change.get();
      begun = true;
      return stage.whenComplete((value, thrown) -> adding.decrementAndGet());
    } finally {
      if (!begun) {
        adding.decrementAndGet();
      }
    }
  }

  /**
   * From now on nobody adds to this interface.
   *
   * @return false when somebody is adding to the node now; then nothing has changed
   */
  boolean leave(InterfaceId id) {
    leaving.add(id);
    if (adding.get() == 0) {
      return true;
    }
    leaving.remove(id);
    return false;
  }

  /** The interface stays after all, or is gone for good. */
  void settled(InterfaceId id) {
    leaving.remove(id);
  }

  boolean isLeaving(InterfaceId id) {
    return leaving.contains(id);
  }

  /** The interfaces for a plan that adds: those that get nothing more only take their places. */
  InstanceView<AwsEni> forAdding(InstanceView<AwsEni> view, Predicate<AwsEni> retired) {
    if (view.interfaces().stream().noneMatch(eni -> isLeaving(eni.id()) || retired.test(eni))) {
      return view;
    }
    return new InstanceView<>(
        view.generation(),
        view.interfaces().stream()
            .map(eni -> isLeaving(eni.id()) || retired.test(eni) ? eni.unmanaged() : eni)
            .toList(),
        view.doubtful());
  }
}
