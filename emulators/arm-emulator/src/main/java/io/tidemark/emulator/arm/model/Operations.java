package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ModelOptions.Announcement;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.emulator.kit.time.Agenda;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The writes that go on ("Track asynchronous Azure operations"). Each ends in time or at a poll.
 * Not thread-safe.
 */
final class Operations {
  private final ModelOptions options;
  private final Agenda agenda;
  private final World world;
  private final SplittableRandom random;
  private final Map<String, LongOperation> all = new HashMap<>();
  private final Map<ArmId, LongOperation> running = new HashMap<>();

  Operations(ModelOptions options, Agenda agenda, World world, SplittableRandom random) {
    this.options = options;
    this.agenda = agenda;
    this.world = world;
    this.random = random;
  }

  /**
   * Refuses a write to a resource that is being written, unless the options let it take the place
   * of what goes on there.
   *
   * @param updating whether the resource's provisioningState says that something goes on
   */
  void requireIdle(ArmId resource, boolean updating) {
    if (!updating && !goesOn(resource)) {
      return;
    }
    String text = "Another operation on " + resource + " is in progress.";
    switch (options.busy()) {
      case ANOTHER_OPERATION_429 ->
          throw refused(ArmError.of(429, "RetryableErrorDueToAnotherOperation", text));
      case NOT_PROVISIONED_429 ->
          throw refused(
              ArmError.of(429, "RetryableError", "A retryable error occurred.")
                  .because("ReferencedResourceNotProvisioned", text));
      case IN_PROGRESS_409 -> throw refused(ArmError.of(409, "AnotherOperationInProgress", text));
      case CONCURRENT_WRITE_409 ->
          throw refused(ArmError.of(409, "ConflictingConcurrentWriteNotAllowed", text));
      case PREEMPT -> {} // once it is accepted
    }
  }

  /** Refuses a write to what is being deleted, also where a write may take the place of another. */
  void requireKept(ArmId resource) {
    LongOperation last = running.get(resource);
    if (last != null && !last.isOver() && last.removes()) {
      throw refused(
          ArmError.of(
              409, "AnotherOperationInProgress", "The resource %s is being deleted.", resource));
    }
  }

  /** Whether an accepted write of the resource has not ended. */
  boolean goesOn(ArmId resource) {
    LongOperation last = running.get(resource);
    return last != null && !last.isOver();
  }

  /** Ends what goes on at a resource, because something newer takes its place. */
  void preempt(ArmId resource, Instant now) {
    LongOperation before = running.get(resource);
    if (before != null && !before.isOver()) {
      before.preempt(now);
    }
  }

  private Refusal refused(ArmError error) {
    return new Refusal(options.retryAfter().map(error::after).orElse(error));
  }

  /**
   * Begins an operation in the place of one that goes on there; it ends at once where the options
   * let it take no time.
   */
  LongOperation begin(
      ArmId resource, ArmId machine, Optional<ArmFault> fault, Instant now, LongOperation.End end) {
    all.values()
        .removeIf(
            each -> each.isOver() && !each.ended().plus(options.operationExpiry()).isAfter(now));
    LongOperation begun =
        new LongOperation(
            world.newUuid(),
            resource,
            machine,
            Long.toHexString(random.nextLong()),
            now,
            fault,
            end);
    preempt(resource, now);
    all.put(begun.id, begun);
    running.put(resource, begun);
    if (options.operationPolls() == 0) {
      Duration lasts = options.operation().draw(random);
      if (lasts.isZero()) {
        begun.finish(now);
      } else {
        Instant due = now.plus(lasts);
        agenda.at(due, () -> begun.finish(due));
      }
    }
    return begun;
  }

  /** The response to an accepted write; the network provider has no 202 for one. */
  ArmReply accepted(
      LongOperation begun,
      ArmRequest request,
      String provider,
      String location,
      Supplier<Document> body) {
    Announcement how = options.announcement();
    boolean bare = how == Announcement.LOCATION && provider.equals("Microsoft.Compute");
    return announced(ArmReply.of(bare ? 202 : 200, body), how, begun, request, provider, location);
  }

  /**
   * The response to an accepted deletion. It has a {@code Location} where nothing else tells its
   * end: there is no state to be read from a resource that is gone.
   */
  ArmReply deleting(LongOperation begun, ArmRequest request, String location) {
    Announcement how = options.announcement();
    return announced(
        ArmReply.ofText(202, ""),
        how == Announcement.NONE ? Announcement.LOCATION : how,
        begun,
        request,
        "Microsoft.Network",
        location);
  }

  private ArmReply announced(
      ArmReply accepted,
      Announcement how,
      LongOperation begun,
      ArmRequest request,
      String provider,
      String location) {
    String base =
        request.origin()
            + "/subscriptions/"
            + begun.resource.subscription()
            + "/providers/"
            + provider
            + "/locations/"
            + location;
    String query =
        "?api-version=" + request.apiVersion() + "&t=1&c=emulator&s=" + begun.signature + "&h=1";
    ArmReply reply = accepted;
    if (how == Announcement.BOTH || how == Announcement.ASYNC_OPERATION) {
      reply = reply.with("Azure-AsyncOperation", base + "/operations/" + begun.id + query);
    }
    if (how == Announcement.BOTH || how == Announcement.LOCATION) {
      reply = reply.with("Location", base + "/operationResults/" + begun.id + query);
    }
    return withRetryAfter(reply);
  }

  private ArmReply withRetryAfter(ArmReply reply) {
    return options
        .retryAfter()
        .map(wait -> reply.with("Retry-After", ArmReply.seconds(wait)))
        .orElse(reply);
  }

  /** The machine whose operation a path names; the path itself when there is none. */
  ArmId machineOf(ArmId path) {
    @Nullable LongOperation found = all.get(path.name());
    return found == null ? path : found.machine;
  }

  /** The response to a poll of the operation's state. */
  ArmReply state(ArmRequest request, ArmId path, Instant now) {
    LongOperation found = polled(request, path, now);
    ArmReply reply = ArmReply.of(200, found.document());
    return found.isOver() ? reply : withRetryAfter(reply);
  }

  /** The operation whose result is asked for, after this poll. */
  LongOperation polled(ArmRequest request, ArmId path, Instant now) {
    LongOperation found = all.get(path.name());
    if (found == null
        || (found.isOver() && !found.ended().plus(options.operationExpiry()).isAfter(now))) {
      throw Refusal.of(404, "NotFound", "The operation %s was not found.", path.name());
    }
    Refusal.when(
        !found.signature.equals(request.query().get("s")),
        403,
        "AuthorizationFailed",
        "The signature of the request is not valid.");
    if (options.operationPolls() > 0 && found.polled() >= options.operationPolls()) {
      found.finish(now);
    }
    return found;
  }

  /** The response while a result is not there yet. */
  ArmReply pending() {
    return withRetryAfter(ArmReply.of(202, Document.EMPTY));
  }
}
