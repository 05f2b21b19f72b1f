package io.tidemark.node;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CallToken;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A cloud door without buckets: tokens come at once, or when the test hands them out. Scripted
 * operations make no calls through it.
 */
final class ImmediateCalls implements CloudCalls {
  private final List<Waiter> waiters = new ArrayList<>();
  private boolean held;
  private int givenBack;

  /** From now on tokens wait for {@link #grantAll}. */
  void hold() {
    held = true;
  }

  /** Tokens for everybody who waits. */
  void grantAll() {
    List<Waiter> now = List.copyOf(waiters);
    waiters.clear();
    now.forEach(Waiter::grant);
  }

  /** Those who wait. */
  List<Waiter> waiters() {
    return List.copyOf(waiters);
  }

  /** Tokens that came back unused. */
  int givenBack() {
    return givenBack;
  }

  @Override
  public Admission admit(List<CallKind> anyOf, CallContext context) {
    Waiter waiter = new Waiter(anyOf, context);
    context.cancellation().onCancel(waiter::cancel);
    if (held) {
      waiters.add(waiter);
    } else {
      waiter.grant();
    }
    return waiter;
  }

  @Override
  public <T> CompletionStage<CallResult<T>> call(CallKind kind, CallContext context, Leaf<T> leaf) {
    throw new UnsupportedOperationException("scripted operations send nothing");
  }

  /** One place in the queue. */
  final class Waiter implements Admission {
    private final List<CallKind> kinds;
    private final CallContext context;
    private final CompletableFuture<CallResult<CallContext>> granted = new CompletableFuture<>();
    private Priority priority;

    Waiter(List<CallKind> kinds, CallContext context) {
      this.kinds = kinds;
      this.context = context;
      this.priority = context.priority();
    }

    Priority priority() {
      return priority;
    }

    void grant() {
      granted.complete(new CallResult.Answered<>(context.withToken(new Token(kinds.get(0)))));
    }

    @Override
    public CompletionStage<CallResult<CallContext>> stage() {
      return granted;
    }

    @Override
    public void reprioritize(Priority now) {
      priority = now;
    }

    @Override
    public void cancel() {
      waiters.remove(this);
      granted.complete(
          new CallResult.Failed<>(
              Failure.of(Failure.Kind.CANCELLED, "cancelled", "left the queue")));
    }
  }

  private final class Token implements CallToken {
    private final CallKind kind;
    private boolean spent;

    Token(CallKind kind) {
      this.kind = kind;
    }

    @Override
    public CallKind kind() {
      return kind;
    }

    @Override
    public boolean take() {
      boolean first = !spent;
      spent = true;
      return first;
    }

    @Override
    public void giveBack() {
      if (take()) {
        givenBack++;
      }
    }
  }
}
