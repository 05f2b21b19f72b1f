package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.InstanceLaunch;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.spi.inventory.InstanceSyncs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Reads of single instances")
class InstanceSyncsTest {
  private static final String INTERFACES = "DescribeNetworkInterfaces";

  private final List<HeldCalls> doors = new ArrayList<>();
  private final ProviderWorld world =
      new ProviderWorld(
          CloudSettings.calm(),
          policy -> {
            doors.add(new HeldCalls(policy));
            return doors.get(0);
          });
  private final HeldCalls calls = doors.get(0);

  InstanceSyncsTest() {
    world.provider.resync(world.context());
    calls.sendAll();
    for (int i = 0; i < 1000; i++) {
      world.cloud.setup().launch(InstanceLaunch.of("i-" + i, "m5.large", "subnet-a"));
    }
  }

  private CompletableFuture<SyncOutcome> sync(int instance) {
    return sync(instance, world.context());
  }

  private CompletableFuture<SyncOutcome> sync(int instance, CallContext context) {
    return world
        .provider
        .instanceSync(new InstanceId("i-" + instance), context)
        .toCompletableFuture();
  }

  private List<CompletableFuture<SyncOutcome>> syncs(int from, int to) {
    List<CompletableFuture<SyncOutcome>> all = new ArrayList<>();
    for (int i = from; i < to; i++) {
      all.add(sync(i));
    }
    return all;
  }

  @Test
  @DisplayName("one alone goes at once; those that come meanwhile share the next request")
  void coalesces() {
    List<CompletableFuture<SyncOutcome>> answers = syncs(0, 100);
    assertThat(calls.waiting()).containsExactly(INTERFACES);

    calls.send();
    assertThat(answers.get(0)).isCompleted();
    assertThat(answers.get(1)).isNotCompleted();
    assertThat(calls.waiting()).containsExactly(INTERFACES);
    calls.send();
    assertThat(answers).allMatch(CompletableFuture::isDone);
    assertThat(calls.waiting()).isEmpty();
    assertThat(world.provider.hasInstance(new InstanceId("i-99"))).isTrue();
  }

  @Test
  @DisplayName("two who ask for the same instance get one answer")
  void sameInstance() {
    syncs(0, 1);
    CompletableFuture<SyncOutcome> one = sync(5);
    CompletableFuture<SyncOutcome> other = sync(5);
    calls.send();
    calls.send();

    assertThat(one.getNow(null)).isEqualTo(other.getNow(null));
    assertThat(calls.waiting()).isEmpty();
  }

  @Test
  @DisplayName("a slow request holds the others up no longer than the time to gather")
  void slowRequest() {
    syncs(0, 1);
    CompletableFuture<SyncOutcome> other = sync(1);
    world.pass(InstanceSyncs.GATHER);
    assertThat(calls.waiting()).hasSize(2);

    calls.waiting();
    calls.fail(Failure.of(Failure.Kind.LOST, "timeout", "no answer"));
    calls.sendAll();
    assertThat(other.getNow(null)).isInstanceOf(SyncOutcome.Synced.class);
  }

  @Test
  @DisplayName(
      "no request names more instances than the cloud allows, and few are on the way at once")
  void bounds() {
    syncs(0, 1000);
    for (int i = 0; i < 20; i++) {
      world.pass(InstanceSyncs.GATHER);
    }
    assertThat(calls.waiting()).hasSize(InstanceSyncs.ON_THE_WAY_MAX);

    int requests = 0;
    while (!calls.waiting().isEmpty()) {
      calls.send();
      requests++;
    }
    assertThat(requests)
        .isEqualTo(1 + (999 + InstanceSyncs.BATCH_MAX - 1) / InstanceSyncs.BATCH_MAX);
  }

  @Test
  @DisplayName("F-14 a batch without answer is split, so that one instance fails alone")
  void splits() {
    syncs(0, 1);
    List<CompletableFuture<SyncOutcome>> answers = syncs(1, 5);
    calls.send();
    Failure hung = Failure.of(Failure.Kind.LOST, "timeout", "no answer");

    calls.fail(hung);
    assertThat(calls.waiting()).hasSize(2);
    calls.fail(hung);
    calls.send();
    calls.fail(hung);
    calls.send();

    assertThat(calls.waiting()).isEmpty();
    assertThat(answers.get(0).getNow(null)).isEqualTo(new SyncOutcome.Failed(hung));
    for (int i = 1; i < 4; i++) {
      assertThat(answers.get(i).getNow(null)).isInstanceOf(SyncOutcome.Synced.class);
    }
  }

  @Test
  @DisplayName("whoever cancels or runs out of time is answered at once")
  void givesUp() {
    syncs(0, 1);
    CallContext context = world.context();
    CompletableFuture<SyncOutcome> cancelled = sync(1, context);
    CompletableFuture<SyncOutcome> late =
        sync(2, world.context().until(world.time.nanos() + Duration.ofSeconds(1).toNanos()));

    context.cancellation().cancel();
    assertThat(((SyncOutcome.Failed) cancelled.getNow(null)).failure().kind())
        .isEqualTo(Failure.Kind.CANCELLED);
    assertThat(late).isNotCompleted();
    world.pass(Duration.ofSeconds(1));
    assertThat(late.getNow(null)).isInstanceOf(SyncOutcome.Failed.class);
  }
}
