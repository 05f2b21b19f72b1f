package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.Landscape.configuration;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Reads that overlap writes, removals and each other (Z35)")
class OverlappingReadsTest {
  private static final Duration LONG = Duration.ofSeconds(8);

  /** Kinds of requests whose responses take long to arrive. */
  private final Set<String> slow = new HashSet<>();

  private final AzureWorld world =
      AzureWorld.paced(
          ModelOptions.builder(1).announcement(ModelOptions.Announcement.NONE).build(),
          (site, timeout) ->
              EffectFate.answered(
                  Duration.ZERO, slow.contains(site.operation()) ? LONG : Duration.ZERO));
  private final AzureAllocation azure = world.allocation(AzureSettingsSample.alwaysDue());

  @BeforeEach
  void writesEndAtOnce() {
    world.way.rewriting(body -> body.replace("\"Updating\"", "\"Succeeded\""));
  }

  private static String list(Form form) {
    return form == Form.UNIFORM
        ? "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces"
        : "Interfaces.List";
  }

  private static String single(Form form) {
    return form == Form.UNIFORM
        ? "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces"
        : "Interfaces.Get";
  }

  /** A response that shows an interface without its pod addresses. */
  private static String emptied(String body) {
    return body.replaceAll("\\{\"name\":\"Tidemark-", "{\"gone\":\"")
        .replaceAll("\"privateIPAddress\":\"[^\"]*\"", "\"privateIPAddress\":\"\"");
  }

  /** A read that has seen Azure, and whose response is on its way. */
  private <T> CompletionStage<T> begun(String kind, Supplier<CompletionStage<T>> read) {
    slow.add(kind);
    CompletionStage<T> stage = read.get();
    world.pass(Duration.ofSeconds(1));
    slow.clear();
    assertThat(stage.toCompletableFuture()).isNotDone();
    return stage;
  }

  private static void release(OneNode node, IpAddress address) {
    node.released(AddressSet.of(address));
  }

  @EachForm
  @DisplayName(
      "AZ-B21 a full read from before a release does not bring the address back; the next one shows all")
  void fullReadBeforeRelease(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet two = node.added(2);
    CompletionStage<SyncOutcome> read = begun(list(form), () -> azure.resync(world.context()));
    release(node, two.at(1));
    world.await(read);
    assertThat(node.addresses()).isEqualTo(AddressSet.of(two.at(0)));
    AddressSet more = node.added(1);
    world.pass(Duration.ofMinutes(6));
    node.resync();
    assertThat(node.addresses()).isEqualTo(AddressSet.of(two.at(0)).plus(more));
  }

  @Test
  @DisplayName(
      "AZ-B22 of such a read only the released address is left out; a new interface counts")
  void newInterface() {
    String machine = Form.MACHINE.machine;
    OneNode node = OneNode.on(world, azure, machine);
    AddressSet two = node.added(2);
    new Landscape(world).addInterface("b-second", machine, configuration("primary", "nodes"));
    CompletionStage<SyncOutcome> read =
        begun("Interfaces.List", () -> azure.resync(world.context()));
    release(node, two.at(1));
    world.await(read);
    assertThat(node.known().statistics().interfaces()).isEqualTo(2);
    assertThat(node.addresses()).isEqualTo(AddressSet.of(two.at(0)));
  }

  @EachForm
  @DisplayName("AZ-B23 of two reads that overlap the later one is believed, though it ends first")
  void overlapping(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet two = node.added(2);
    CompletionStage<SyncOutcome> earlier = begun(single(form), node::beginSync);
    release(node, two.at(1));
    AddressSet more = node.added(1);
    CompletionStage<SyncOutcome> later = node.beginSync();
    world.pass(Duration.ofSeconds(1));
    assertThat(later.toCompletableFuture()).isCompleted();
    AddressSet expected = AddressSet.of(two.at(0)).plus(more);
    assertThat(node.addresses()).isEqualTo(expected);
    assertThat(earlier.toCompletableFuture()).isNotDone();
    world.await(earlier);
    assertThat(node.addresses()).isEqualTo(expected);
  }

  @EachForm
  @DisplayName("AZ-B23 a full read does not replace a single read that began later and ended first")
  void fullAndSingle(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    CompletionStage<SyncOutcome> full = begun(list(form), () -> azure.resync(world.context()));
    AddressSet theirs = OneNode.on(world, world.allocation(), form.machine).added(2);
    CompletionStage<SyncOutcome> single = node.beginSync();
    world.pass(Duration.ofSeconds(1));
    assertThat(single.toCompletableFuture()).isCompleted();
    assertThat(node.addresses()).isEqualTo(theirs);
    assertThat(full.toCompletableFuture()).isNotDone();
    long began = started(world.await(full));
    assertThat(node.addresses()).isEqualTo(theirs);
    assertThat(began).isLessThan(node.known().generation());
  }

