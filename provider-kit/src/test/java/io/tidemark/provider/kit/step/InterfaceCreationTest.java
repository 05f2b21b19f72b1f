package io.tidemark.provider.kit.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.Known;
import io.tidemark.provider.kit.Places;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Creating an interface and attaching it")
class InterfaceCreationTest {
  private static final InstanceId ANOTHER = new InstanceId("i-2");
  private static final Failure MISMATCH = Failure.of(Failure.Kind.CONFLICT, "mismatch", "");
  private static final Failure REFUSED = Failure.of(Failure.Kind.CONFLICT, "refused", "");

  private final Known known = new Known(Held.empty("eni-0"));
  private final List<String> calls = new ArrayList<>();
  private final List<String> tokens = new ArrayList<>();
  private final Deque<CallResult<Made>> creates = new ArrayDeque<>();
  private final Deque<CallResult<Held>> attaches = new ArrayDeque<>();
  private final Deque<List<Made>> reads = new ArrayDeque<>();
  private final Deque<AttachFailure<Held>> meanings = new ArrayDeque<>();
  private boolean deletable = true;

  /** An interface as the cloud shows it. */
  private record Made(String id, Optional<InstanceId> on) {}

  /** One interface with so many places; all of it is for pods. */
  private final class Cloud implements CreationRequests<Held, String, Made> {
    @Override
    public String place() {
      return "1";
    }

    @Override
    public CreationRequests.Order<Made> order(Rung<String> rung, String token) {
      tokens.add(token);
      return new CreationRequests.Order<>(
          rung.pool().id(),
          1 + rung.addresses(),
          () -> answer("create in " + rung.pool().id(), creates.remove()));
    }

    @Override
    public boolean isTokenMismatch(Failure failure) {
      return failure.equals(MISMATCH);
    }

    @Override
    public CompletionStage<CallResult<List<Made>>> find(String token) {
      return answer("find", new CallResult.Answered<>(reads.remove()));
    }

    @Override
    public CreationRequests.Shown<Held> shown(Made created) {
      return new CreationRequests.Shown<>(
          new InterfaceId(created.id()),
          Known.POOL,
          5,
          created.on().map(instance -> Held.empty(created.id()).with(4)),
          created.on().filter(Known.INSTANCE::equals).isPresent());
    }

    @Override
    public int attachesMax() {
      return 3;
    }

    @Override
    public CompletionStage<CallResult<Held>> attach(Made created) {
      return answer("attach " + created.id(), attaches.remove());
    }

    @Override
    public CompletionStage<AttachFailure<Held>> meaning(Made created, Failure failure, int count) {
      return CompletableFuture.completedStage(meanings.remove());
    }

    @Override
    public CompletionStage<CallResult<List<Made>>> read(InterfaceId id) {
      return answer("read " + id.text(), new CallResult.Answered<>(reads.remove()));
    }

    @Override
    public CompletionStage<CallResult<InterfaceId>> delete(
        InterfaceId id, CallContext compensating) {
      return answer(
          "delete " + id.text(),
          deletable ? new CallResult.Answered<>(id) : new CallResult.Failed<>(REFUSED));
    }

    @Override
    public CompletionStage<Long> finish(Held attached, long generation) {
      calls.add("finish");
      return CompletableFuture.completedStage(generation);
    }

    private <T> CompletionStage<T> answer(String call, T answer) {
      calls.add(call);
      return CompletableFuture.completedStage(answer);
    }
  }

  private CompletableFuture<AllocationOutcome> begin(PoolId... pools) {
    List<Rung<String>> ladder = new ArrayList<>();
    for (PoolId each : pools) {
      ladder.add(new Rung<>(known.account.pools().find(each).orElseThrow(), 0, 4, "singles"));
    }
    return new InterfaceCreation<>(
            known.account,
            new InterfaceCreation.Target<>(
                "cluster", Known.INSTANCE, known.view().interfaces(), new Places(8)),
            new Cloud(),
            ladder,
            known.context())
        .run()
        .toCompletableFuture();
  }

  private AllocationOutcome run(PoolId... pools) {
    return begin(pools).join();
  }

  private void creates(String id) {
    creates.add(new CallResult.Answered<>(new Made(id, Optional.empty())));
  }

  private void attaches(String id) {
    attaches.add(new CallResult.Answered<>(Held.empty(id).with(4)));
  }

  private void attachFails(Failure failure, AttachFailure<Held> meaning) {
    attaches.add(new CallResult.Failed<>(failure));
    meanings.add(meaning);
  }

  private static String condition(AllocationOutcome outcome) {
    return ((AllocationOutcome.Refused) outcome).failure().condition();
  }

