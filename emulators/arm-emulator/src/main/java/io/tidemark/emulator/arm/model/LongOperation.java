package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A write that was accepted and goes on. Not thread-safe. */
final class LongOperation {
  enum Status {
    IN_PROGRESS("InProgress"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    CANCELED("Canceled");

    private final String wire;

    Status(String wire) {
      this.wire = wire;
    }
  }

  /**
   * The effect of an operation on its resource.
   *
   * @param complete does what is left to do; an error when that failed
   * @param fail leaves the resource as it is, as failed
   * @param removes whether it ends with a resource less
   */
  record End(
      Function<Instant, Optional<ArmError>> complete, Consumer<Instant> fail, boolean removes) {
    /** Only the resource's provisioning state tells it. */
    static End becoming(BiConsumer<String, Instant> state) {
      return new End(
          now -> {
            state.accept("Succeeded", now);
            return Optional.empty();
          },
          now -> state.accept("Failed", now),
          false);
    }
  }

  final String id;
  final ArmId resource;
  final ArmId machine;
  final String signature;
  private final Instant started;
  private final End end;
  private final Optional<ArmFault> fault;
  private Status status = Status.IN_PROGRESS;
  private Optional<ArmError> error = Optional.empty();
  private Instant ended = Instant.MAX;
  private int polls;

  /**
   * An operation that has begun.
   *
   * @param resource what is written
   * @param machine whose operations are counted together
   * @param signature what the address of its state must carry
   * @param fault how it ends when not as it should
   */
  LongOperation(
      String id,
      ArmId resource,
      ArmId machine,
      String signature,
      Instant started,
      Optional<ArmFault> fault,
      End end) {
    this.id = id;
    this.resource = resource;
    this.machine = machine;
    this.signature = signature;
    this.started = started;
    this.fault = fault;
    this.end = end;
  }

  Instant ended() {
    return ended;
  }

  boolean isOver() {
    return status != Status.IN_PROGRESS;
  }

  /** Counts a poll; returns how many there were. */
  int polled() {
    return ++polls;
  }

  /** Ends it as it should, or as the fault says; nothing when it is over already. */
  void finish(Instant now) {
    if (isOver()) {
      return;
    }
    if (fault.isPresent()) {
      end.fail().accept(now);
      boolean canceled = fault.get().kind() == ArmFault.Kind.CANCEL_OPERATION;
      over(
          canceled ? Status.CANCELED : Status.FAILED,
          canceled ? Optional.empty() : Optional.of(fault.get().error()),
          now);
      return;
    }
    Optional<ArmError> failure = end.complete().apply(now);
    over(failure.isPresent() ? Status.FAILED : Status.SUCCEEDED, failure, now);
  }

  /** Ends it because another write takes its place. */
  void preempt(Instant now) {
    over(
        Status.CANCELED,
        Optional.of(
            ArmError.of(
                409,
                "OperationPreempted",
                "Operation execution has been preempted by a more recent operation.")),
        now);
  }

  private void over(Status how, Optional<ArmError> why, Instant now) {
    status = how;
    error = why;
    ended = now;
  }

  boolean removes() {
    return end.removes();
  }

  /** The result of a deletion that is over, as the address of its result answers. */
  ArmReply removal() {
    return succeeded()
        ? ArmReply.ofText(204, "")
        : ArmReply.of(
            error.orElseGet(
                () -> ArmError.of(409, "OperationCanceled", "The deletion was canceled.")));
  }

  /** Whether the resource is as the client wanted it. */
  boolean succeeded() {
    return status == Status.SUCCEEDED;
  }

  /** As the address of its state answers; the network provider tells no times. */
  Document document() {
    Document shown = Document.of("status", status.wire);
    if (resource.isOf("Microsoft.Compute")) {
      shown = Document.of("startTime", started.toString()).and(shown).with("name", id);
      shown = isOver() ? shown.with("endTime", ended.toString()) : shown;
    }
    return error.isPresent() ? shown.with("error", error.get().document()) : shown;
  }
}