  private static long started(SyncOutcome outcome) {
    assertThat(outcome).isInstanceOf(SyncOutcome.Synced.class);
    return ((SyncOutcome.Synced) outcome).startedGeneration();
  }

  @Test
  @DisplayName("AZ-N44 a wrong read that ends late does not count beside a good one begun after it")
  void wrongReadEndsLate() {
    OneNode node = OneNode.on(world, azure, Form.UNIFORM.machine);
    AddressSet five = node.added(5);
    world.pass(Duration.ofMinutes(6));
    world.way.rewriting(OverlappingReadsTest::emptied);
    CompletionStage<SyncOutcome> late = begun(single(Form.UNIFORM), node::beginSync);
    world.way.rewriting(body -> body);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.await(late)).isInstanceOf(SyncOutcome.Failed.class);
    world.pass(Duration.ofSeconds(55));
    world.way.rewriting(OverlappingReadsTest::emptied);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(node.addresses()).isEqualTo(five);
  }

  @EachForm
  @DisplayName("AZ-B24 a node that is deleted while it is read is not known again")
  void deletedMeanwhile(Form form) {
    for (boolean full : new boolean[] {true, false}) {
      OneNode node = OneNode.on(world, azure, form.machine);
      CompletionStage<SyncOutcome> read =
          full
              ? begun(list(form), () -> azure.resync(world.context()))
              : begun(single(form), node::beginSync);
      azure.deleteInstance(world.id(form.machine));
      world.await(read);
      assertThat(node.node.inventory()).isInstanceOf(Inventory.InstanceMissing.class);
      node.sync();
      assertThat(node.node.inventory()).isInstanceOf(Inventory.InstanceMissing.class);
    }
  }

  @EachForm
  @DisplayName("AZ-N20 F8 a node is served while a full read is on its way")
  void servedMeanwhile(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    CompletionStage<SyncOutcome> read = begun(list(form), () -> azure.resync(world.context()));
    CompletionStage<AllocationOutcome> allocation = node.begin(2, Duration.ofMinutes(1));
    world.pass(Duration.ofSeconds(1));
    assertThat(allocation.toCompletableFuture()).isCompleted();
    assertThat(read.toCompletableFuture()).isNotDone();
    world.await(read);
    assertThat(node.addresses().size()).as("F12").isEqualTo(2);
  }

  @ParameterizedTest(name = "usages are permitted: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("13.3 a count asked for before the subnet was found full does not open it again")
  void countBeforeFull(boolean permitted) {
    Landscape land = new Landscape(world);
    land.addSubnet("s1", "10.1.1.0/24");
    ArmFault denied =
        ArmFault.every("VirtualNetworks.ListUsage", ArmFault.Kind.FAIL)
            .withError(ArmError.of(403, "AuthorizationFailed", "usages/read"));
    List<ArmFault> faults = permitted ? List.of() : List.of(denied);
    world.azure.faults(faults.toArray(ArmFault[]::new));
    OneNode node = OneNode.on(world, azure, land.addMachine("vm-1", "s1"));
    PoolId pool = new PoolId(Landscape.subnet("s1"));
    world.pass(Duration.ofSeconds(61));
    slow.add(permitted ? "VirtualNetworks.ListUsage" : "Subnets.Get");
    node.added(1);
    List<ArmFault> full = new ArrayList<>(faults);
    full.add(
        ArmFault.every("Interfaces.CreateOrUpdate", ArmFault.Kind.FAIL)
            .withError(ArmError.of(400, "SubnetIsFull", "no address is left")));
    world.azure.faults(full.toArray(ArmFault[]::new));
    assertThat(node.allocate(1)).isEqualTo(new AllocationOutcome.PoolExhausted(pool));
    slow.clear();
    world.pass(LONG.plusSeconds(2));
    assertThat(free(pool)).as("the count that was on its way has come").isZero();
    world.azure.faults(faults.toArray(ArmFault[]::new));
    world.pass(Duration.ofMinutes(6));
    world.await(azure.resync(world.context()));
    world.pass(Duration.ofSeconds(10));
    assertThat(free(pool)).as("after a later count").isEqualTo(251 - 2);
  }

  private int free(PoolId pool) {
    return Objects.requireNonNull(azure.poolQuota().get(pool)).availableIps();
  }
}
