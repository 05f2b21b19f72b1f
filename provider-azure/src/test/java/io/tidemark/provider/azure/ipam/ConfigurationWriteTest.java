package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.AzureWorld.MACHINE;
import static io.tidemark.provider.azure.ipam.AzureWorld.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.AddressSet;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Done;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("One write, step by step (provider-azure 13.4)")
class ConfigurationWriteTest {
  private static final Duration LASTS = Duration.ofSeconds(20);

  private final AzureWorld world = new AzureWorld(slow().build());

  private static ModelOptions.Builder slow() {
    return ModelOptions.builder(1).operation(DelayRange.fixed(LASTS));
  }

  private static Target target(String form) {
    return form.equals("uniform") ? UNIFORM : MACHINE;
  }

  private static String put(Target target) {
    return target.equals(UNIFORM)
        ? "VirtualMachineScaleSetVMs.Update"
        : "Interfaces.CreateOrUpdate";
  }

  private void fault(Target target, ArmFault.Kind kind, int skip, int times) {
    world.azure.faults(List.of(ArmFault.every(put(target), kind).window(skip, times)));
  }

  private static Failure refusal(CallResult<Done> result) {
    Failure failure = result.refusal().orElseThrow();
    assertThat(failure.kind()).as("nothing has changed").isNotEqualTo(Failure.Kind.LOST);
    return failure;
  }

  private static void assertUnknown(CallResult<Done> result) {
    assertThat(result.refusal().map(Failure::kind)).contains(Failure.Kind.LOST);
  }

