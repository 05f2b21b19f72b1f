package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What a card got and pods cannot use yet")
class PendingTest {
  /** A cloud of which the host is set up for the primary interface alone, until it is ready. */
  private static final class Unprepared extends RelayedCloud {
    private boolean ready;

    Unprepared(InterfaceCloud cloud) {
      super(cloud);
    }

    private CloudEni seen(CloudEni eni) {
      return ready || eni.spec().primary() ? eni : eni.asPreparing();
    }

    @Override
    <T> CompletionStage<CloudAnswer<T>> call(
        String operation, Supplier<CompletionStage<CloudAnswer<T>>> call) {
      return call.get();
    }

    @Override
    public CompletionStage<CloudAnswer<List<CloudEni>>> read() {
      return super.read()
          .thenApply(answer -> mapped(answer, all -> all.stream().map(this::seen).toList()));
    }

    @Override
    public CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count) {
      return super.createEni(kind, count).thenApply(answer -> mapped(answer, this::seen));
    }

    private static <T> CloudAnswer<T> mapped(CloudAnswer<T> answer, UnaryOperator<T> change) {
      return answer instanceof CloudAnswer.Done<T> done
          ? new CloudAnswer.Done<>(change.apply(done.value()))
          : answer;
    }
  }

  private static PoolPlan plan(TestLoop node) {
    return node.loop.status().orElseThrow().plan();
  }

  @DisplayName("D138 While an interface waits for the host none is created; then pods use it")
  @ParameterizedTest(name = "{0}")
  @EnumSource(CidrKind.class)
  void hostNotReady(CidrKind mode) {
    WarmTargets onePrefix =
        new WarmTargets(WarmTargets.DEFAULT.warmIp(), WarmTargets.DEFAULT.minIp(), 1, 1);
    TestLoop node = new TestLoop(mode, onePrefix, mode == CidrKind.PREFIX ? 1 : 3, 4);
    Unprepared host = new Unprepared(node.client);
    node.on(host).started();
    node.pass(SECOND.multipliedBy(10));
    int onPrimary = mode == CidrKind.PREFIX ? 16 : 3;
    for (int pod = 0; pod < onPrimary; pod++) {
      assertThat(node.add("pod-" + pod)).startsWith("10.");
      node.pass(SECOND.multipliedBy(2));
    }
    for (int minutes = 0; minutes < 20; minutes++) {
      assertThat(node.add("late")).as("no address is usable").isEqualTo("ALL_ASSIGNED");
      node.pass(MINUTE);
    }
    assertThat(node.cloud.now()).as("the second one counts").hasSize(2);
    assertThat(plan(node).growth()).isEqualTo(new Growth.Waits());
    assertThat(plan(node).pending().enis()).containsExactly("eni-1");
    assertThat(plan(node).pending().addresses()).isEqualTo(onPrimary);
    assertThat(node.loop.status().orElseThrow().canGrow()).isFalse();
    host.ready = true;
    node.loop.prepared();
    node.pass(SECOND);
    assertThat(node.add("late")).startsWith("10.");
    node.pass(MINUTE);
    assertThat(plan(node).pending().enis()).isEmpty();
  }

  @Test
  @DisplayName("D138 An interface that pods can use at last and that is not needed goes back")
  void surplus() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, WarmTargets.DEFAULT, 3, 4);
    Unprepared host = new Unprepared(node.client);
    node.on(host).started();
    node.pass(SECOND.multipliedBy(10));
    assertThat(node.add("pod")).startsWith("10.");
    node.pass(MINUTE);
    assertThat(node.cloud.now()).hasSize(2);
    node.del("pod");
    node.pass(MINUTE.multipliedBy(10));
    assertThat(node.cloud.now()).as("it is not known yet whether it works").hasSize(2);
    host.ready = true;
    node.loop.prepared();
    node.pass(MINUTE.multipliedBy(5));
    assertThat(node.cloud.now()).hasSize(1);
  }

  @Test
  @DisplayName("D141 Pods that come one after the other share requests, and each is served at once")
  void gathered() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, TestLoop.targets(6, 0), 40, 4).started();
    node.pass(SECOND.multipliedBy(10));
    int before = node.calls("assign").size();
    for (int pod = 0; pod < 16; pod++) {
      assertThat(node.add("pod-" + pod)).startsWith("10.");
      node.pass(SECOND.dividedBy(2));
    }
    node.pass(SECOND.multipliedBy(15));
    assertThat(node.inStore()).as("the target is met").hasSize(16 + 6);
    assertThat(node.calls("assign").size() - before).isLessThanOrEqualTo(5);
  }

  @DisplayName(
      "D141 Sixteen pods of a node with nine addresses an interface need one interface more")
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void fewRequests(WarmTargets targets, int assigns, int total) {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets, 9, 3).started();
    node.pass(SECOND);
    for (int pod = 0; pod < 16; pod++) {
      assertThat(node.add("pod-" + pod)).startsWith("10.");
      node.pass(SECOND.dividedBy(5));
    }
    assertThat(node.calls("create")).hasSize(1);
    assertThat(node.calls("assign")).hasSizeLessThanOrEqualTo(assigns);
    node.pass(SECOND.multipliedBy(15));
    assertThat(node.inStore()).as("the target is met").hasSize(total);
  }

  static List<Arguments> fewRequests() {
    return List.of(
        arguments(named("an interface in reserve", WarmTargets.DEFAULT), 1, 27),
        arguments(named("4 free, 10 in all", TestLoop.targets(4, 10)), 4, 20),
        arguments(named("9 free", TestLoop.targets(9, 0)), 2, 25));
  }

  /** A node whose three addresses cool, because the file does not say when they were released. */
  private static TestLoop takenOver() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, WarmTargets.DEFAULT, 3, 4).started();
    node.pass(SECOND.multipliedBy(10));
    assertThat(node.inStore()).hasSize(3);
    node.restarted();
    assertThat(node.ended(node.loop.fill())).isTrue();
    Read other = new Read.Current(CheckpointData.EMPTY);
    RecoveryRules rules = RecoveryRules.of(IpFamily.IPV4).coolingUnnoted(other);
    node.ended(node.store.recover(CheckpointData.EMPTY, rules));
    node.loop.start();
    return node;
  }

  @Test
  @DisplayName("D139 No interface is created because addresses cool after a start without a record")
  void takeOver() {
    TestLoop node = takenOver();
    node.pass(SECOND.multipliedBy(25));
    assertThat(plan(node).growth()).isEqualTo(new Growth.None());
    assertThat(plan(node).pending().cooling()).isEqualTo(3);
    assertThat(node.add("pod")).isEqualTo("ALL_COOLING");
    node.pass(SECOND.multipliedBy(6));
    assertThat(node.add("pod")).as("above the floor").startsWith("10.");
    assertThat(node.cloud.now()).hasSize(1);
    node.pass(MINUTE.multipliedBy(3));
    assertThat(plan(node).pending().cooling()).isZero();
    assertThat(node.cloud.now()).as("one whole interface is kept free again").hasSize(2);
  }

  @Test
  @DisplayName("D139 More pods than addresses that cool after a start get an interface")
  void takeOverWithDemand() {
    TestLoop node = takenOver();
    node.pass(SECOND.multipliedBy(2));
    for (int pod = 0; pod < 4; pod++) {
      assertThat(node.add("pod-" + pod)).isEqualTo("ALL_COOLING");
    }
    node.pass(SECOND.multipliedBy(35));
    assertThat(node.add("pod-0")).startsWith("10.");
    assertThat(node.cloud.now()).hasSize(2);
  }
}
