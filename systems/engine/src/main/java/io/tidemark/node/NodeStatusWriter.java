package io.tidemark.node;

import io.tidemark.metrics.Metric;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer of a node's resource: status, then spec, each with bounded attempts on the fresh
 * object (node-manager 6). Used on the node's lane, one write at a time (NM-S4); requests run as
 * effects.
 */
final class NodeStatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeStatusWriter.class);

  private static final int LOOKS = 3;

  private final NodeParts node;
  private final NodeObserver observer;
  private final ForeignWriterGuard foreignWriter;

  NodeStatusWriter(NodeParts node, NodeObserver observer) {
    this.node = node;
    this.observer = observer;
    this.foreignWriter = observer.foreignWriter();
  }

  /**
   * Brings the object to what the observer's publication says. It is asked before each attempt at
   * the status, because handshake and interfaces must be of one moment; the spec gets the pool that
   * was taken with the status.
   *
   * @param last what was last known of the instance
   */
  CompletionStage<NodeWriting.Result> write(NodeSnapshot last) {
    Optional<NodeResource> latest = node.latest();
    if (latest.isEmpty()) {
      return CompletableFuture.completedStage(new NodeWriting.Result.Done());
    }
    observer.look(latest.get());
    Published published = new Published();
    Part status =
        new Part(
            "updateStatus",
            base -> status(base, published, last),
            NodeResource::sameStatus,
            NodeResourceStore::updateStatus);
    Part spec =
        new Part(
            "update",
            base -> published.last.map(said -> said.spec(base)),
            NodeResource::sameSpec,
            NodeResourceStore::update);
    return attempt(status, latest.get(), 1)
        .thenComposeAsync(end -> continueWith(spec, end), node.lane())
        .thenComposeAsync(
            end ->
                published.moved ? continueWith(status, end) : CompletableFuture.completedStage(end),
            node.lane())
        .thenApply(End::result);
  }

  /**
   * The status, of the same picture as pool and marks. Empty when the provider's picture keeps
   * changing while it is looked at: what changes it asks for a write anyway.
   */
  private Optional<NodeResource> status(NodeResource base, Published published, NodeSnapshot last) {
    for (int look = 0; look < LOOKS; look++) {
      Optional<NodePublication> now = observer.publication(last);
      Optional<NodeResource> changed = now.map(it -> it.status(base, node.operations()));
      if (now.isEmpty() || now.get().isOf(node.operations().inventory())) {
        published.last = now;
        published.moved |= now.isPresent() && now.get().moves(base);
        return changed;
      }
    }
    return Optional.empty();
  }

  /** The last content of the status, so that the spec says the same. Used on the lane. */
  private static final class Published {
    private Optional<NodePublication> last = Optional.empty();
    private boolean moved;
  }

  /**
   * One of the two writes: how to make the object (empty: not now), how to compare it, how to send
   * it.
   */
  private record Part(
      String operation,
      Function<NodeResource, Optional<NodeResource>> change,
      Same same,
      Send send) {}

  private interface Same {
    boolean test(NodeResource left, NodeResource right);
  }

  private interface Send {
    StoreResult apply(NodeResourceStore store, NodeResource original, NodeResource changed);
  }

  /** Where a part ended: the object to go on with; empty when there is none to write on. */
  private record End(Optional<NodeResource> resource, NodeWriting.Result result) {
    static CompletionStage<End> on(NodeResource resource) {
      return CompletableFuture.completedStage(
          new End(Optional.of(resource), new NodeWriting.Result.Done()));
    }

    static CompletionStage<End> nowhere(NodeWriting.Result result) {
      return CompletableFuture.completedStage(new End(Optional.empty(), result));
    }
  }

  private CompletionStage<End> continueWith(Part next, End before) {
    return before.resource().isEmpty()
        ? CompletableFuture.completedStage(before)
        : attempt(next, before.resource().get(), 1);
  }

  private CompletionStage<End> attempt(Part part, NodeResource base, int number) {
    if (foreignWriter.keepsStill() || node.cancellation().isCancelled() || !node.owns(base)) {
      return End.nowhere(new NodeWriting.Result.Done());
    }
    Optional<NodeResource> wanted = part.change().apply(base);
    if (wanted.isEmpty()) {
      return End.nowhere(new NodeWriting.Result.Done());
    }
    NodeResource changed = wanted.get();
    if (part.same().test(base, changed)) {
      return End.on(base);
    }
    foreignWriter.sending(changed);
    return node.request(part.operation(), store -> part.send().apply(store, base, changed))
        .thenComposeAsync(result -> ended(part, base, number, result), node.lane());
  }

  private CompletionStage<End> ended(Part part, NodeResource base, int number, StoreResult result) {
    return result.match(
        stored -> {
          foreignWriter.stored(stored);
          observer.saw(stored);
          return End.on(stored);
        },
        () -> End.on(base),
        () -> {
          foreignWriter.refused();
          node.environment().ports().metrics().count(Metric.SYNC_CONFLICTS);
          return again(part, number, "the object is newer than the one the change was made on");
        },
        () -> End.nowhere(new NodeWriting.Result.Done()),
        detail -> {
          foreignWriter.refused();
          return End.nowhere(new NodeWriting.Result.Refused(detail));
        },
        detail -> again(part, number, detail));
  }

  private CompletionStage<End> again(Part part, int number, String why) {
    if (number >= node.environment().config().maintenance().syncAttempts()) {
      LOG.warn(
          "Writing the resource failed; the next trigger tries again. "
              + "node={} operation={} attempts={} cause={}",
          node.name(),
          part.operation(),
          number,
          why);
      return End.nowhere(new NodeWriting.Result.Failed());
    }
    LOG.debug(
        "Retrying the write on the current object. node={} operation={} cause={}",
        node.name(),
        part.operation(),
        why);
    return node.read()
        .thenComposeAsync(
            result ->
                result.match(
                    fresh -> {
                      // The watch may have brought a newer version meanwhile.
                      NodeResource newest = node.latest().orElse(fresh);
                      observer.look(newest);
                      observer.saw(newest);
                      return attempt(part, newest, number + 1);
                    },
                    () -> failedToRead(part, "unchanged"),
                    () -> failedToRead(part, "conflict"),
                    () -> End.nowhere(new NodeWriting.Result.Done()),
                    detail -> failedToRead(part, detail),
                    detail -> failedToRead(part, detail)),
            node.lane());
  }

  private CompletionStage<End> failedToRead(Part part, String why) {
    LOG.warn(
        "Reading the resource failed; the next trigger tries again. node={} operation={} cause={}",
        node.name(),
        part.operation(),
        why);
    return End.nowhere(new NodeWriting.Result.Failed());
  }
}
