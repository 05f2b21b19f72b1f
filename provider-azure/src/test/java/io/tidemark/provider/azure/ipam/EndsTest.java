package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.ip.AddressSet;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How operations end, and what befalls machines (Z13, Z17, Z18)")
class EndsTest {
  private static final Duration LASTS = Duration.ofSeconds(20);

  private final AzureWorld world = AzureWorld.lasting(LASTS);

  private void fault(Form form, ArmFault.Kind kind) {
    world.azure.faults(ArmFault.every(form.put, kind).once());
  }

  @EachForm
  @DisplayName("AZ-N3 AZ-N20 F9 an operation that failed is a failure, with its innermost error")
  void failed(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    world.azure.faults(
        ArmFault.every(form.put, ArmFault.Kind.FAIL_OPERATION)
            .withError(ArmError.of(409, "Outer", "o").because("InternalExecutionError", "i"))
            .once());
    Failure why = OneNode.refusal(node.allocate(4));
    assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(why.detail()).contains("InternalExecutionError");
    node.sync();
    assertThat(node.addresses().isEmpty()).isTrue();
    assertThat(node.blocked()).isEmpty();
    world.azure.faults();
    assertThat(node.added(4).size()).isEqualTo(4);
  }

  @EachForm
  @DisplayName("AZ-N3 an operation that failed because the subnet is full is an exhausted pool")
  void failedForSubnet(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    world.azure.faults(
        ArmFault.every(form.put, ArmFault.Kind.FAIL_OPERATION)
            .withError(
                ArmError.of(400, "NetworkingInternalOperationError", "o")
                    .because("SubnetIsFull", "i"))
            .once());
    assertThat(node.allocate(4)).isInstanceOf(AllocationOutcome.PoolExhausted.class);
  }

  @EachForm
  @DisplayName("AZ-N3 an operation that was canceled is superseded, and nothing is assumed undone")
  void canceled(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    fault(form, ArmFault.Kind.CANCEL_OPERATION);
    assertThat(OneNode.refusal(node.allocate(4)).condition()).isEqualTo("superseded");
    node.sync();
    assertThat(node.addresses().isEmpty()).isTrue();
    assertThat(node.allocate(2)).isInstanceOf(AllocationOutcome.Allocated.class);
    node.sync();
    assertThat(node.addresses().size())
        .as("all that Azure has")
        .isEqualTo(world.added(form.target));
  }

  @EachForm
  @DisplayName("AZ-N3 a response that says Succeeded beside an operation is waited for")
  void earlySuccess(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    world.way.rewriting(body -> body.replace("\"Updating\"", "\"Succeeded\""));
    assertThat(node.added(4).size()).isEqualTo(4);
    assertThat(world.asked("Operations.Get")).isEqualTo(3);
  }

  @Test
  @DisplayName("AZ-N21 ghosts take places, are not shown, and the next write drops them")
  void ghosts() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    fault(Form.UNIFORM, ArmFault.Kind.FAIL_OPERATION);
    OneNode.refusal(node.allocate(250));
    node.sync();
    assertThat(node.addresses().isEmpty()).isTrue();
    assertThat(node.shown().get(0).addresses()).isEmpty();
    assertThat(world.reported).isEmpty();
    assertThat(node.added(255).size()).as("all places are free again").isEqualTo(255);
    assertThat(world.reported).containsExactly(AzureError.GHOSTS_DROPPED);
    assertThat(world.writes()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "AZ-N21 ghosts that an operator before left are dropped a horizon after they are noticed")
  void ghostsOfBefore() {
    fault(Form.UNIFORM, ArmFault.Kind.FAIL_OPERATION);
    OneNode.refusal(OneNode.on(world, Form.UNIFORM.machine).allocate(255));
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    assertThat(node.allocate(20)).isInstanceOf(AllocationOutcome.LimitReached.class);
    world.pass(Duration.ofSeconds(61));
    assertThat(node.added(20).size()).isEqualTo(20);
    assertThat(world.reported).containsExactly(AzureError.GHOSTS_DROPPED);
    assertThat(node.addresses().size()).isEqualTo(20);
  }

