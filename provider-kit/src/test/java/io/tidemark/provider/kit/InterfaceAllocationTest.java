package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.AddressSet;
import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An account of a cloud of interfaces")
class InterfaceAllocationTest {
  private static final NodeSettings SETTINGS = new NodeSettings("node-a", false, false, false);
  private static final Failure DOWN = Failure.of(Failure.Kind.CONFIGURATION, "down", "no answer");

  /** Nothing is sent through it. */
  private static final CloudCalls CALLS =
      new CloudCalls() {
        @Override
        public Admission admit(List<CallKind> anyOf, CallContext context) {
          throw new UnsupportedOperationException();
        }

        @Override
        public <T> CompletionStage<CallResult<T>> call(
            CallKind kind, CallContext context, Leaf<T> leaf) {
          throw new UnsupportedOperationException();
        }
      };

  private final Known known = new Known(Held.empty("eni-0").with(2));
  private final List<Set<InstanceId>> asked = new ArrayList<>();
  private final Deque<CallResult<String>> answers = new ArrayDeque<>();
  private int closed;

  /** Reads what an answer says. */
  private final class Reads implements InstanceSource<String> {
    @Override
    public CompletionStage<CallResult<String>> read(Set<InstanceId> ids, CallContext context) {
      asked.add(Set.copyOf(ids));
      return CompletableFuture.completedStage(answers.remove());
    }

    @Override
    public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
        ReadMark mark, Set<InstanceId> ids, String found, CallContext context) {
      Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
      ids.forEach(id -> outcomes.put(id, new SyncOutcome.Synced(mark.generation())));
      return CompletableFuture.completedStage(outcomes);
    }
  }

  private final class Account extends InterfaceAllocation {
    private final Reads reads = new Reads();

    Account(CloudCalls calls) {
      super(known.account, calls, Batcher.Options.usual(), () -> closed++);
    }

    @Override
    protected InstanceSource<?> reads() {
      return reads;
    }

    @Override
    protected CompletionStage<SyncOutcome> readAll(CallContext context) {
      ReadMark mark = known.account.inventory().beginRead();
      return CompletableFuture.completedStage(
          answers
              .remove()
              .match(found -> new SyncOutcome.Synced(mark.generation()), SyncOutcome.Failed::new));
    }

    @Override
    public Set<Capability> capabilities() {
      return Set.of();
    }

    @Override
    public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
      throw new UnsupportedOperationException(instance(settings, resource).text());
    }

    @Override
    public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
      return Map.of();
    }
  }

  private final Account account = new Account(CALLS);

  private static <T> T now(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  @DisplayName("a read of one instance has the mark of its beginning; a failed one says why")
  void singleRead() {
    answers.add(new CallResult.Answered<>("found"));
    SyncOutcome.Synced synced =
        (SyncOutcome.Synced) now(account.instanceSync(Known.INSTANCE, known.context()));
    assertThat(synced.startedGeneration()).isPositive();
    answers.add(new CallResult.Failed<>(DOWN));
    assertThat(now(account.instanceSync(Known.INSTANCE, known.context())))
        .isEqualTo(new SyncOutcome.Failed(DOWN));
    assertThat(asked).containsExactly(Set.of(Known.INSTANCE), Set.of(Known.INSTANCE));
  }

  @Test
  @DisplayName("a full read covers no request whose end is unknown; a failed one stays failed")
  void fullRead() {
    Held eni = known.view().interfaces().get(0);
    long lost = known.wrote(false, new Change.Removed<>(eni.id(), eni.singles(), List.of()));
    answers.add(new CallResult.Answered<>("all"));
    SyncOutcome.Synced synced = (SyncOutcome.Synced) now(account.resync(known.context()));
    assertThat(synced.startedGeneration()).isLessThan(lost);
    answers.add(new CallResult.Failed<>(DOWN));
    assertThat(now(account.resync(known.context()))).isEqualTo(new SyncOutcome.Failed(DOWN));
  }

  @Test
  @DisplayName("it tells what is known, and forgets an instance with all that is remembered of it")
  void forgets() {
    assertThat(account.readHorizon()).isEqualTo(known.account.horizon());
    assertThat(account.overlayExpiry()).isEqualTo(Duration.ofMinutes(2));
    assertThat(account.poolQuota()).containsOnlyKeys(Known.POOL, Known.OTHER_POOL);
    assertThat(account.calls()).isSameAs(CALLS);
    known.account.creations().used(Known.INSTANCE);
    account.deleteInstance(Known.INSTANCE);
    assertThat(known.account.inventory().contains(Known.INSTANCE)).isFalse();
    assertThat(known.account.creations().ordinal(Known.INSTANCE)).isZero();
  }

  @Test
  @DisplayName("when it is closed nothing is asked any more")
  void close() {
    account.close();
    assertThat(closed).isEqualTo(1);
    assertThat(known.account.shutdown().isCancelled()).isTrue();
  }

  @Test
  @DisplayName("a node without an instance id is a defect of the caller")
  void withoutInstance() {
    assertThatThrownBy(() -> account.createNode(SETTINGS, NodeResource.named("node-a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("node-a has no instance id");
    NodeResource resource = NodeResource.named("node-a").withInstanceId("i-7");
    assertThatThrownBy(() -> account.createNode(SETTINGS, resource)).hasMessage("i-7");
  }
}
