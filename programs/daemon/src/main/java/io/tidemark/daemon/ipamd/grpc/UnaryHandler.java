package io.tidemark.daemon.ipamd.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.tidemark.daemon.ipamd.CniBackend;
import io.tidemark.daemon.ipamd.RpcOutcome;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One method: a request of bytes, an answer of bytes. A call holds one of the places that all
 * methods share until its work has ended, whether its client waits or not; a request that does not
 * arrive in time is ended. Thread-safe; never blocks.
 */
final class UnaryHandler implements ServerCallHandler<byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(UnaryHandler.class);

  interface Work {
    CompletionStage<RpcOutcome<byte[]>> answer(byte[] request) throws InvalidMessageException;
  }

  private enum State {
    READING,
    WORKING,
    ENDED
  }

  private final Semaphore places;
  private final TaskScheduler scheduler;
  private final ObjLongConsumer<String> watch;
  private final Work work;

  /**
   * A method.
   *
   * @param watch hears of the end of each call: the code of gRPC, and when the call began
   */
  UnaryHandler(
      Semaphore places, TaskScheduler scheduler, ObjLongConsumer<String> watch, Work work) {
    this.places = places;
    this.scheduler = scheduler;
    this.watch = watch;
    this.work = work;
  }

  @Override
  public ServerCall.Listener<byte[]> startCall(ServerCall<byte[], byte[]> call, Metadata headers) {
    if (!places.tryAcquire()) {
      Status full = Status.RESOURCE_EXHAUSTED.withDescription("too many calls at once");
      watch.accept(full.getCode().name(), scheduler.time().nanos());
      call.close(full, new Metadata());
      return new ServerCall.Listener<>() {};
    }
    Call started = new Call(call);
    call.request(2); // one more than expected: gRPC ends a call that has it
    return started;
  }

  private final class Call extends ServerCall.Listener<byte[]> {
    private final ServerCall<byte[], byte[]> call;
    private final AtomicReference<State> state = new AtomicReference<>(State.READING);
    private final Cancellable timer;
    private final long beganNanos = scheduler.time().nanos();
    private byte @Nullable [] request;

    Call(ServerCall<byte[], byte[]> call) {
      this.call = call;
      this.timer =
          scheduler.after(
              CniBackend.LONGEST,
              () ->
                  unread(
                      Status.DEADLINE_EXCEEDED.withDescription(
                          "no request within " + CniBackend.LONGEST.toSeconds() + " s")));
    }

    @Override
    public void onMessage(byte[] message) {
      request = message;
    }

    @Override
    public void onHalfClose() {
      if (request == null) {
        unread(Status.INVALID_ARGUMENT.withDescription("no request"));
      } else if (state.compareAndSet(State.READING, State.WORKING)) {
        timer.cancel();
        start(request);
      }
    }

    private void start(byte[] message) {
      try {
        work.answer(message)
            .whenComplete(
                (outcome, thrown) -> {
                  if (thrown == null) {
                    answered(outcome);
                  } else {
                    failed(thrown);
                  }
                });
      } catch (InvalidMessageException e) {
        ended(Status.INVALID_ARGUMENT.withDescription(e.getMessage()), null);
      } catch (RuntimeException e) {
        failed(e);
      }
    }

    private void answered(RpcOutcome<byte[]> outcome) {
      if (outcome instanceof RpcOutcome.Replied<byte[]> replied) {
        ended(Status.OK, replied.reply());
      } else {
        RpcOutcome.Failed<byte[]> failed = (RpcOutcome.Failed<byte[]>) outcome;
        Status.Code code = Status.Code.valueOf(failed.cause().name());
        ended(Status.fromCode(code).withDescription(failed.text()), null);
      }
    }

    private void failed(Throwable thrown) {
      LOG.error("A call failed because of a defect", thrown);
      ended(Status.INTERNAL.withDescription("a defect: " + thrown), null);
    }

    /** The client has gone. What was begun goes on. */
    @Override
    public void onCancel() {
      timer.cancel();
      State before = state.getAndSet(State.ENDED);
      if (before == State.READING) {
        places.release();
      }
      if (before != State.ENDED) {
        watch.accept(Status.CANCELLED.getCode().name(), beganNanos);
      }
    }

    /** The call ends before its work began. */
    private void unread(Status status) {
      if (state.compareAndSet(State.READING, State.ENDED)) {
        timer.cancel();
        places.release();
        close(status);
      }
    }

    private void close(Status status) {
      watch.accept(status.getCode().name(), beganNanos);
      call.close(status, new Metadata());
    }

    /** The work has ended; the client gets the answer unless it has gone. */
    private void ended(Status status, byte @Nullable [] reply) {
      places.release();
      if (state.compareAndSet(State.WORKING, State.ENDED)) {
        if (reply != null) {
          call.sendHeaders(new Metadata());
          call.sendMessage(reply);
        }
        close(status);
      }
    }
  }
}