  @Test
  @DisplayName("AZ-N21 what another has added and a list does not show yet is no ghost")
  void othersAreNoGhosts() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    OneNode other = OneNode.on(world, Form.UNIFORM.machine);
    other.added(3);
    hideOurs();
    assertThat(OneNode.refusal(node.allocate(2)).condition()).isEqualTo("unshown");
    world.way.rewriting(body -> body);
    world.pass(Duration.ofMinutes(1));
    node.sync();
    assertThat(node.added(2).size()).isEqualTo(2);
    assertThat(world.added(Form.UNIFORM.target)).isEqualTo(5);
  }

  @Test
  @DisplayName("AZ-N21 what was not shown once and then was is no ghost when it is not shown again")
  void shownMeanwhile() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    OneNode other = OneNode.on(world, Form.UNIFORM.machine);
    node.added(3);
    for (int i = 0; i < 2; i++) {
      other.sync();
      other.added(1);
      Set<String> there = world.addresses(Form.UNIFORM.target);
      hideOurs();
      node.allocate(3);
      world.way.rewriting(body -> body);
      world.pass(Duration.ofMinutes(2));
      node.sync();
      assertThat(world.addresses(Form.UNIFORM.target)).containsAll(there);
      node.added(1);
    }
  }

  /** Lists of interfaces show none of our names. */
  private void hideOurs() {
    world.way.rewriting(
        body ->
            body.contains("\"virtualMachine\"")
                ? body.replaceAll("\"name\":\"Tidemark-", "\"name\":\"hidden-")
                : body);
  }

  @Test
  @DisplayName("AZ-N43 an instance that is stopped or deleted gets no write, and resumes by itself")
  void notRunning() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    for (Power power : List.of(Power.STOPPED, Power.DEALLOCATED, Power.DEALLOCATING)) {
      world.azure.change(owner -> owner.setPower(node.machine, power));
      assertThat(node.allocate(1)).isEqualTo(new AllocationOutcome.InstanceNotRunning());
      assertThat(node.sync()).as("it is there").isInstanceOf(SyncOutcome.Synced.class);
    }
    assertThat(world.writes()).isZero();
    world.azure.change(owner -> owner.setPower(node.machine, Power.RUNNING));
    assertThat(node.added(1).size()).isEqualTo(1);
    world.azure.change(owner -> owner.markForDeletion(node.machine));
    assertThat(node.allocate(1)).isEqualTo(new AllocationOutcome.InstanceNotRunning());
    assertThat(world.writes()).isEqualTo(1);
  }

  @Test
  @DisplayName("AZ-N43 a deallocated virtual machine's interface is written like any other")
  void deallocatedMachine() {
    OneNode node = OneNode.on(world, Form.MACHINE.machine);
    world.azure.change(owner -> owner.setPower(node.machine, Power.DEALLOCATED));
    assertThat(node.added(2).size()).isEqualTo(2);
    assertThat(world.asked("VirtualMachines.Get")).as("only to find the interface").isEqualTo(1);
  }

  @Test
  @DisplayName(
      "AZ-N44 an upgrade to the set's model: believed at the second sight, told, begun anew")
  void upgraded() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    AddressSet five = node.added(5);
    world.pass(Duration.ofMinutes(6));
    world.azure.change(owner -> owner.upgradeToModel(node.machine));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(node.addresses()).isEqualTo(five);
    world.pass(Duration.ofSeconds(30));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(node.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses()).isEqualTo(five);
    assertThat(world.reported).isEmpty();
    world.pass(Duration.ofSeconds(31));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses().isEmpty()).isTrue();
    assertThat(world.reported).containsExactly(AzureError.CONFIGURATIONS_REPLACED);
    assertThat(node.added(5).size()).isEqualTo(5);
    assertThat(world.added(Form.UNIFORM.target)).isEqualTo(5);
    world.pass(Duration.ofMinutes(6));
    node.sync();
    assertThat(world.reported).hasSize(1);
  }

  @Test
  @DisplayName(
      "AZ-N44 an upgrade right after a write is told once, when the write is no longer believed")
  void upgradedAfterWrite() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    node.added(5);
    world.azure.change(owner -> owner.upgradeToModel(node.machine));
    for (int i = 0; i < 12; i++) {
      node.sync();
      world.pass(Duration.ofSeconds(40));
    }
    assertThat(node.addresses().isEmpty()).isTrue();
    assertThat(world.reported).containsExactly(AzureError.CONFIGURATIONS_REPLACED);
  }

  @Test
  @DisplayName("AZ-N44 one wrong read changes nothing")
  void oneWrongRead() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    AddressSet five = node.added(5);
    world.pass(Duration.ofMinutes(6));
    world.way.rewriting(
        body ->
            body.replaceAll("\\{\"name\":\"Tidemark-", "{\"gone\":\"")
                .replaceAll("\"privateIPAddress\":\"[^\"]*\"", "\"privateIPAddress\":\"\""));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    world.way.rewriting(body -> body);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses()).isEqualTo(five);
    world.pass(Duration.ofMinutes(2));
    world.azure.change(owner -> owner.upgradeToModel(node.machine));
    assertThat(node.sync())
        .as("it counts from the last good read")
        .isInstanceOf(SyncOutcome.Failed.class);
    assertThat(world.reported).isEmpty();
  }

  @Test
  @DisplayName("AZ-N44 a read that shows other addresses alone is doubted as one that shows none")
  void replacedByOthers() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    AddressSet five = node.added(5);
    world.pass(Duration.ofMinutes(6));
    world.azure.change(owner -> owner.upgradeToModel(node.machine));
    AddressSet two = OneNode.on(world, Form.UNIFORM.machine).added(2);
    assertThat(two.intersects(five)).isFalse();
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(node.addresses()).isEqualTo(five);
    world.pass(Duration.ofSeconds(61));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses()).isEqualTo(two);
  }

  @Test
  @DisplayName("Z35 of a virtual machine one read is believed that shows none of its addresses")
  void emptiedMachine() {
    OneNode node = OneNode.on(world, Form.MACHINE.machine);
    AddressSet five = node.added(5);
    world.pass(Duration.ofMinutes(6));
    OneNode.on(world, Form.MACHINE.machine).release(OneNode.singles(five));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses().isEmpty()).isTrue();
    assertThat(world.reported).isEmpty();
  }

  @Test
  @DisplayName("AZ-N44 what we have released ourselves is no replacement")
  void ownRelease() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    AddressSet five = node.added(5);
    node.release(OneNode.singles(five));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    world.pass(Duration.ofMinutes(6));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(world.reported).isEmpty();
  }

  @EachForm
  @DisplayName("AZ-N39 an operation at another host is not asked, is told, and no token goes there")
  void foreignUrl(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    world.way.answering("Azure-AsyncOperation", "https://evil.example/operations/1?s=signed");
    assertThat(node.added(3).size()).isEqualTo(3);
    assertThat(world.way.urls()).noneMatch(url -> url.contains("evil.example"));
    assertThat(world.asked("Operations.Get")).isZero();
    assertThat(world.reported).containsExactly(AzureError.FOREIGN_OPERATION_URL);
  }

  @EachForm
  @DisplayName(
      "AZ-N42 an operation that is not found or not ours to read: the resource's state decides")
  void operationNotServed(Form form) {
    for (ArmError error :
        List.of(ArmError.of(404, "NotFound", "x"), ArmError.of(403, "AuthorizationFailed", "x"))) {
      OneNode node = OneNode.on(world, form.machine);
      world.azure.faults(ArmFault.every("Operations.Get", ArmFault.Kind.FAIL).withError(error));
      assertThat(node.added(3).size()).isEqualTo(3);
      assertThat(world.reported).isEmpty();
    }
    assertThat(world.asked("Operations.Get")).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "AZ-N49 an interface that failed is written; what Azure has not completed is not shown")
  void failedInterface() {
    OneNode node = OneNode.on(world, Form.MACHINE.machine);
    fault(Form.MACHINE, ArmFault.Kind.FAIL_OPERATION);
    OneNode.refusal(node.allocate(2));
    assertThat(world.states(AzureWorld.MACHINE)).contains("failed");
    OneNode next = OneNode.on(world, Form.MACHINE.machine);
    assertThat(next.addresses().isEmpty()).isTrue();
    assertThat(next.shown().get(0).state()).isEqualTo("failed");
    world.azure.faults();
    assertThat(next.allocate(1)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.states(AzureWorld.MACHINE)).containsOnly("succeeded");
    next.sync();
    assertThat(next.addresses().size()).isEqualTo(world.added(AzureWorld.MACHINE));
  }

  @EachForm
  @DisplayName(
      "AZ-B11 failures are values: the same error is the same kind and condition each time")
  void failuresAreValues(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    for (int status : new int[] {400, 403, 404, 409, 500}) {
      world.azure.faults(ArmFault.refusing("*", status, "Some"));

      Failure first = OneNode.refusal(node.allocate(1));
      Failure second = OneNode.refusal(node.allocate(1));
      assertThat(second.kind()).isEqualTo(first.kind());
      assertThat(second.condition()).isEqualTo(first.condition());
      assertThat(node.blocked()).isNotEqualTo(Optional.of(BlockedReason.READING_BACK));
    }
  }
}
