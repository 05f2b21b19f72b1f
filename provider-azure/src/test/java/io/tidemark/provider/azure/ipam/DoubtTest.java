package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Writes whose end is not known (Z15-Z20)")
class DoubtTest {
  private static final Duration LASTS = Duration.ofSeconds(20);

  private AzureWorld world = AzureWorld.lasting(LASTS);

  private void fault(Form form, ArmFault.Kind kind) {
    world.azure.faults(ArmFault.every(form.put, kind).once());
  }

  @EachForm
  @DisplayName("AZ-N22 an answer that was lost while the operation runs: allocated once, exactly")
  void answerLost(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    fault(form, ArmFault.Kind.LOSE_ANSWER);
    assertThat(node.added(7).size()).isEqualTo(7);
    assertThat(node.addresses().size()).isEqualTo(7);
    assertThat(world.added(form.target)).isEqualTo(7);
    assertThat(world.writes()).isEqualTo(1);
    assertThat(node.blocked()).isEmpty();
  }

  @EachForm
  @DisplayName("AZ-N23 a write that never arrived: no further one before the horizon, then one")
  void neverArrived(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    fault(form, ArmFault.Kind.LOSE_REQUEST);
    assertThat(node.allocate(7)).isInstanceOf(AllocationOutcome.Unknown.class);
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    long lost = ((Inventory.Known) node.node.inventory()).generation();
    world.pass(Duration.ofSeconds(30));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(((SyncOutcome.Synced) node.resync()).startedGeneration())
        .as("nor does a full read tell")
        .isLessThan(lost);
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    world.pass(Duration.ofSeconds(31));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.added(7).size()).isEqualTo(7);
    assertThat(world.added(form.target)).isEqualTo(7);
    assertThat(world.writes()).isEqualTo(2);
  }

  @EachForm
  @DisplayName("AZ-N24 a write that arrives after our next one is refused, and nothing is doubled")
  void arrivesLate(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    world.way.keepNextWrite();
    assertThat(node.allocate(7)).isInstanceOf(AllocationOutcome.Unknown.class);
    world.pass(Duration.ofSeconds(61));
    node.sync();
    AddressSet seven = node.added(7);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.way.deliverKept()).containsExactly(412);
    world.pass(Duration.ofMinutes(1));
    node.sync();
    assertThat(node.addresses()).isEqualTo(seven);
    assertThat(world.added(form.target)).isEqualTo(7);
  }

  @EachForm
  @DisplayName("AZ-N24 one that arrives before the horizon is seen, and is what was wanted")
  void arrivesInTime(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    world.way.keepNextWrite();
    assertThat(node.allocate(7)).isInstanceOf(AllocationOutcome.Unknown.class);
    world.pass(Duration.ofSeconds(5));
    assertThat(world.way.deliverKept()).allMatch(status -> status < 300);
    world.pass(Duration.ofSeconds(30));
    node.sync();
    world.pass(Duration.ofSeconds(61));
    node.sync();
    assertThat(node.addresses().size()).isEqualTo(7);
    assertThat(node.blocked()).isEmpty();
  }

  /** A node whose allocation of seven goes on when its time is over. */
  private OneNode outlasted(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    assertThat(world.await(node.begin(7, Duration.ofMinutes(1))))
        .isInstanceOf(AllocationOutcome.Unknown.class);
    return node;
  }

  private static void assertUnderWay(OneNode node) {
    assertThat(((SyncOutcome.Failed) node.sync()).isUnderWay()).isTrue();
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
  }

  private void assertSettled(OneNode node) {
    world.pass(Duration.ofMinutes(3));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses().size()).isEqualTo(7);
    assertThat(world.writes()).isEqualTo(1);
  }

  @EachForm
  @DisplayName(
      "AZ-N25 a deadline during an operation: unknown, nothing is read or sent until its end")
  void deadline(Form form) {
    world = AzureWorld.lasting(Duration.ofMinutes(3));
    OneNode node = outlasted(form);
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    SyncOutcome.Failed failed = (SyncOutcome.Failed) node.sync();
    assertThat(failed.isUnderWay()).isTrue();
    assertThat(OneNode.failure(failed).kind()).isEqualTo(Failure.Kind.TRANSIENT);
    assertThat(node.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.blocked())
        .as("a full read leaves it alone")
        .contains(BlockedReason.READING_BACK);
    assertSettled(node);
    assertThat(node.added(1).size()).isEqualTo(1);
  }

  @EachForm
  @DisplayName("AZ-N25 nor is anything released, or asked of Azure for that, until its end")
  void noReleaseMeanwhile(Form form) {
    world = AzureWorld.lasting(Duration.ofMinutes(3));
    OneNode node = OneNode.on(world, form.machine);
    AddressSet two = node.added(2);
    ReleaseAction release = node.node.prepareCidrRelease(OneNode.singles(two.first(1))).get(0);
    assertThat(world.await(node.begin(7, Duration.ofMinutes(1))))
        .isInstanceOf(AllocationOutcome.Unknown.class);
    int sent = world.way.urls().size();
    assertThat(world.await(node.node.release(release, world.context())))
        .isInstanceOf(ReleaseOutcome.NothingReleased.class);
    assertThat(world.way.urls()).hasSize(sent);
  }

  @EachForm
  @DisplayName("AZ-N25 the same when no header names the operation: its provisioning state tells")
  void deadlineWithoutHeader(Form form) {
    world =
        new AzureWorld(
            ModelOptions.builder(1)
                .operation(DelayRange.fixed(Duration.ofMinutes(3)))
                .announcement(ModelOptions.Announcement.NONE)
                .build());
    OneNode node = outlasted(form);
    assertUnderWay(node);
    assertSettled(node);
  }

  @EachForm
  @DisplayName(
      "AZ-N25 AZ-N42 the same when the read of the operation is answered by 500, 404 or 403")
  void deadlineThenExpired(Form form) {
    world = AzureWorld.lasting(Duration.ofMinutes(3));
    OneNode node = outlasted(form);
    for (ArmError error :
        List.of(
            ArmError.of(500, "InternalServerError", "x"),
            ArmError.of(404, "NotFound", "x"),
            ArmError.of(403, "AuthorizationFailed", "x"))) {
      world.azure.faults(ArmFault.every("Operations.Get", ArmFault.Kind.FAIL).withError(error));
      assertUnderWay(node);
    }
    assertSettled(node);
  }

  @EachForm
  @DisplayName("AZ-N25 the operation is not forgotten while there are no credentials")
  void deadlineThenNoCredentials(Form form) {
    world = AzureWorld.lasting(Duration.ofMinutes(30));
    OneNode node = OneNode.on(world, form.machine);
    world.await(node.begin(7, Duration.ofMinutes(1)));
    world.azure.faults(ArmFault.refusing("*", 401, "InvalidAuthenticationToken"));

    assertThat(OneNode.failure(node.sync()).condition()).isEqualTo("noCredentials");
    world.azure.faults();
    assertUnderWay(node);
  }

  @EachForm
  @DisplayName("AZ-N25 after a restart the provisioning state tells: no second write meanwhile")
  void restart(Form form) {
    world = AzureWorld.lasting(Duration.ofMinutes(3));
    OneNode before = OneNode.on(world, form.machine);
    world.await(before.begin(7, Duration.ofMinutes(1)));
    OneNode node = OneNode.unread(world, world.allocation(), world.resource(form.machine), false);
    node.sync();
    if (node.blocked().isEmpty()) {
      AllocationOutcome outcome = node.allocate(7);
      assertThat(outcome).isInstanceOf(AllocationOutcome.Refused.class);
      assertThat(((AllocationOutcome.Refused) outcome).failure().condition()).isEqualTo("busy");
    }
    assertThat(world.writes()).isEqualTo(1);
    world.pass(Duration.ofMinutes(3));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses().size()).isEqualTo(7);
  }

  @ParameterizedTest(name = "{0}, its status was written: {1}")
  @CsvSource({"UNIFORM, true", "UNIFORM, false", "MACHINE, true", "MACHINE, false"})
  @DisplayName("AZ-N25 after a restart no address seems to be gone while its interface is written")
  void restartOfUsedNode(Form form, boolean published) {
    world = AzureWorld.lasting(Duration.ofMinutes(3));
    OneNode before = OneNode.on(world, form.machine);
    AddressSet seven = before.added(7);
    NodeResource resource =
        published
            ? before.node.withProviderStatus(world.resource(form.machine))
            : world.resource(form.machine);
    world.await(before.begin(3, Duration.ofMinutes(1)));
    OneNode node = OneNode.unread(world, world.allocation(), resource, false);
    node.resync();
    if (node.sync() instanceof SyncOutcome.Failed failed) {
      assertThat(failed.isUnderWay()).isTrue();
      assertThat(node.node.inventory()).isInstanceOf(Inventory.InstanceMissing.class);
    } else {
      assertThat(node.addresses()).isEqualTo(seven);
    }
    world.pass(Duration.ofMinutes(3));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses().size()).isEqualTo(10);
  }

  /**
   * A node whose operator ended while the release of two of its seven addresses was on its way.
   *
   * @return the node as the next operator has it, which has not read it
   */
  private OneNode restartedInRelease(Form form) {
    OneNode before = OneNode.on(world, form.machine);
    AddressSet seven = before.added(7);
    Map<IpAddress, HandshakeState> promised = new TreeMap<>();
    seven.first(2).forEach(each -> promised.put(each, HandshakeState.READY_FOR_RELEASE));
    ReleaseAction two = before.node.prepareIpRelease(2, seven.minus(seven.first(2)));
    before.node.release(two, world.context());
    world.pass(Duration.ofSeconds(1));
    assertThat(world.writes()).isEqualTo(2);
    NodeResource resource =
        before.node.withProviderStatus(world.resource(form.machine)).withReleaseIps(promised);
    return OneNode.unread(world, world.allocation(), resource, false);
  }

  @ParameterizedTest(name = "{0}, the operation fails: {1}")
  @CsvSource({"UNIFORM, false", "UNIFORM, true", "MACHINE, false", "MACHINE, true"})
  @DisplayName("AZ-N25 after a restart no read counts until what was promised is released, or not")
  void restartInRelease(Form form, boolean fails) {
    world = AzureWorld.lasting(Duration.ofMinutes(3));
    if (fails) {
      world.azure.faults(ArmFault.every(form.put, ArmFault.Kind.FAIL_OPERATION).window(1, 1));
    }
    OneNode node = restartedInRelease(form);
    node.resync();
    assertThat(((SyncOutcome.Failed) node.sync()).isUnderWay()).isTrue();
    assertThat(node.node.inventory()).isInstanceOf(Inventory.InstanceMissing.class);
    world.pass(Duration.ofMinutes(3));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses().size()).isEqualTo(world.added(form.target));
    assertThat(node.blocked()).isEmpty();
  }

  @Test
  @DisplayName("AZ-N25 nor does a list that lags bring back what a predecessor has released")
  void restartAfterRelease() {
    Duration lag = Duration.ofSeconds(30);
    world =
        new AzureWorld(
            ModelOptions.builder(1)
                .operation(DelayRange.fixed(LASTS))
                .listLag(DelayRange.fixed(lag))
                .build());
    world.pass(lag);
    OneNode before = OneNode.on(world, Form.UNIFORM.machine);
    before.allocate(7);
    world.pass(Duration.ofMinutes(2));
    before.sync();
    AddressSet seven = before.addresses();
    assertThat(seven.size()).isEqualTo(7);
    ReleaseAction two = before.node.prepareIpRelease(2, seven.minus(seven.last(2)));
    before.node.release(two, world.context());
    world.pass(LASTS.plusSeconds(1));
    assertThat(world.added(Form.UNIFORM.target)).as("what a list shows").isEqualTo(7);
    NodeResource resource =
        world
            .resource(Form.UNIFORM.machine)
            .withReleaseIps(Map.of(seven.last(1).at(0), HandshakeState.READY_FOR_RELEASE));
    OneNode node = OneNode.on(world, world.allocation(), resource);
    assertThat(node.addresses()).isEqualTo(seven.minus(two.addresses()));
  }

  @EachForm
  @DisplayName("AZ-N49 after a restart what pods use of an interface that failed is known, no more")
  void restartAfterFailure(Form form) {
    OneNode before = OneNode.on(world, form.machine);
    AddressSet seven = before.added(7);
    NodeResource resource = before.node.withProviderStatus(world.resource(form.machine));
    fault(form, ArmFault.Kind.FAIL_OPERATION);
    assertThat(before.allocate(3)).isInstanceOf(AllocationOutcome.Refused.class);
    OneNode node = OneNode.on(world, world.allocation(), resource);
    assertThat(node.addresses()).isEqualTo(seven);
    assertThat(node.added(3).size()).isEqualTo(3);
    assertThat(world.added(form.target)).isEqualTo(10);
  }

  @EachForm
  @DisplayName("AZ-N26 an etag that is always old is a conflict after exactly three writes")
  void etag(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    world.azure.faults(ArmFault.refusing(form.put, 412, "PreconditionFailed"));

    AllocationOutcome outcome = node.allocate(7);
    assertThat(((AllocationOutcome.Refused) outcome).failure())
        .satisfies(
            why -> {
              assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
              assertThat(why.condition()).isEqualTo("etag");
            });
    assertThat(world.writes()).isEqualTo(3);
    assertThat(node.blocked()).isEmpty();
  }

  @EachForm
  @DisplayName("AZ-N31 a machine that is deleted between read and write is not made again")
  void deletedInBetween(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    world.way.beforeNextWrite(() -> world.azure.change(owner -> owner.delete(form.machine)));
    AllocationOutcome outcome = node.allocate(7);
    assertThat(outcome).isNotInstanceOf(AllocationOutcome.Allocated.class);
    world.pass(Duration.ofMinutes(1));
    node.sync();
    world.pass(Duration.ofMinutes(2));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.InstanceNotFound.class);
    assertThat(world.way.written()).as("as it was read").hasSize(1);
  }

  @EachForm
  @DisplayName("Z19 what only a later read shows is not lost and not added twice")
  void listLags(Form form) {
    world =
        new AzureWorld(
            ModelOptions.builder(1)
                .operation(DelayRange.fixed(LASTS))
                .listLag(DelayRange.fixed(Duration.ofSeconds(30)))
                .build());
    world.pass(Duration.ofSeconds(30));
    OneNode node = OneNode.on(world, form.machine);
    AllocationOutcome outcome = node.allocate(7);
    if (outcome instanceof AllocationOutcome.Allocated allocated) {
      assertThat(AttachedInterface.addressesOf(allocated.added()).size()).isEqualTo(7);
    } else {
      assertThat(form).as("its own interface is never late").isEqualTo(Form.UNIFORM);
      assertThat(outcome).isInstanceOf(AllocationOutcome.Unknown.class);
      assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    }
    world.pass(Duration.ofSeconds(30));
    node.sync();
    world.pass(Duration.ofMinutes(1));
    node.sync();
    assertThat(node.addresses().size()).isEqualTo(7);
    assertThat(world.writes()).isEqualTo(1);
  }

  /** A node that each resync reads, where operations take three minutes. */
  private OneNode alwaysRead(Form form) {
    world = AzureWorld.lasting(Duration.ofMinutes(3));
    return OneNode.on(world, world.allocation(AzureSettingsSample.alwaysDue()), form.machine);
  }

  /** The node is deleted, and comes back when no operation goes on any more. */
  private void assertReadAgain(OneNode node, int addresses) {
    AzureAllocation azure = node.azure;
    azure.deleteInstance(world.id(node.machine));
    world.pass(Duration.ofMinutes(3));
    OneNode back = OneNode.unread(world, azure, world.resource(node.machine), false);
    back.resync();
    assertThat(back.node.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(back.addresses().size()).isEqualTo(addresses);
    assertThat(back.blocked()).isEmpty();
  }

  @EachForm
  @DisplayName("AZ-N25 an operation of the deleted node does not keep the next from a full read")
  void returnsWhileUnderWay(Form form) {
    OneNode node = alwaysRead(form);
    assertThat(world.await(node.begin(7, Duration.ofMinutes(1))))
        .isInstanceOf(AllocationOutcome.Unknown.class);
    assertReadAgain(node, 7);
  }

  @EachForm
  @DisplayName("AZ-N25 nor does a conflict that the deleted node had with another operator")
  void returnsAfterConflict(Form form) {
    OneNode node = alwaysRead(form);
    AddressSet two = node.added(2);
    OneNode other = OneNode.on(world, form.machine);
    CompletionStage<AllocationOutcome> theirs = other.begin(1, Duration.ofMinutes(5));
    assertThat(node.release(OneNode.singles(two.first(1))))
        .isInstanceOf(ReleaseOutcome.NothingReleased.class);
    assertReadAgain(node, 3);
    assertThat(world.await(theirs)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  /** A node of a world whose lists lack the last configuration of each interface. */
  private OneNode shownInPart() {
    world = new AzureWorld(ModelOptions.of(1));
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    world.way.rewriting(DoubtTest::lackingTheLast);
    return node;
  }

  /** A list of interfaces without the last configuration of each. */
  private static String lackingTheLast(String body) {
    return body.contains("\"virtualMachine\"")
        ? DocumentJson.read(body)
            .map(
                list ->
                    list.with(
                        "value", list.objects("value").stream().map(it -> lacking(it)).toList()))
            .map(DocumentJson::print)
            .orElse(body)
        : body;
  }

  private static Document lacking(Document networkInterface) {
    List<Document> all = networkInterface.object("properties").objects("ipConfigurations");
    List<Document> some = all.subList(0, Math.max(1, all.size() - 1));
    return networkInterface.withProperty("ipConfigurations", some);
  }

  @Test
  @DisplayName("Z19 what is shown counts; nothing more is asked for while the rest may still come")
  void restMayCome() {
    OneNode node = shownInPart();
    AddressSet two = node.added(3);
    assertThat(two.size()).isEqualTo(2);
    assertThat(node.addresses()).isEqualTo(two);
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    world.way.rewriting(body -> body);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses().size()).isEqualTo(3);
    assertThat(world.writes()).isEqualTo(1);
  }

  @Test
  @DisplayName("Z19 a read that shows no more than the part does not settle that")
  void partAgain() {
    OneNode node = shownInPart();
    assertThat(node.added(3).size()).isEqualTo(2);
    world.pass(Duration.ofSeconds(30));
    node.sync();
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    world.pass(Duration.ofSeconds(31));
    world.way.rewriting(body -> body);
    node.sync();
    assertThat(node.blocked()).isEmpty();
    assertThat(node.addresses().size()).isEqualTo(3);
  }
}