  @Test
  @DisplayName("D-15 created, attached and in the inventory before the outcome is told")
  void allocated() {
    creates("eni-1");
    attaches("eni-1");
    AllocationOutcome.Allocated got = (AllocationOutcome.Allocated) run(Known.POOL);
    assertThat(calls).containsExactly("create in subnet-1", "attach eni-1", "finish");
    assertThat(got.created()).contains(new InterfaceId("eni-1"));
    assertThat(got.generation()).isEqualTo(known.view().generation());
    AddressSet four = AddressSet.ofRange(Cidr.parse("10.0.0.0/24")).first(4);
    assertThat(got.added().get(0).singles()).isEqualTo(four);
    assertThat(known.view().find(new InterfaceId("eni-1"))).isPresent();
    assertThat(known.free(Known.POOL)).isEqualTo(95);
    assertThat(known.account.creations().isCurrent(tokens.get(0))).as("returns to it").isTrue();
  }

  @Test
  @DisplayName("a pool without room is followed by the next rung, with the same token")
  void nextRung() {
    creates.add(new CallResult.Failed<>(Known.FULL));
    creates("eni-1");
    attaches("eni-1");
    assertThat(run(Known.POOL, Known.OTHER_POOL)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(calls).startsWith("create in subnet-1", "create in subnet-2");
    assertThat(tokens.get(1)).isEqualTo(tokens.get(0));
    assertThat(known.account.pools().find(Known.POOL).orElseThrow().coolingDown()).isTrue();
  }

  @Test
  @DisplayName("without room in the last rung's pool the pool is exhausted")
  void exhausted() {
    creates.add(new CallResult.Failed<>(Known.FULL));
    assertThat(run(Known.POOL)).isEqualTo(new AllocationOutcome.PoolExhausted(Known.POOL));
  }

  @Test
  @DisplayName("a creation whose answer was lost is unknown, and its addresses count as taken")
  void createLost() {
    creates.add(new CallResult.Failed<>(Known.LOST));
    assertThat(run(Known.POOL)).isEqualTo(new AllocationOutcome.Unknown(Known.LOST));
    assertThat(known.free(Known.POOL)).isEqualTo(95);
    assertThat(known.view().doubtful()).as("the token finds it").isFalse();
  }

  @Test
  @DisplayName("M6 the interface of a token that was used otherwise is taken as it is")
  void mismatch() {
    creates.add(new CallResult.Failed<>(MISMATCH));
    reads.add(List.of(new Made("eni-7", Optional.of(Known.INSTANCE))));
    AllocationOutcome.Allocated got = (AllocationOutcome.Allocated) run(Known.POOL);
    assertThat(got.created()).contains(new InterfaceId("eni-7"));
    assertThat(calls).containsExactly("create in subnet-1", "find", "finish");
  }

  @Test
  @DisplayName("M6 an interface that no read shows is waited for, and after the horizon it is gone")
  void unseen() {
    for (int i = 0; i < 2; i++) {
      creates.add(new CallResult.Failed<>(MISMATCH));
      reads.add(List.of());
    }
    assertThat(condition(run(Known.POOL))).isEqualTo("createdButNotShown");
    known.pass(Duration.ofMinutes(1));
    creates("eni-1");
    attaches("eni-1");
    assertThat(run(Known.POOL)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(tokens.get(2)).isNotEqualTo(tokens.get(1));
  }

  @Test
  @DisplayName("interfaces of the situation that others have are passed over, eight at the most")
  void tokensUsedUp() {
    for (int i = 0; i < 8; i++) {
      creates.add(new CallResult.Answered<>(new Made("eni-" + i, Optional.of(ANOTHER))));
    }
    assertThat(condition(run(Known.POOL))).isEqualTo("tokensUsedUp");
    assertThat(tokens).hasSize(8).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("an interface that cannot be attached is deleted, and its addresses are free again")
  void undone() {
    creates("eni-1");
    AllocationOutcome outcome = new AllocationOutcome.InstanceNotRunning();
    attachFails(REFUSED, new AttachFailure.Undo<>(outcome));
    assertThat(run(Known.POOL)).isEqualTo(outcome);
    assertThat(calls).containsExactly("create in subnet-1", "attach eni-1", "delete eni-1");
    assertThat(known.free(Known.POOL)).isEqualTo(100);
    assertThat(known.account.creations().ordinal(Known.INSTANCE)).isEqualTo(1);
  }

  @Test
  @DisplayName("one that cannot be deleted keeps its token, so the next attempt returns to it")
  void notUndone() {
    deletable = false;
    creates("eni-1");
    attachFails(REFUSED, new AttachFailure.Undo<>(new AllocationOutcome.InstanceNotRunning()));
    run(Known.POOL);
    assertThat(known.account.creations().ordinal(Known.INSTANCE)).isZero();
    assertThat(known.free(Known.POOL)).isEqualTo(95);
  }

  @Test
  @DisplayName("a lost attachment is read back: attached, or attempted again")
  void readBack() {
    creates("eni-1");
    attachFails(Known.LOST, new AttachFailure.Unclear<>());
    reads.add(List.of(new Made("eni-1", Optional.empty())));
    attachFails(Known.LOST, new AttachFailure.Unclear<>());
    reads.add(List.of(new Made("eni-1", Optional.of(Known.INSTANCE))));
    assertThat(run(Known.POOL)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(calls)
        .containsExactly(
            "create in subnet-1",
            "attach eni-1",
            "read eni-1",
            "attach eni-1",
            "read eni-1",
            "finish");
  }

  @Test
  @DisplayName("one that a read shows on another instance is passed over, and the next is created")
  void readBackElsewhere() {
    creates("eni-1");
    attachFails(Known.LOST, new AttachFailure.Unclear<>());
    reads.add(List.of(new Made("eni-1", Optional.of(ANOTHER))));
    creates.add(new CallResult.Failed<>(MISMATCH));
    reads.add(List.of(new Made("eni-2", Optional.of(ANOTHER))));
    creates("eni-3");
    attaches("eni-3");
    AllocationOutcome.Allocated got = (AllocationOutcome.Allocated) run(Known.POOL);
    assertThat(got.created()).contains(new InterfaceId("eni-3"));
    assertThat(known.view().interfaces())
        .extracting(Held::id)
        .hasSize(2)
        .contains(got.created().get());
    assertThat(calls).doesNotContain("delete eni-1", "delete eni-2");
    assertThat(tokens).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("M6 an interface of the token that nobody has is attached")
  void mismatchDetached() {
    creates.add(new CallResult.Failed<>(MISMATCH));
    reads.add(List.of(new Made("eni-7", Optional.empty())));
    attaches("eni-7");
    assertThat(run(Known.POOL)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(calls).containsExactly("create in subnet-1", "find", "attach eni-7", "finish");
  }

  @Test
  @DisplayName("an interface that is gone when it is read back may still come: it is in doubt")
  void readBackGone() {
    creates("eni-1");
    for (int i = 0; i < 3; i++) {
      attachFails(Known.LOST, new AttachFailure.Unclear<>());
      reads.add(List.of());
    }
    assertThat(run(Known.POOL)).isEqualTo(new AllocationOutcome.Unknown(Known.LOST));
    assertThat(known.view().doubtful()).isTrue();
  }

  @Test
  @DisplayName("what no read shows attached after the last attempt is in doubt")
  void inDoubt() {
    creates("eni-1");
    for (int i = 0; i < 3; i++) {
      attachFails(REFUSED, new AttachFailure.Unclear<>());
      reads.add(List.of(new Made("eni-1", Optional.empty())));
    }
    AllocationOutcome.Unknown outcome = (AllocationOutcome.Unknown) run(Known.POOL);
    assertThat(outcome.failure().kind()).isEqualTo(Failure.Kind.LOST);
    assertThat(known.view().doubtful()).isTrue();
  }

  @Test
  @DisplayName("an interface that is gone before it was attached is followed by the next one")
  void gone() {
    creates("eni-1");
    attachFails(REFUSED, new AttachFailure.Gone<>());
    creates("eni-2");
    attaches("eni-2");
    AllocationOutcome.Allocated got = (AllocationOutcome.Allocated) run(Known.POOL);
    assertThat(got.created()).contains(new InterfaceId("eni-2"));
    assertThat(tokens).doesNotHaveDuplicates();
    assertThat(known.account.creations().isCurrent(tokens.get(0))).as("abandoned").isFalse();
  }

  @Test
  @DisplayName("another place is tried as often as attachments are, then the interface is deleted")
  void elsewhere() {
    creates("eni-1");
    AllocationOutcome conflict = new AllocationOutcome.Refused(REFUSED);
    for (int i = 0; i < 3; i++) {
      attachFails(REFUSED, new AttachFailure.Elsewhere<>(conflict));
    }
    assertThat(run(Known.POOL)).isEqualTo(conflict);
    assertThat(calls).endsWith("attach eni-1", "attach eni-1", "delete eni-1");
  }

  @Test
  @DisplayName("an attempt that may succeed later is made after the pause and does not count")
  void later() {
    creates("eni-1");
    for (int i = 0; i < 5; i++) {
      attachFails(REFUSED, new AttachFailure.Later<>(Duration.ofSeconds(2)));
    }
    attaches("eni-1");
    CompletableFuture<AllocationOutcome> outcome = begin(Known.POOL);
    known.pass(Duration.ofSeconds(9));
    assertThat(outcome).isNotDone();
    known.pass(Duration.ofSeconds(1));
    assertThat(outcome.join()).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  @DisplayName("nobody waits beyond the deadline for work that goes on")
  void deadline() {
    creates("eni-1");
    attachFails(REFUSED, new AttachFailure.Later<>(Duration.ofMinutes(2)));
    attaches("eni-1");
    CompletableFuture<AllocationOutcome> outcome = begin(Known.POOL);
    known.pass(Duration.ofMinutes(1));
    assertThat(outcome.join()).isInstanceOf(AllocationOutcome.Unknown.class);
    known.pass(Duration.ofMinutes(1));
    assertThat(known.view().find(new InterfaceId("eni-1"))).as("attached later").isPresent();
  }

  @Test
  @DisplayName("with nothing to ask for nothing is sent")
  void nothingToAsk() {
    assertThat(condition(run())).isEqualTo("nothingToAsk");
    assertThat(calls).isEmpty();
  }
}