  private static Done complete(CallResult<Done> result) {
    Done done = result.answer().orElseThrow();
    assertThat(done.complete()).isTrue();
    return done;
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("Z13-Z19 one read, one write, a poll when it should be done, one read that verifies")
  void plain(String form) {
    Target target = target(form);
    Done done = complete(world.add(target, 8));
    assertThat(done.seen().configurations()).hasSize(9);
    assertThat(world.writes()).isEqualTo(1);
    assertThat(world.asked("Operations.Get")).as("after 10 s, 15 s and 20 s").isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("AZ-B33 what is removed is gone when the outcome says so")
  void removed(String form) {
    Target target = target(form);
    List<NewConfiguration> names = world.names(3);
    complete(world.outcome(world.write(target).apply(adding(names))));
    Set<String> two = Set.of(names.get(0).name(), names.get(2).name());
    complete(world.outcome(world.write(target).apply(ConfigurationEdit.removing(two))));
    assertThat(world.shown(target)).containsExactlyInAnyOrder("primary", names.get(1).name());
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("1.3 a name that the interface has already is not given a second time")
  void nameTaken(String form) {
    Target target = target(form);
    List<NewConfiguration> names = world.names(2);
    complete(world.outcome(world.write(target).apply(adding(names))));
    CallResult<Done> again = world.outcome(world.write(target).apply(adding(names.get(0))));
    assertThat(refusal(again).condition()).isEqualTo("nameTaken");
    assertThat(world.writes()).isEqualTo(1);
  }

  @Test
  @DisplayName("AZ-B33 a removal is not complete while a part of it is still shown")
  void removedInPart() {
    List<NewConfiguration> three = world.names(3);
    complete(world.outcome(world.write(UNIFORM).apply(adding(three))));
    Set<String> two = Set.of(three.get(0).name(), three.get(1).name());
    world.way.rewriting(
        body ->
            body.contains("\"virtualMachine\"")
                ? body.replace(three.get(2).name(), three.get(0).name())
                : body);
    CallResult<Done> removal =
        world.outcome(world.write(UNIFORM).apply(ConfigurationEdit.removing(two)));
    assertThat(removal.answer().orElseThrow().complete()).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("Z19 an addition is not complete while an address is not shown")
  void withoutAddress(String form) {
    Target target = target(form);
    world.way.rewriting(
        body -> body.replaceAll("\"privateIPAddress\": *\"[^\"]*\"", "\"privateIPAddress\":\"\""));
    CallResult<Done> addition = world.add(target, 1);
    assertThat(addition.answer().orElseThrow().complete()).isFalse();
  }

  @Test
  @DisplayName("AZ-B33 nothing is sent for what a virtual machine's interface has no more")
  void goneAlready() {
    Set<String> never = Set.of("Tidemark-never");
    complete(world.outcome(world.write(MACHINE).apply(ConfigurationEdit.removing(never))));
    assertThat(world.writes()).isZero();
  }

  @Test
  @DisplayName("AZ-B34 a name that the model of an instance lacks is a conflict, without a write")
  void modelDiffers() {
    Set<String> never = Set.of("Tidemark-never");
    Failure why =
        refusal(world.outcome(world.write(UNIFORM).apply(ConfigurationEdit.removing(never))));
    assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(why.condition()).isEqualTo("modelDiffers");
    assertThat(world.writes()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("AZ-N22 a write whose answer was lost is found by the read that follows, once")
  void answerLost(String form) {
    Target target = target(form);
    fault(target, ArmFault.Kind.LOSE_ANSWER, 0, 1);
    assertThat(complete(world.add(target, 8)).seen().configurations()).hasSize(9);
    assertThat(world.writes()).isEqualTo(1);
    assertThat(world.added(target)).isEqualTo(8);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("AZ-N23 a write that never arrived is unknown, and is not repeated")
  void requestLost(String form) {
    Target target = target(form);
    fault(target, ArmFault.Kind.LOSE_REQUEST, 0, 1);
    assertUnknown(world.add(target, 8));
    assertThat(world.writes()).isEqualTo(1);
    assertThat(world.added(target)).isZero();
  }

  @Test
  @DisplayName("AZ-N4 somebody else's write in between costs one more read and write")
  void etagOnce() {
    NewConfiguration other = new NewConfiguration("other", false);
    world.azure.faults(
        List.of(
            ArmFault.every("Interfaces.CreateOrUpdate", ArmFault.Kind.FAIL)
                .withError(ArmError.of(412, "PreconditionFailed", "x"))
                .window(0, 1)));
    complete(world.outcome(world.write(MACHINE).apply(adding(other))));
    assertThat(world.writes()).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}, {1} of 3 names: {2} writes in all")
  @CsvSource({"uniform, 3, 2", "machine, 3, 2", "uniform, 2, 3", "machine, 2, 3"})
  @DisplayName("AZ-N24 a repetition writes what it lacks of its names, and nothing twice")
  void writtenMeanwhile(String form, int there, int writes) {
    AzureWorld quick = new AzureWorld(ModelOptions.builder(1).operation(DelayRange.NONE).build());
    Target target = target(form);
    List<NewConfiguration> names = quick.names(3);
    quick.way.beforeNextWrite(
        () -> assertThat(quick.write(target).apply(adding(names.subList(0, there)))).isNotNull());
    complete(quick.outcome(quick.write(target).apply(adding(names))));
    assertThat(quick.added(target)).isEqualTo(3);
    assertThat(quick.writes()).isEqualTo(writes);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("AZ-N24 nor is a removal done of which somebody else has done a part")
  void removedMeanwhile(String form) {
    AzureWorld quick = new AzureWorld(ModelOptions.builder(1).operation(DelayRange.NONE).build());
    Target target = target(form);
    List<NewConfiguration> names = quick.names(3);
    complete(quick.outcome(quick.write(target).apply(adding(names))));
    quick.way.beforeNextWrite(
        () -> assertThat(quick.write(target).apply(removing(names))).isNotNull());
    Set<String> two = Set.of(names.get(0).name(), names.get(1).name());
    complete(quick.outcome(quick.write(target).apply(ConfigurationEdit.removing(two))));
    assertThat(quick.shown(target)).containsExactlyInAnyOrder("primary", names.get(2).name());
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("AZ-N26 an etag that is old three times is a conflict, after exactly three writes")
  void etagAlways(String form) {
    Target target = target(form);
    world.azure.faults(
        List.of(
            ArmFault.every(put(target), ArmFault.Kind.FAIL)
                .withError(ArmError.of(412, "PreconditionFailed", "x"))));
    assertThat(refusal(world.add(target, 1)).condition()).isEqualTo(ArmCondition.ETAG);
    assertThat(world.writes()).isEqualTo(3);
  }

  @Test
  @DisplayName("AZ-N31 an interface that was deleted in between is not created")
  void deletedInBetween() {
    world.azure.faults(List.of(ArmFault.every("Interfaces.Get", ArmFault.Kind.FAIL).window(1, 0)));
    CompletionStage<CallResult<Done>> write = world.write(MACHINE).apply(adding(world.names(1)));
    complete(world.outcome(write));
    world.azure.change(
        owner -> owner.delete(AzureWorld.NODES + "/Microsoft.Compute/virtualMachines/worker-a"));
    assertThat(refusal(world.outcome(world.write(MACHINE).apply(adding(world.names(1))))).kind())
        .isEqualTo(Failure.Kind.NOT_FOUND);
    assertThat(world.writes()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("AZ-N3 an operation that failed is read back, and then told with its error")
  void operationFailed(String form) {
    Target target = target(form);
    world.azure.faults(
        List.of(
            ArmFault.every(put(target), ArmFault.Kind.FAIL_OPERATION)
                .withError(ArmError.of(409, "Outer", "o").because("Inner", "i"))
                .window(0, 1)));
    Failure failure = refusal(world.add(target, 2));
    assertThat(failure.condition()).isEqualTo("operationFailed");
    assertThat(failure.detail()).contains("Inner");
  }

  @Test
  @DisplayName("a write that another one has preempted is told as superseded")
  void canceled() {
    fault(UNIFORM, ArmFault.Kind.CANCEL_OPERATION, 0, 1);
    assertThat(refusal(world.add(UNIFORM, 2)).condition()).isEqualTo("superseded");
  }

  @Test
  @DisplayName("AZ-N21 ghosts of a failed write take places and are dropped by the next write")
  void ghosts() {
    fault(UNIFORM, ArmFault.Kind.FAIL_OPERATION, 0, 1);
    refusal(world.add(UNIFORM, 5));
    assertThat(world.added(UNIFORM)).isZero();
    complete(world.add(UNIFORM, 3));
    assertThat(world.added(UNIFORM)).isEqualTo(3);
    world.azure.faults(List.of());
    complete(world.add(UNIFORM, 1));
    assertThat(world.added(UNIFORM)).isEqualTo(4);
  }

  @Test
  @DisplayName("AZ-N49 what a failed write left incomplete comes with the next one, nothing twice")
  void incomplete() {
    fault(MACHINE, ArmFault.Kind.FAIL_OPERATION, 0, 1);
    refusal(world.add(MACHINE, 5));
    assertThat(world.states(MACHINE)).containsOnly("failed").hasSize(6);
    Done fewer = complete(world.add(MACHINE, 3));
    assertThat(fewer.names()).as("all of them are there").hasSize(5);
    assertThat(world.states(MACHINE)).containsOnly("succeeded").hasSize(6);
    Done more = complete(world.add(MACHINE, 1));
    assertThat(more.names()).hasSize(1);
    assertThat(world.added(MACHINE)).isEqualTo(6);
  }

  @Test
  @DisplayName("AZ-N31 an interface that was taken from its machine gets no write")
  void detached() {
    world.azure.change(owner -> owner.detach(MACHINE.networkInterface().text()));
    assertThat(refusal(world.add(MACHINE, 1)).condition()).isEqualTo("detached");
    assertThat(world.writes()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("AZ-B34 an interface that its resource does not have gets no write")
  void interfaceUnknown(String form) {
    Target other = new Target(target(form).networkInterface(), "other", 1);
    assertThat(refusal(world.add(other, 1)).condition()).isEqualTo("interfaceUnknown");
    assertThat(world.writes()).isZero();
  }

  @Test
  @DisplayName("AZ-N31 an interface that another machine has by now gets no write")
  void attachedElsewhere() {
    world.way.rewriting(
        body -> body.replace("virtualMachines/worker-a\"", "virtualMachines/worker-b\""));
    assertThat(refusal(world.add(MACHINE, 1)).condition()).isEqualTo("detached");
    assertThat(world.writes()).isZero();
  }

  @Test
  @DisplayName("AZ-N49 where singles are incomplete and a block is wanted, they come alone")
  void incompleteOfAnotherKind() {
    fault(MACHINE, ArmFault.Kind.FAIL_OPERATION, 0, 1);
    refusal(world.add(MACHINE, 1));
    List<NewConfiguration> blocks =
        List.of(
            new NewConfiguration("Tidemark-block-1", true),
            new NewConfiguration("Tidemark-block-2", true));
    Done repair = complete(world.outcome(world.write(MACHINE).apply(adding(blocks))));
    assertThat(repair.names()).noneMatch(name -> name.contains("block")).hasSize(1);
    assertThat(world.states(MACHINE)).containsOnly("succeeded").hasSize(2);
  }

  @Test
  @DisplayName("AZ-N21 what a failed write left unseen comes with the next one, nothing twice")
  void unseen() {
    world.azure.faults(
        List.of(
            ArmFault.every(put(UNIFORM), ArmFault.Kind.FAIL_OPERATION).window(0, 1),
            ArmFault.every(
                "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces", ArmFault.Kind.FAIL)));
    assertUnknown(world.add(UNIFORM, 5));
    world.azure.faults(List.of());
    Done next = complete(world.add(UNIFORM, 7));
    assertThat(next.names()).hasSize(7);
    assertThat(world.added(UNIFORM)).isEqualTo(7);
  }

  /** An answer in which operations that succeeded have failed. */
  private static String failing(String body) {
    return body.replaceAll("\"status\": *\"Succeeded\"", "\"status\":\"Failed\"");
  }

  /** An answer whose list does not show this configuration yet. */
  private static String hiding(NewConfiguration each, String body) {
    return body.contains("\"virtualMachine\"") ? body.replace(each.name(), "hidden") : body;
  }

  @Test
  @DisplayName("AZ-N21 what a failed write is seen to have added is no ghost when a list lags")
  void addedByFailure() {
    List<NewConfiguration> three = world.names(3);
    world.way.rewriting(body -> hiding(three.get(0), failing(body)));
    Done some = world.outcome(world.write(UNIFORM).apply(adding(three))).answer().orElseThrow();
    assertThat(some.complete()).isFalse();
    world.way.rewriting(body -> hiding(three.get(1), body));
    assertThat(world.add(UNIFORM, 1).answer()).isPresent();
    world.way.rewriting(body -> body);
    assertThat(world.shown(UNIFORM)).contains(three.get(1).name(), three.get(2).name());
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"uniform", "machine"})
  @DisplayName("Z18 a removal that is seen to be done is done, however its operation ended")
  void removedByFailure(String form) {
    Target target = target(form);
    List<NewConfiguration> two = world.names(2);
    complete(world.outcome(world.write(target).apply(adding(two))));
    world.way.rewriting(ConfigurationWriteTest::failing);
    complete(world.outcome(world.write(target).apply(removing(two))));
    assertThat(world.shown(target)).containsExactlyInAnyOrder("primary", two.get(1).name());
  }

  @Test
  @DisplayName("AZ-N21 a removal does not wait for what a list does not show yet, and leaves it")
  void removedBesideUnshown() {
    List<NewConfiguration> two = world.names(2);
    complete(world.outcome(world.write(UNIFORM).apply(adding(two))));
    world.way.rewriting(body -> hiding(two.get(1), body));
    complete(world.outcome(world.write(UNIFORM).apply(removing(two))));
    world.way.rewriting(body -> body);
    assertThat(world.shown(UNIFORM)).containsExactlyInAnyOrder("primary", two.get(1).name());
  }

  @Test
  @DisplayName("AZ-N21 what others have is no ghost, however long no list shows it")
  void theirsUnshown() {
    NewConfiguration theirs = new NewConfiguration("theirs", false);
    complete(world.outcome(world.write(UNIFORM).apply(adding(theirs))));
    world.way.rewriting(body -> hiding(theirs, body));
    complete(world.add(UNIFORM, 1));
    world.time.runUntil(world.time.nanos() + Duration.ofMinutes(2).toNanos());
    complete(world.add(UNIFORM, 1));
    world.way.rewriting(body -> body);
    assertThat(world.shown(UNIFORM)).hasSize(4).contains("theirs");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = ModelOptions.Announcement.class,
      names = {"NONE", "LOCATION"})
  @DisplayName("AZ-N21 a failure that the provisioning state alone tells leaves ghosts, too")
  void silentFailure(ModelOptions.Announcement how) {
    AzureWorld silent = new AzureWorld(slow().announcement(how).build());
    silent.azure.faults(
        List.of(ArmFault.every(put(UNIFORM), ArmFault.Kind.FAIL_OPERATION).window(0, 1)));
    assertThat(refusal(silent.add(UNIFORM, 5)).condition()).isEqualTo("operationFailed");
    complete(silent.add(UNIFORM, 3));
    assertThat(silent.added(UNIFORM)).isEqualTo(3);
  }

  /** Adds three, and fails to remove the first of them: the model lacks it, the interface not. */
  private List<NewConfiguration> halfRemoved() {
    List<NewConfiguration> three = world.names(3);
    complete(world.outcome(world.write(UNIFORM).apply(adding(three))));
    fault(UNIFORM, ArmFault.Kind.FAIL_OPERATION, 0, 1);
    assertUnknown(world.outcome(world.write(UNIFORM).apply(removing(three))));
    assertThat(world.added(UNIFORM)).isEqualTo(3);
    return three;
  }

  private static ConfigurationEdit adding(NewConfiguration wanted) {
    return adding(List.of(wanted));
  }

  private static ConfigurationEdit adding(List<NewConfiguration> wanted) {
    return ConfigurationEdit.adding(wanted, AddressSet.of());
  }

  private static ConfigurationEdit removing(List<NewConfiguration> first) {
    return ConfigurationEdit.removing(Set.of(first.get(0).name()));
  }

  @Test
  @DisplayName("AZ-N21 a removal whose operation failed can be done again")
  void removedAgain() {
    List<NewConfiguration> three = halfRemoved();
    complete(world.outcome(world.write(UNIFORM).apply(removing(three))));
    assertThat(world.added(UNIFORM)).isEqualTo(2);
  }

  @ParameterizedTest(name = "known to have {0} configurations")
  @ValueSource(ints = {1, 4})
  @DisplayName("AZ-N21 what a failed removal left is kept by the next write: pods may use it")
  void leftAndKept(int known) {
    List<NewConfiguration> three = halfRemoved();
    Set<String> before = world.addresses(UNIFORM);
    complete(world.add(new Target(UNIFORM.networkInterface(), UNIFORM.name(), known), 1));
    assertThat(world.added(UNIFORM)).isEqualTo(4);
    assertThat(world.addresses(UNIFORM)).containsAll(before);
    complete(world.outcome(world.write(UNIFORM).apply(removing(three))));
    assertThat(world.added(UNIFORM)).isEqualTo(3);
  }

  @Test
  @DisplayName("AZ-N21 nothing is written while what a failed removal left is not shown, or theirs")
  void leftAndDoubtful() {
    List<NewConfiguration> three = halfRemoved();
    Set<String> before = world.addresses(UNIFORM);
    world.azure.faults(
        List.of(
            ArmFault.every(
                "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces", ArmFault.Kind.FAIL)));
    int writes = world.writes();
    refusal(world.add(UNIFORM, 1));
    world.azure.faults(List.of());
    world.way.rewriting(body -> hiding(three.get(0), body)); // by a name that is not ours
    assertThat(refusal(world.add(UNIFORM, 1)).condition()).isEqualTo("modelDiffers");
    world.way.rewriting(body -> body);
    assertThat(world.writes()).isEqualTo(writes);
    assertThat(world.addresses(UNIFORM)).isEqualTo(before);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(ModelOptions.Busy.class)
  @DisplayName("AZ-N27 a resource that is being written is left alone")
  void busy(ModelOptions.Busy how) {
    AzureWorld busy = new AzureWorld(slow().busy(how).build());
    CompletionStage<CallResult<Done>> first = busy.write(UNIFORM).apply(adding(busy.names(1)));
    CallResult<Done> second =
        busy.outcome(
            busy.write(UNIFORM).apply(adding(new NewConfiguration("Tidemark-second", false))));
    assertThat(refusal(second).condition()).isEqualTo(ArmCondition.BUSY);
    complete(busy.outcome(first));
    assertThat(busy.writes()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "AZ-N43 an instance that is stopped, deallocated or going gets no write, and later does")
  void stopped() {
    for (Power power : List.of(Power.STOPPED, Power.DEALLOCATED, Power.DEALLOCATING)) {
      world.azure.change(owner -> owner.setPower(AzureWorld.INSTANCE.text(), power));
      assertThat(refusal(world.add(UNIFORM, 1)).kind()).isEqualTo(Failure.Kind.NOT_RUNNING);
    }
    world.azure.change(owner -> owner.setPower(AzureWorld.INSTANCE.text(), Power.RUNNING));
    complete(world.add(UNIFORM, 1));
    world.azure.change(owner -> owner.markForDeletion(AzureWorld.INSTANCE.text()));
    assertThat(refusal(world.add(UNIFORM, 1)).kind()).isEqualTo(Failure.Kind.NOT_RUNNING);
    assertThat(world.writes()).isEqualTo(1);
  }

  @Test
  @DisplayName("AZ-N49 an interface that failed is written, which repairs it")
  void failedInterface() {
    world.azure.change(
        owner -> owner.setProvisioningState(MACHINE.networkInterface().text(), "Failed"));
    assertThat(world.states(MACHINE)).containsExactly("failed");
    complete(world.add(MACHINE, 1));
    assertThat(world.states(MACHINE)).containsExactly("succeeded", "succeeded");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(ModelOptions.Announcement.class)
  @DisplayName("Z17 a write is waited for however its operation is named")
  void announcements(ModelOptions.Announcement how) {
    AzureWorld other = new AzureWorld(slow().announcement(how).build());
    complete(other.add(UNIFORM, 2));
    complete(other.add(MACHINE, 2));
  }

  @Test
  @DisplayName("AZ-N42 an operation that cannot be asked is waited for by the provisioning state")
  void operationForbidden() {
    world.azure.faults(
        List.of(
            ArmFault.every("Operations.Get", ArmFault.Kind.FAIL)
                .withError(ArmError.of(403, "AuthorizationFailed", "x"))));
    complete(world.add(UNIFORM, 2));
    assertThat(world.asked("Operations.Get")).isEqualTo(1);
  }

  @Test
  @DisplayName("AZ-N25 a deadline during an operation leaves it unknown, with the operation")
  void deadline() {
    CallResult<Done> outcome =
        world.outcome(world.write(UNIFORM, Duration.ofSeconds(12)).apply(adding(world.names(2))));
    assertUnknown(outcome);
    assertThat(world.account.isUnderWay(ArmCalls.instance(AzureWorld.INSTANCE))).isTrue();
    assertThat(refusal(world.add(UNIFORM, 1)).condition()).isEqualTo(ArmCondition.BUSY);
  }

  @Test
  @DisplayName("AZ-N16 fewer are sent where there are fewer places, none where there is none")
  void places() {
    Done done = world.add(UNIFORM, 300).answer().orElseThrow();
    assertThat(done.seen().configurations()).hasSize(256);
    assertThat(refusal(world.add(UNIFORM, 1)).condition()).isEqualTo("configurationLimit");
    assertThat(world.writes()).isEqualTo(1);
  }

  @Test
  @DisplayName("AZ-N16 the places of an instance are those of all its interfaces")
  void placesOfAllInterfaces() {
    Landscape land = new Landscape(world);
    land.addSubnet("s1", "10.1.0.0/22");
    land.addSet("two", "s1", "eth0", "eth1");
    String instance = land.addInstance("two", 0);
    Target first = interfaceOf(instance, "eth0");
    Target second = interfaceOf(instance, "eth1");
    complete(world.add(first, 200));
    assertThat(world.add(second, 100).answer()).isPresent();
    assertThat(world.added(second)).isEqualTo(256 - 201 - 1);
    assertThat(refusal(world.add(second, 1)).condition()).isEqualTo("configurationLimit");
  }

  private static Target interfaceOf(String instance, String name) {
    return new Target(ResourceId.of(instance + "/networkInterfaces/" + name), name, 1);
  }

  @Test
  @DisplayName("AZ-N40 a token that Azure refuses once is renewed, and the request repeated once")
  void token() {
    complete(world.add(UNIFORM, 1));
    world
        .azure
        .handler()
        .use(
            model -> {
              model.revokeTokens();
              return model;
            });
    complete(world.add(UNIFORM, 1));
    assertThat(world.added(UNIFORM)).isEqualTo(2);
  }
}
