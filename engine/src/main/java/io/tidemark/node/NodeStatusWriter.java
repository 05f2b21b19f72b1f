package io.tidemark.node;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.NodeOperations;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
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

  private final String name;
  private final NodeEnvironment environment;
  private final NodeOperations operations;
  private final Executor lane;
  private final ForeignWriterGuard foreignWriter;
  private final StoreRequests requests;
  private final Predicate<NodeResource> mine;
  private final Consumer<NodeResource> written;

  /**
   * Of one node.
   *
   * @param mine whether an object is still this node's: of its instance, and the node not gone
   * @param written receives the object as each write left it or a read found it, on the lane
   */
  NodeStatusWriter(
      String name,
      NodeEnvironment environment,
      NodeOperations operations,
      Executor lane,
      ForeignWriterGuard foreignWriter,
      Predicate<NodeResource> mine,
      Consumer<NodeResource> written) {
    this.name = name;
    this.environment = environment;
    this.operations = operations;
    this.lane = lane;
    this.foreignWriter = foreignWriter;
    this.requests = new StoreRequests(name, environment);
    this.mine = mine;
    this.written = written;
  }

  /** How a write of status and spec ended. */
  sealed interface Result {
    /** The object says what we want, is gone, or is not ours to write. */
    record Done() implements Result {}

    /** Given up for now; the spec was left alone when it was the status (NM-S5). */
    record Failed() implements Result {}

    /** As failed, because the home does not take what we want to write: it would say so again. */
    record Refused(String detail) implements Result {}
  }

  /**
   * Brings the object to what {@code publication} says.
   *
   * @param publication asked on the lane before each attempt at the status, because handshake and
   *     interfaces must be of one moment, and empty while nothing may be written; the spec gets the
   *     pool that was taken with the status
   */
  CompletionStage<Result> write(Supplier<Optional<NodePublication>> publication) {
    Optional<NodeResource> latest = environment.ports().store().latest(name);
    if (latest.isEmpty()) {
      return CompletableFuture.completedStage(new Result.Done());
    }
    foreignWriter.seen(latest.get());
    Published published = new Published();
    Part status =
        new Part(
            "updateStatus",
            base -> status(base, published, publication),
            NodeResource::sameStatus,
            NodeResourceStore::updateStatus);
    Part spec =
        new Part(
            "update",
            base -> published.last.map(last -> last.spec(base)),
            NodeResource::sameSpec,
            NodeResourceStore::update);
    return attempt(status, latest.get(), 1)
        .thenComposeAsync(end -> continueWith(spec, end), lane)
        .thenComposeAsync(
            end ->
                published.moved ? continueWith(status, end) : CompletableFuture.completedStage(end),
            lane)
        .thenApply(End::result);
  }

  /**
   * The status, of the same picture as pool and marks. Empty when the provider's picture keeps
   * changing while it is looked at: what changes it asks for a write anyway.
   */
  private Optional<NodeResource> status(
      NodeResource base, Published published, Supplier<Optional<NodePublication>> publication) {
    for (int look = 0; look < LOOKS; look++) {
      Optional<NodePublication> now = publication.get();
      Optional<NodeResource> changed = now.map(it -> it.status(base, operations));
      if (now.isEmpty() || now.get().isOf(operations.inventory())) {
        published.last = now;
        published.moved |= now.isPresent() && now.get().moves(base);
        return changed;
      }
    }
    return Optional.empty();
  }

  /** What the status said last, so that the spec says the same. Used on the lane. */
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
  private record End(Optional<NodeResource> resource, Result result) {
    static CompletionStage<End> on(NodeResource resource) {
      return CompletableFuture.completedStage(new End(Optional.of(resource), new Result.Done()));
    }

    static CompletionStage<End> nowhere(Result result) {
      return CompletableFuture.completedStage(new End(Optional.empty(), result));
    }
  }

  private CompletionStage<End> continueWith(Part next, End before) {
    return before.resource().isEmpty()
        ? CompletableFuture.completedStage(before)
        : attempt(next, before.resource().get(), 1);
  }

  private CompletionStage<End> attempt(Part part, NodeResource base, int number) {
    if (foreignWriter.keepsStill() || !mine.test(base)) {
      return End.nowhere(new Result.Done());
    }
    Optional<NodeResource> wanted = part.change().apply(base);
    if (wanted.isEmpty()) {
      return End.nowhere(new Result.Done());
    }
    NodeResource changed = wanted.get();
    if (part.same().test(base, changed)) {
      return End.on(base);
    }
    foreignWriter.sending(changed);
    return requests
        .send(part.operation(), store -> part.send().apply(store, base, changed))
        .thenComposeAsync(result -> ended(part, base, number, result), lane);
  }

  private CompletionStage<End> ended(Part part, NodeResource base, int number, StoreResult result) {
    return result.match(
        stored -> {
          foreignWriter.stored(stored);
          written.accept(stored);
          return End.on(stored);
        },
        () -> End.on(base),
        () -> {
          foreignWriter.refused();
          environment.ports().metrics().syncConflict();
          return again(part, number, "the object is newer than the one the change was made on");
        },
        () -> End.nowhere(new Result.Done()),
        detail -> {
          foreignWriter.refused();
          return End.nowhere(new Result.Refused(detail));
        },
        detail -> again(part, number, detail));
  }

  private CompletionStage<End> again(Part part, int number, String why) {
    if (number >= environment.config().engine().syncAttempts()) {
      LOG.warn(
          "Writing the resource failed; the next trigger tries again. "
              + "node={} operation={} attempts={} cause={}",
          name,
          part.operation(),
          number,
          why);
      return End.nowhere(new Result.Failed());
    }
    LOG.debug(
        "Writing the resource again on the fresh object. node={} operation={} cause={}",
        name,
        part.operation(),
        why);
    return requests
        .read()
        .thenComposeAsync(
            result ->
                result.match(
                    fresh -> {
                      NodeResource newest = newest(fresh);
                      foreignWriter.seen(newest);
                      written.accept(newest);
                      return attempt(part, newest, number + 1);
                    },
                    () -> failedToRead(part, "unchanged"),
                    () -> failedToRead(part, "conflict"),
                    () -> End.nowhere(new Result.Done()),
                    detail -> failedToRead(part, detail),
                    detail -> failedToRead(part, detail)),
            lane);
  }

  /** The watch may have brought a newer version while the answer was on its way to the lane. */
  private NodeResource newest(NodeResource read) {
    return environment.ports().store().latest(name).orElse(read);
  }

  private CompletionStage<End> failedToRead(Part part, String why) {
    LOG.warn(
        "Reading the resource failed; the next trigger tries again. node={} operation={} cause={}",
        name,
        part.operation(),
        why);
    return End.nowhere(new Result.Failed());
  }
}
