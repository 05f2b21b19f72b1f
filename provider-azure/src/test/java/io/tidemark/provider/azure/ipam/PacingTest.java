package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  private static boolean isDone(CompletionStage<?> stage) {
    return stage.toCompletableFuture().isDone();
  }

  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "cloud paced; ",
        """
        AZ-N5 a read that is throttled closes its kind until then, and occupies no worker
          UNIFORM: at MACHINE; machine: on; at UNIFORM; instance: on;
          fault fail Interfaces.Get status=429 code=TooManyRequests retry-after=1 times=1;
          mark asked Interfaces.Get; machine: beginSync; 0.5s; machine: notDone;
          asked Interfaces.Get +1; instance: sync; 30s; machine: done; machine: ends Synced
        AZ-N5 the same for five minutes
          UNIFORM: at MACHINE; machine: on; at UNIFORM; instance: on;
          fault fail Interfaces.Get status=429 code=TooManyRequests retry-after=300 times=1;
          mark asked Interfaces.Get; machine: beginSync; 299.5s; machine: notDone;
          asked Interfaces.Get +1; instance: sync; 30s; machine: done; machine: ends Synced
        AZ-N28 a provider's throttle of 30 s: no read of that kind leaves before, writes go on
          UNIFORM: at MACHINE; machine: on; at UNIFORM; instance: on;
          fault fail listOfInstance status=429 code=TooManyRequests retry-after=30 times=1;
          instance: beginSync; 0.01s; mark asked listOfInstance; machine: begin 3; 29s;
          asked listOfInstance +0; instance: notDone; machine: done; machine: has 3; 20s;
          instance: done
        AZ-N28 Resource Manager's throttle of 30 s: no read leaves before, not the next kind
          UNIFORM: at MACHINE; machine: on; at UNIFORM; instance: on; machine: begin 3; 0.01s;
          asked Interfaces.CreateOrUpdate 1;
          fault fail listOfInstance status=429 code=SubscriptionRequestsThrottled retry-after=30
          times=1; instance: beginSync; 0.01s; mark asked listOfInstance; 29s;
          asked listOfInstance +0; instance: notDone; 60s; instance: done; machine: done;
          machine: has 3
        AZ-N29 a throttled poll of one instance's operation does not stop those of others
          UNIFORM: on; at SECOND; second: on;
          fault fail Operations.Get status=429 code=OperationNotAllowed retry-after=30 times=1;
          begin 1; 1s; second: begin 1; 20s; notDone; second: done; ends Allocated
        AZ-N29 a throttled read of one virtual machine does not stop those of others
          MACHINE: fault fail VirtualMachines.Get status=429 code=OperationNotAllowed
          retry-after=30 times=1; machine vm-1 nodes; unread; beginSync; 10s; machine vm-2 nodes;
          second: unread; second: beginSync; 10s; notDone; second: done; ends Synced
        AZ-N40 a token that is refused once: one refresh, one repetition
          on; mark tokens; fault fail * status=401 code=InvalidAuthenticationToken times=1; sync;
          tokens +1
        AZ-N40 a poll during which the token was renewed: the new one is what is refused
          cloud paced operation: 1h; on; begin 1 2h; 56m; resync ?; mark tokens;
          fault fail * status=401 code=InvalidAuthenticationToken times=1; ends Allocated;
          tokens +1\
        """);
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

  private static ArmFault refusedToken(int times) {
    return ArmFault.refusing("*", 401, "InvalidAuthenticationToken").window(0, times);
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
