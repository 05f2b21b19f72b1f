package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.AzureWorld.MACHINE;
import static io.tidemark.provider.azure.ipam.AzureWorld.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
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

  private static String put(Target target) {
    return target.equals(UNIFORM)
        ? "VirtualMachineScaleSetVMs.Update"
        : "Interfaces.CreateOrUpdate";
  }

  private void fault(Target target, ArmFault.Kind kind, int skip, int times) {
    world.azure.faults(ArmFault.every(put(target), kind).window(skip, times));
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

  @EachForm
  @DisplayName("Z13-Z19 one read, one write, a poll when it should be done, one read that verifies")
  void plain(Form form) {
    Done done = complete(world.add(form.target, 8));
    assertThat(done.seen().configurations()).hasSize(9);
    assertThat(world.writes()).isEqualTo(1);
    assertThat(world.asked("Operations.Get")).as("after 10 s, 15 s and 20 s").isEqualTo(3);
  }

  @EachForm
  @DisplayName("1.3 a name that the interface has already is not given a second time")
  void nameTaken(Form form) {
    List<NewConfiguration> names = world.names(2);
    complete(world.outcome(world.write(form.target).apply(adding(names))));
    CallResult<Done> again = world.outcome(world.write(form.target).apply(adding(names.get(0))));
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

  @EachForm
  @DisplayName("Z19 an addition is not complete while an address is not shown")
  void withoutAddress(Form form) {
    world.way.rewriting(
        body -> body.replaceAll("\"privateIPAddress\": *\"[^\"]*\"", "\"privateIPAddress\":\"\""));
    CallResult<Done> addition = world.add(form.target, 1);
    assertThat(addition.answer().orElseThrow().complete()).isFalse();
  }

  @Test
  @DisplayName("AZ-B33 nothing is sent for what a virtual machine's interface has no more")
  void goneAlready() {
    Set<String> never = Set.of("Tidemark-never");
    complete(world.outcome(world.write(MACHINE).apply(ConfigurationEdit.removing(never))));
    assertThat(world.writes()).isZero();
  }

  @ParameterizedTest(name = "{0}, {1} of 3 names: {2} writes in all")
  @CsvSource({"UNIFORM, 3, 2", "MACHINE, 3, 2", "UNIFORM, 2, 3", "MACHINE, 2, 3"})
  @DisplayName("AZ-N24 a repetition writes what it lacks of its names, and nothing twice")
  void writtenMeanwhile(Form form, int there, int writes) {
    AzureWorld quick = new AzureWorld(ModelOptions.builder(1).operation(DelayRange.NONE).build());
    List<NewConfiguration> names = quick.names(3);
    quick.way.beforeNextWrite(
        () ->
            assertThat(quick.write(form.target).apply(adding(names.subList(0, there))))
                .isNotNull());
    complete(quick.outcome(quick.write(form.target).apply(adding(names))));
    assertThat(quick.added(form.target)).isEqualTo(3);
    assertThat(quick.writes()).isEqualTo(writes);
  }

  @EachForm
  @DisplayName("AZ-N24 nor is a removal done of which somebody else has done a part")
  void removedMeanwhile(Form form) {
    AzureWorld quick = new AzureWorld(ModelOptions.builder(1).operation(DelayRange.NONE).build());
    List<NewConfiguration> names = quick.names(3);
    complete(quick.outcome(quick.write(form.target).apply(adding(names))));
    quick.way.beforeNextWrite(
        () -> assertThat(quick.write(form.target).apply(removing(names))).isNotNull());
    Set<String> two = Set.of(names.get(0).name(), names.get(1).name());
    complete(quick.outcome(quick.write(form.target).apply(ConfigurationEdit.removing(two))));
    assertThat(quick.shown(form.target)).containsExactlyInAnyOrder("primary", names.get(2).name());
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

  @EachForm
  @DisplayName("AZ-B34 an interface that its resource does not have gets no write")
  void interfaceUnknown(Form form) {
    Target other = new Target(form.target.networkInterface(), "other", 1);
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
        ArmFault.every(put(UNIFORM), ArmFault.Kind.FAIL_OPERATION).once(),
        ArmFault.every(
            "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces", ArmFault.Kind.FAIL));
    assertUnknown(world.add(UNIFORM, 5));
    world.azure.faults();
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

  @EachForm
  @DisplayName("Z18 a removal that is seen to be done is done, however its operation ended")
  void removedByFailure(Form form) {
    List<NewConfiguration> two = world.names(2);
    complete(world.outcome(world.write(form.target).apply(adding(two))));
    world.way.rewriting(ConfigurationWriteTest::failing);
    complete(world.outcome(world.write(form.target).apply(removing(two))));
    assertThat(world.shown(form.target)).containsExactlyInAnyOrder("primary", two.get(1).name());
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
    world.pass(Duration.ofMinutes(2));
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
    silent.azure.faults(ArmFault.every(put(UNIFORM), ArmFault.Kind.FAIL_OPERATION).once());
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
        ArmFault.every(
            "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces", ArmFault.Kind.FAIL));
    int writes = world.writes();
    refusal(world.add(UNIFORM, 1));
    world.azure.faults();
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

  @ParameterizedTest(name = "{0}")
  @EnumSource(ModelOptions.Announcement.class)
  @DisplayName("Z17 a write is waited for however its operation is named")
  void announcements(ModelOptions.Announcement how) {
    AzureWorld other = new AzureWorld(slow().announcement(how).build());
    complete(other.add(UNIFORM, 2));
    complete(other.add(MACHINE, 2));
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
}
