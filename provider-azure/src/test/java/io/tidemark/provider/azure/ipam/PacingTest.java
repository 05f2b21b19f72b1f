package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Throttles, busy resources and credentials with the calls of production (13.2, 13.3)")
class PacingTest {
  private static final Duration FIVE = Duration.ofMinutes(5);

  private AzureWorld world = AzureWorld.paced(ModelOptions.of(1));
  private Map<String, Double> rates = Map.of();
  private Landscape land = new Landscape(world);
  private AzureAllocation azure = world.allocation();

  private void use(ModelOptions options) {
    world = AzureWorld.paced(options);
    land = new Landscape(world);
    azure = world.allocation();
  }

  private OneNode on(String machine) {
    return OneNode.on(world, azure, machine);
  }

  private static ArmError throttle(Duration after) {
    return ArmError.of(429, "SubscriptionRequestsThrottled", "x").after(after);
  }

  private static ArmError throttleByProvider(Duration after) {
    return ArmError.of(429, "TooManyRequests", "x").after(after);
  }

  private static boolean isDone(CompletionStage<?> stage) {
    return stage.toCompletableFuture().isDone();
  }

  @ParameterizedTest(name = "{0} s")
  @ValueSource(ints = {1, 300})
  @DisplayName("AZ-N5 a read that is throttled closes its kind until then, and occupies no worker")
  void retryAfter(int seconds) {
    OneNode machine = on(Form.MACHINE.machine);
    OneNode instance = on(Form.UNIFORM.machine);
    world.azure.faults(
        ArmFault.every("Interfaces.Get", ArmFault.Kind.FAIL)
            .withError(throttleByProvider(Duration.ofSeconds(seconds)))
            .once());
    int asked = world.asked("Interfaces.Get");
    CompletionStage<SyncOutcome> read =
        azure.instanceSync(world.id(machine.machine), world.context(Duration.ofMinutes(10)));
    world.pass(Duration.ofSeconds(seconds).minusMillis(500));
    assertThat(isDone(read)).isFalse();
    assertThat(world.asked("Interfaces.Get")).isEqualTo(asked + 1);
    assertThat(instance.sync()).as("another kind").isInstanceOf(SyncOutcome.Synced.class);
    world.pass(Duration.ofSeconds(30));
    assertThat(read.toCompletableFuture().join()).isInstanceOf(SyncOutcome.Synced.class);
  }

  @Test
  @DisplayName(
      "AZ-N28 a provider's throttle of 30 s: no read of that kind leaves before, writes go on")
  void throttledKind() {
    OneNode machine = on(Form.MACHINE.machine);
    OneNode instance = on(Form.UNIFORM.machine);
    String list = "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces";
    world.azure.faults(
        ArmFault.every(list, ArmFault.Kind.FAIL)
            .withError(throttleByProvider(Duration.ofSeconds(30)))
            .once());
    CompletionStage<SyncOutcome> read = instance.beginSync();
    world.pass(Duration.ofMillis(10));
    int asked = world.asked(list);
    CompletionStage<AllocationOutcome> write = machine.begin(3, FIVE);
    world.pass(Duration.ofSeconds(29));
    assertThat(world.asked(list)).isEqualTo(asked);
    assertThat(isDone(read)).isFalse();
    assertThat(isDone(write)).isTrue();
    assertThat(machine.addresses().size()).isEqualTo(3);
    world.pass(Duration.ofSeconds(20));
    assertThat(isDone(read)).isTrue();
  }

