package io.tidemark.kubernetes.events;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.spi.BlockedReason;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A server that keeps Events for an hour, and one that writes them, all in virtual time. */
final class EventWorld {
  private static final Duration KEPT = Duration.ofHours(1);
  static final int PROBLEMS_MAX = 100;

  /** An Event as the server has it. */
  record Shown(String reason, boolean open, String message, int count, long atNanos) {}

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final Map<String, String> uids = new HashMap<>();
  final Map<String, Shown> server = new TreeMap<>();

  /** Requests in order: the verb and the node. */
  final List<String> requests = new ArrayList<>();

  final List<Long> requestNanos = new ArrayList<>();

  /** Who reported, in the order of {@link #requests}. */
  final List<String> components = new ArrayList<>();

  /** The end of every request while it is set. */
  @Nullable ApiFailure refusal;

  ClusterEvents events = process();

  /** A process that knows nothing of an earlier one. */
  ClusterEvents process() {
    return new ClusterEvents(
        this::send,
        time.effects((site, at) -> EffectFate.answered(Duration.ZERO, Duration.ofMillis(5))),
        time,
        PROBLEMS_MAX);
  }

  private EventEnd send(EventWrite write) {
    requests.add((write.creates() ? "create " : "patch ") + write.subject().name());
    requestNanos.add(time.nanos());
    components.add(write.kind().component());
    ApiFailure failure = refusal;
    if (failure != null) {
      return new EventEnd.Failed(failure);
    }
    Shown before = server.get(write.name());
    if (before != null && time.nanos() - before.atNanos() > KEPT.toNanos()) {
      server.remove(write.name());
      before = null;
    }
    if (write.creates() && before != null) {
      return new EventEnd.Exists();
    }
    if (!write.creates() && before == null) {
      return new EventEnd.Forgotten();
    }
    int count = write.count().orElse(before == null ? 1 : before.count());
    server.put(
        write.name(),
        new Shown(write.kind().reason(), write.open(), write.message(), count, time.nanos()));
    return new EventEnd.Stored(count);
  }

  void run(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  void report(String node, BlockedReason reason, String detail) {
    uids.putIfAbsent(node, "uid-of-" + node);
    onNodes().report(node, reason, detail);
  }

  void cleared(String node, BlockedReason reason) {
    onNodes().cleared(node, reason);
  }

  private ObjectEvents onNodes() {
    return events.onCiliumNodes(node -> Optional.ofNullable(uids.get(node)));
  }

  /** The Events on the server: reason, whether it is a warning, how often. */
  List<String> shown() {
    return server.values().stream()
        .map(it -> it.reason() + (it.open() ? " warning " : " normal ") + it.count())
        .sorted()
        .toList();
  }
}
