package io.tidemark.resilience;

import io.tidemark.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every attempt needs a permit of its own: the one its context carries, or it waits for one among
 * all others by need.
 */
final class TokenLayer implements CallLayer {
  private final TimeSource time;
  private final WireLayer wire;

  TokenLayer(TimeSource time, WireLayer wire) {
    this.time = time;
    this.wire = wire;
  }

  @Override
  public <T> InFlight start(Request<T> request, Consumer<Ended<T>> end) {
    Optional<Permit> brought = brought(request);
    if (brought.isPresent()) {
      return wire.start(request, brought.get(), end);
    }
    Wait<T> wait = new Wait<>(request, end);
    boolean queued =
        wait.enter(List.of(request.queue()), request.arrival(), request.context().priority());
    if (!queued && wait.claim()) {
      end.accept(Ended.byUs(Refusals.queueFull(request)));
      return InFlight.OVER;
    }
    return wait;
  }

  /** The context's token, taken, if it is one of this kind and still there. */
  private static Optional<Permit> brought(Request<?> request) {
    if (request.attempt() == 1
        && request.context().token().orElse(null) instanceof Permit permit
        && permit.queue() == request.queue()
        && permit.take()) {
      return Optional.of(permit);
    }
    return Optional.empty();
  }

  /** A call that waits, and then the way to the request it became. */
  private final class Wait<T> extends Waiter implements InFlight {
    private final Request<T> request;
    private final Consumer<Ended<T>> end;
    private volatile @Nullable StopCause stopped;
    private volatile @Nullable InFlight sent;

    Wait(Request<T> request, Consumer<Ended<T>> end) {
      super(request.context().deadlineNanos());
      this.request = request;
      this.end = end;
    }

    @Override
    void granted(Permit permit) {
      StopCause no = stopped;
      if (no == null) {
        no = Leash.forbids(request.context(), time.nanos());
      }
      if (no != null) {
        refuse(permit, refusal(no));
      } else if (BreakerLayer.isOpen(request.queue().breaker())) {
        refuse(permit, Refusals.circuitOpen(request));
      } else if (permit.take()) {
        InFlight started = wire.start(request, permit, end);
        sent = started;
        StopCause late = stopped;
        if (late != null) {
          started.stop(late);
        }
      } else {
        end.accept(Ended.byUs(Refusals.noToken(request)));
      }
    }

    private void refuse(Permit permit, Failure failure) {
      permit.giveBack();
      end.accept(Ended.byUs(failure));
    }

    private Failure refusal(StopCause cause) {
      return cause == StopCause.CANCELLED ? Refusals.cancelled(request) : Refusals.noToken(request);
    }

    @Override
    public void stop(StopCause cause) {
      stopped = cause;
      if (claim()) {
        giveUp();
        end.accept(Ended.byUs(refusal(cause)));
        return;
      }
      InFlight started = sent;
      if (started != null) {
        started.stop(cause);
      }
    }
  }
}