  @Test
  @DisplayName(
      "AZ-N28 Resource Manager's throttle of 30 s: no read leaves before, not the next kind")
  void throttledReads() {
    OneNode machine = on(Form.MACHINE.machine);
    OneNode instance = on(Form.UNIFORM.machine);
    String list = "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces";
    CompletionStage<AllocationOutcome> write = machine.begin(3, FIVE);
    world.pass(Duration.ofMillis(10));
    assertThat(world.asked("Interfaces.CreateOrUpdate")).isEqualTo(1);
    world.azure.faults(
        ArmFault.every(list, ArmFault.Kind.FAIL)
            .withError(throttle(Duration.ofSeconds(30)))
            .once());
    CompletionStage<SyncOutcome> read = instance.beginSync();
    world.pass(Duration.ofMillis(10));
    int asked = world.asked(list);
    world.pass(Duration.ofSeconds(29));
    assertThat(world.asked(list)).isEqualTo(asked);
    assertThat(isDone(read)).isFalse();
    world.pass(Duration.ofSeconds(60));
    assertThat(isDone(read)).isTrue();
    assertThat(isDone(write)).isTrue();
    assertThat(machine.addresses().size()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(ModelOptions.Busy.class)
  @DisplayName("AZ-N27 a busy instance slows its own node only: no rate is cut, no breaker opens")
  void busy(ModelOptions.Busy how) {
    use(ModelOptions.builder(1).busy(how).build());
    OneNode node = on(Form.UNIFORM.machine);
    OneNode other = on(Form.UNIFORM.machine.replaceAll("0$", "1"));
    for (int i = 0; i < 12; i++) {
      world.way.beforeNextWrite(
          () -> world.azure.change(o -> o.occupy(node.machine, Duration.ofSeconds(30))));
      AllocationOutcome outcome = node.allocate(1);
      if (how != ModelOptions.Busy.PREEMPT) {
        Failure why = OneNode.refusal(outcome);
        assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
        assertThat(why.condition()).isEqualTo("busy");
        assertThat(why.retryAfter()).contains(Duration.ofSeconds(5));
      }
      long before = world.time.nanos();
      assertThat(other.added(1).size()).isEqualTo(1);
      assertThat(world.time.nanos() - before)
          .as("a poll after ten seconds, as ever")
          .isLessThanOrEqualTo(Duration.ofSeconds(16).toNanos());
      assertNotTightened();
      world.pass(Duration.ofSeconds(31));
    }
    assertNotTightened();
  }

  @Test
  @DisplayName("AZ-N29 a throttle of one instance's own bucket leaves the other nodes alone")
  void instanceThrottled() {
    OneNode node = on(Form.UNIFORM.machine);
    OneNode other = on(Form.UNIFORM.machine.replaceAll("0$", "1"));
    List<Failure> refusals = new ArrayList<>();
    world.azure.faults(
        ArmFault.every(Form.UNIFORM.put, ArmFault.Kind.FAIL)
            .on("virtualmachines/0")
            .withError(ArmError.of(429, "OperationNotAllowed", "x").after(Duration.ofSeconds(20)))
            .window(3, 1));
    for (int i = 0; i < 4; i++) {
      AllocationOutcome outcome = node.allocate(1);
      if (outcome instanceof AllocationOutcome.Refused refused) {
        refusals.add(refused.failure());
      }
    }
    assertThat(refusals)
        .singleElement()
        .satisfies(
            why -> {
              assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
              assertThat(why.condition()).isEqualTo("instanceThrottled");
              assertThat(why.retryAfter()).contains(Duration.ofSeconds(20));
            });
    int asked = world.asked(Form.UNIFORM.put);
    CompletionStage<AllocationOutcome> write = other.begin(2, FIVE);
    world.pass(Duration.ofSeconds(1));
    assertThat(world.asked(Form.UNIFORM.put)).as("within the pause").isEqualTo(asked + 1);
    world.pass(Duration.ofSeconds(16));
    assertThat(isDone(write)).isTrue();
    assertThat(other.addresses().size()).isEqualTo(2);
    assertNotTightened();
  }

  /** No breaker is open, and no rate is lower than at the last look. */
  private void assertNotTightened() {
    assertThat(world.measured.all(Metric.API_HELD_BACK).values()).containsOnly(0.0);
    Map<String, Double> now = world.measured.all(Metric.API_RATE);
    rates.forEach(
        (operation, before) -> assertThat(now.get(operation)).isGreaterThanOrEqualTo(before));
    rates = now;
  }

  private void throttleOne(String operation) {
    world.azure.faults(
        ArmFault.every(operation, ArmFault.Kind.FAIL)
            .withError(ArmError.of(429, "OperationNotAllowed", "x").after(Duration.ofSeconds(30)))
            .once());
  }

  @Test
  @DisplayName("AZ-N29 a throttled poll of one instance's operation does not stop those of others")
  void pollThrottled() {
    OneNode node = on(Form.UNIFORM.machine);
    OneNode other = on(Form.UNIFORM.machine.replaceAll("0$", "1"));
    throttleOne("Operations.Get");
    CompletionStage<AllocationOutcome> first = node.begin(1, FIVE);
    world.pass(Duration.ofSeconds(1));
    CompletionStage<AllocationOutcome> second = other.begin(1, FIVE);
    world.pass(Duration.ofSeconds(20));
    assertThat(isDone(first)).isFalse();
    assertThat(isDone(second)).isTrue();
    assertThat(world.await(first)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  @DisplayName("AZ-N29 a throttled read of one virtual machine does not stop those of others")
  void machineThrottled() {
    throttleOne("VirtualMachines.Get");
    List<CompletionStage<SyncOutcome>> reads = new ArrayList<>();
    for (String each : List.of("vm-1", "vm-2")) {
      String machine = land.addMachine(each, "nodes");
      reads.add(OneNode.unread(world, azure, world.resource(machine), false).beginSync());
      world.pass(Duration.ofSeconds(10));
    }
    assertThat(isDone(reads.get(0))).isFalse();
    assertThat(isDone(reads.get(1))).isTrue();
    assertThat(world.await(reads.get(0))).isInstanceOf(SyncOutcome.Synced.class);
  }

  private static ArmFault refusedToken(int times) {
    return ArmFault.refusing("*", 401, "InvalidAuthenticationToken").window(0, times);
  }

  @EachForm
  @DisplayName("AZ-N40 a token that is refused once: one refresh, one repetition")
  void tokenOnce(Form form) {
    OneNode node = on(form.machine);
    int given = world.tokensGiven;
    world.azure.faults(refusedToken(1));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.tokensGiven).isEqualTo(given + 1);
  }

  @EachForm
  @DisplayName("AZ-N40 a poll during which the token was renewed: the new one is what is refused")
  void tokenOfPoll(Form form) {
    use(ModelOptions.builder(1).operation(DelayRange.fixed(Duration.ofHours(1))).build());
    OneNode node = on(form.machine);
    CompletionStage<AllocationOutcome> polled = node.begin(1, Duration.ofHours(2));
    world.pass(Duration.ofMinutes(56));
    node.resync();
    int given = world.tokensGiven;
    world.azure.faults(refusedToken(1));
    assertThat(world.await(polled)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.tokensGiven).isEqualTo(given + 1);
  }

  @Test
  @DisplayName("AZ-N40 refused twice: no credentials; the breaker opens, and others send nothing")
  void tokenTwice() {
    land.addSet("many", "nodes", "eth0");
    List<OneNode> nodes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      nodes.add(on(land.addInstance("many", i)));
    }
    world.azure.faults(refusedToken(Integer.MAX_VALUE));
    SyncOutcome first = nodes.get(0).sync();
    Failure why = ((SyncOutcome.Failed) first).failure();
    assertThat(why.kind()).isEqualTo(Failure.Kind.CONFIGURATION);
    assertThat(why.condition()).isEqualTo("noCredentials");
    // Each refusal waits for a new token; what went well before leaves the breaker's window.
    askEachSecond(nodes, 120);
    int asked = requests();
    int most = 0;
    for (int quiet = 0, i = 0; i < 60; i++) {
      int before = requests();
      askEachSecond(nodes, 1);
      quiet = requests() == before ? quiet + 1 : 0;
      most = Math.max(most, quiet);
    }
    assertThat(most).as("seconds without a request: the breaker is open").isBetween(8, 20);
    assertThat(requests() - asked).as("probes of 40 nodes in a minute").isLessThan(100);
    world.azure.faults();
    world.pass(Duration.ofSeconds(30));
    assertThat(nodes.get(1).sync()).as("by itself").isInstanceOf(SyncOutcome.Synced.class);
  }

  private void askEachSecond(List<OneNode> nodes, int seconds) {
    for (int i = 0; i < seconds; i++) {
      nodes.forEach(OneNode::beginSync);
      world.pass(Duration.ofSeconds(1));
    }
  }

  private int requests() {
    return world.azure.handler().use(model -> model.audit().entries().size());
  }
}
