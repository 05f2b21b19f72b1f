package io.tidemark.provider.kit.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.Known;
import io.tidemark.provider.kit.Places;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AttachFailure.Kind;
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
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Creating an interface and attaching it")
class InterfaceCreationTest {
  private static final Failure MISMATCH = Failure.of(Failure.Kind.CONFLICT, "mismatch", "");
  private static final Failure REFUSED = Failure.of(Failure.Kind.CONFLICT, "refused", "");

  private final Known known = new Known(Held.empty("eni-0"));
  private final List<String> calls = new ArrayList<>();
  private final List<String> tokens = new ArrayList<>();

  /**
   * The fates of the requests in their order: an interface, with the instance that it is on, or a
   * failure, with what it means for an attachment.
   */
  private final Deque<String> script = new ArrayDeque<>();

  /** An interface as the cloud shows it. */
  private record Made(String id, Optional<InstanceId> on) {
    static Made of(String text) {
      String[] parts = text.split("@", -1);
      return new Made(
          parts[0],
          parts.length == 1
              ? Optional.empty()
              : Optional.of(parts[1].equals("here") ? Known.INSTANCE : new InstanceId(parts[1])));
    }
  }

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
          () -> answer("create " + rung.pool().id().text(), Made::of));
    }

    @Override
    public boolean isTokenMismatch(Failure failure) {
      return failure.equals(MISMATCH);
    }

    @Override
    public CompletionStage<CallResult<List<Made>>> find(String token) {
      return answer("find", this::seen);
    }

    private List<Made> seen(String text) {
      return text.equals("none") ? List.of() : List.of(Made.of(text));
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
    public CompletionStage<CallResult<Held>> attach(Made created) {
      return answer("attach " + created.id(), ok -> Held.empty(created.id()).with(4));
    }

    @Override
    public CompletionStage<AttachFailure<Held>> meaning(Made created, Failure failure, int count) {
      return CompletableFuture.completedStage(
          switch (failure.detail()) {
            case "undo" -> AttachFailure.of(Kind.UNDO, new AllocationOutcome.InstanceNotRunning());
            case "gone" -> AttachFailure.of(Kind.GONE);
            case "elsewhere" ->
                AttachFailure.of(Kind.ELSEWHERE, new AllocationOutcome.Refused(REFUSED));
            case "unclear" -> AttachFailure.of(Kind.UNCLEAR);
            default -> AttachFailure.later(Duration.parse(failure.detail()));
          });
    }

    @Override
    public CompletionStage<CallResult<List<Made>>> read(InterfaceId id) {
      return answer("read " + id.text(), this::seen);
    }

    @Override
    public CompletionStage<CallResult<InterfaceId>> delete(
        InterfaceId id, CallContext compensating) {
      return answer("delete " + id.text(), deleted -> id);
    }

    @Override
    public CompletionStage<Long> finish(Held attached, long generation) {
      calls.add("finish");
      return CompletableFuture.completedStage(generation);
    }

    private <T> CompletionStage<CallResult<T>> answer(String call, Function<String, T> read) {
      calls.add(call);
      String[] result = script.remove().split("/", -1);
      return switch (result[0]) {
        case "full" -> CallResult.failed(Known.FULL);
        case "mismatch" -> CallResult.failed(MISMATCH);
        case "lost", "refused" ->
            CallResult.failed(
                Failure.of(
                    result[0].equals("lost") ? Failure.Kind.LOST : Failure.Kind.CONFLICT,
                    result[0],
                    result.length > 1 ? result[1] : ""));
        default -> CallResult.answered(read.apply(result[0]));
      };
    }
  }

  private CompletableFuture<AllocationOutcome> begin(String results, PoolId... pools) {
    script.addAll(List.of(results.split(" ")));
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

  private AllocationOutcome run(String results) {
    return begin(results, Known.POOL).join();
  }

  private static String text(AllocationOutcome outcome) {
    String name = outcome.getClass().getSimpleName();
    if (outcome instanceof AllocationOutcome.Allocated allocated) {
      return name + " " + allocated.created().orElseThrow().text();
    }
    if (outcome instanceof AllocationOutcome.Unknown unknown) {
      return name + " " + unknown.failure().kind();
    }
    return outcome instanceof AllocationOutcome.Refused refused
        ? name + " " + refused.failure().condition()
        : name;
  }

  @Test
  @DisplayName("D-15 created, attached and in the inventory before the outcome is told")
  void allocated() {
    AllocationOutcome.Allocated got = (AllocationOutcome.Allocated) run("eni-1 ok");
    assertThat(calls).containsExactly("create subnet-1", "attach eni-1", "finish");
    assertThat(got.created()).contains(new InterfaceId("eni-1"));
    assertThat(got.generation()).isEqualTo(known.view().generation());
    AddressSet four = AddressSet.ofRange(Cidr.parse("10.0.0.0/24")).first(4);
    assertThat(got.added().get(0).singles()).isEqualTo(four);
    assertThat(known.view().find(new InterfaceId("eni-1"))).isPresent();
    assertThat(known.free(Known.POOL)).isEqualTo(95);
    assertThat(known.account.creations().isCurrent(tokens.get(0))).as("returns to it").isTrue();
  }

  @DisplayName("each way that its requests can go")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no room in the last rung's pool: exhausted | full | create subnet-1 | PoolExhausted \
            | 0, 1 token
          a lost creation counts, the token finds it | lost | create subnet-1 | Unknown LOST \
            | 95, 1 token
          M6 the token was used otherwise: taken as it is | mismatch eni-7@here \
            | create subnet-1, find, finish | Allocated eni-7 | 100, 1 token
          M6 nobody has the interface of the token: attached | mismatch eni-7 ok \
            | create subnet-1, find, attach eni-7, finish | Allocated eni-7 | 100, 1 token
          it cannot be attached: deleted, its addresses free again | eni-1 refused/undo ok \
            | create subnet-1, attach eni-1, delete eni-1 | InstanceNotRunning \
            | 100, 1 token, 1 gone
          nor deleted: it keeps its token for the next attempt | eni-1 refused/undo refused \
            | create subnet-1, attach eni-1, delete eni-1 | InstanceNotRunning | 95, 1 token
          a lost attachment is read back: attempted again, attached \
            | eni-1 lost/unclear eni-1 lost/unclear eni-1@here \
            | create subnet-1, attach eni-1, read eni-1, attach eni-1, read eni-1, finish \
            | Allocated eni-1 | 95, 1 token
          read back on another instance: passed over \
            | eni-1 lost/unclear eni-1@i-2 mismatch eni-2@i-2 eni-3 ok \
            | create subnet-1, attach eni-1, read eni-1, create subnet-1, find, create subnet-1, \
          attach eni-3, finish \
            | Allocated eni-3 | 90, 3 tokens, 2 gone
          gone when read back, it may still come: in doubt \
            | eni-1 lost/unclear none lost/unclear none lost/unclear none \
            | create subnet-1, attach eni-1, read eni-1, attach eni-1, read eni-1, attach eni-1, \
          read eni-1 \
            | Unknown LOST | 95, 1 token, in doubt
          shown by no read after the last attempt: in doubt \
            | eni-1 refused/unclear eni-1 refused/unclear eni-1 refused/unclear eni-1 \
            | create subnet-1, attach eni-1, read eni-1, attach eni-1, read eni-1, attach eni-1, \
          read eni-1 \
            | Unknown LOST | 95, 1 token, in doubt
          gone before it was attached: followed by the next | eni-1 refused/gone eni-2 ok \
            | create subnet-1, attach eni-1, create subnet-1, attach eni-2, finish \
            | Allocated eni-2 | 90, 2 tokens, 1 gone
          another place each time, as often as attachments: deleted \
            | eni-1 refused/elsewhere refused/elsewhere refused/elsewhere ok \
            | create subnet-1, attach eni-1, attach eni-1, attach eni-1, delete eni-1 \
            | Refused refused | 100, 1 token, 1 gone
          """)
  void ways(String name, String results, String requests, String outcome, String state) {
    assertThat(text(run(results))).isEqualTo(outcome);
    assertThat(String.join(", ", calls)).isEqualTo(requests);
    long used = tokens.stream().distinct().count();
    int gone = known.account.creations().ordinal(Known.INSTANCE);
    assertThat(
            known.free(Known.POOL)
                + (used == 1 ? ", 1 token" : ", " + used + " tokens")
                + (gone > 0 ? ", " + gone + " gone" : "")
                + (known.view().doubtful() ? ", in doubt" : ""))
        .isEqualTo(state);
    assertThat(known.account.creations().isCurrent(tokens.get(0)))
        .as("the next attempt returns to the first")
        .isEqualTo(used == 1);
    assertThat(script).isEmpty();
  }

  @Test
  @DisplayName("a pool without room is followed by the next rung, with the same token")
  void nextRung() {
    assertThat(text(begin("full eni-1 ok", Known.POOL, Known.OTHER_POOL).join()))
        .isEqualTo("Allocated eni-1");
    assertThat(calls).startsWith("create subnet-1", "create subnet-2");
    assertThat(tokens.get(1)).isEqualTo(tokens.get(0));
    assertThat(known.account.pools().find(Known.POOL).orElseThrow().coolingDown()).isTrue();
  }

  @Test
  @DisplayName("M6 an interface that no read shows is waited for, and after the horizon it is gone")
  void unseen() {
    assertThat(text(run("mismatch none"))).isEqualTo("Refused createdButNotShown");
    known.pass(Duration.ofMinutes(1));
    assertThat(text(run("mismatch none eni-1 ok"))).isEqualTo("Allocated eni-1");
    assertThat(tokens.get(2)).isNotEqualTo(tokens.get(1));
  }

  @Test
  @DisplayName("interfaces of the situation that others have are passed over, eight at the most")
  void tokensUsedUp() {
    assertThat(text(run("eni-1@i-2 ".repeat(8).strip()))).isEqualTo("Refused tokensUsedUp");
    assertThat(tokens).hasSize(8).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("an attempt that may succeed later is made after the pause and does not count")
  void later() {
    CompletableFuture<AllocationOutcome> outcome =
        begin("eni-1 " + "refused/PT2S ".repeat(5) + "ok", Known.POOL);
    known.pass(Duration.ofSeconds(9));
    assertThat(outcome).isNotDone();
    known.pass(Duration.ofSeconds(1));
    assertThat(outcome.join()).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  @DisplayName("nobody waits beyond the deadline for work that goes on")
  void deadline() {
    CompletableFuture<AllocationOutcome> outcome = begin("eni-1 refused/PT2M ok", Known.POOL);
    known.pass(Duration.ofMinutes(1));
    assertThat(outcome.join()).isInstanceOf(AllocationOutcome.Unknown.class);
    known.pass(Duration.ofMinutes(1));
    assertThat(known.view().find(new InterfaceId("eni-1"))).as("attached later").isPresent();
  }

  @Test
  @DisplayName("with nothing to ask for nothing is sent")
  void nothingToAsk() {
    assertThat(text(begin("none").join())).isEqualTo("Refused nothingToAsk");
    assertThat(calls).isEmpty();
  }
}
