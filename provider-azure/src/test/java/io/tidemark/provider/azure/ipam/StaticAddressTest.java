package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.AzureWorld.MACHINE;
import static io.tidemark.provider.azure.ipam.AzureWorld.NODES;
import static io.tidemark.provider.azure.ipam.AzureWorld.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Done;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.PublicAddressChange;
import io.tidemark.provider.azure.network.PublicPrefix;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.kit.step.StaticAddressBinding.Candidate;
import io.tidemark.provider.kit.step.StaticAddressBinding.Holder;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Z32 A public address of a tagged prefix")
class StaticAddressTest {
  private static final Duration LASTS = Duration.ofSeconds(20);
  private static final Map<String, String> TAGS = Map.of("use", "egress");
  private static final Target SECOND =
      new Target(
          ResourceId.of(
              AzureWorld.INSTANCE.toString().replace("/virtualMachines/0", "/virtualMachines/1")
                  + "/networkInterfaces/eth0"),
          "eth0",
          1);
  private static final Cidr FIRST = Cidr.parse("203.0.113.0/30");
  private static final Cidr OTHER = Cidr.parse("198.51.100.0/30");

  private AzureWorld world = new AzureWorld(slow().build());

  private static ModelOptions.Builder slow() {
    return ModelOptions.builder(1).operation(DelayRange.fixed(LASTS));
  }

  private static String prefixId(String name) {
    return NODES + "/Microsoft.Network/publicIPPrefixes/" + name;
  }

  /** A further prefix, which comes before or behind {@code egress} by its name. */
  private void prefix(String name, Cidr range, int used) {
    world.azure.change(
        owner ->
            owner.addPublicPrefix(
                prefixId(name),
                "westeurope",
                range,
                Document.of("tags", Document.of("use", "egress")),
                used));
  }

  private CompletionStage<CallResult<IpAddress>> begin(Target target, Map<String, String> tags) {
    StaticAddress attempt = new StaticAddress(world.write(target));
    return attempt
        .find(tags)
        .thenCompose(
            result ->
                result.match(
                    found -> first(attempt, found, 0),
                    failure -> CompletableFuture.completedStage(new CallResult.Failed<>(failure))));
  }

  /** The first candidate that nobody else takes meanwhile, as the binding chooses. */
  private static CompletionStage<CallResult<IpAddress>> first(
      StaticAddress attempt, List<Candidate> found, int at) {
    if (at == found.size()) {
      return CompletableFuture.completedStage(
          new CallResult.Failed<>(Failure.of(Failure.Kind.CAPACITY, "none", "")));
    }
    assertThat(found.get(at).holder()).isNotEqualTo(Holder.ANOTHER);
    return found
        .get(at)
        .associate()
        .get()
        .thenCompose(
            result ->
                result instanceof CallResult.Failed<IpAddress> failed
                        && attempt.isTaken(failed.failure())
                    ? first(attempt, found, at + 1)
                    : CompletableFuture.completedStage(result));
  }

  private IpAddress address(CompletionStage<CallResult<IpAddress>> stage) {
    return world.await(stage).answer().orElseThrow();
  }

  private IpAddress bind(Target target) {
    return address(begin(target, TAGS));
  }

  /** The cloud does not show the address while answers are rewritten so. */
  private void notShown(Target target, String pattern, String instead) {
    world.way.rewriting(body -> body.replaceAll(pattern, instead));
    assertThat(refused(target, TAGS).condition()).isEqualTo("notShown");
    world.way.rewriting(body -> body);
  }

  private Failure refused(Target target, Map<String, String> tags) {
    return world.await(begin(target, tags)).refusal().orElseThrow();
  }

  private int used(String prefix) {
    return world
        .azure
        .handler()
        .use(
            model ->
                model.state().objects("publicPrefixes").stream()
                    .filter(each -> each.text("id").orElse("").endsWith("/" + prefix))
                    .mapToInt(each -> each.number("used").orElse(0))
                    .sum());
  }

  private int requests() {
    return world.azure.handler().use(model -> model.audit().entries().size());
  }

  @EachForm
  @DisplayName("Z32 the address is given once; asked again, the same one is told without a write")
  void once(Form form) {
    IpAddress given = bind(form.target);
    assertThat(FIRST.contains(given)).isTrue();
    assertThat(world.writes()).isEqualTo(1);
    assertThat(bind(form.target)).isEqualTo(given);
    assertThat(world.writes()).isEqualTo(1);
    assertThat(world.asked("PublicIPAddresses.CreateOrUpdate"))
        .isEqualTo(form == Form.MACHINE ? 1 : 0);
    assertThat(used("egress")).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(ModelOptions.Announcement.class)
  @DisplayName("Z17 the address is waited for however the operations are named")
  void announcements(ModelOptions.Announcement how) {
    world = new AzureWorld(slow().announcement(how).build());
    assertThat(FIRST.contains(bind(UNIFORM))).isTrue();
    assertThat(FIRST.contains(bind(MACHINE))).isTrue();
    assertThat(used("egress")).isEqualTo(2);
  }

  @EachForm
  @DisplayName("Z32 without a prefix of the tags nothing is written")
  void none(Form form) {
    assertThat(refused(form.target, Map.of("use", "other")).kind())
        .isEqualTo(Failure.Kind.CAPACITY);
    assertThat(world.writes()).isZero();
    assertThat(world.asked("PublicIPAddresses.CreateOrUpdate")).isZero();
  }

  @Test
  @DisplayName(
      "AZ-B31 of two instances that ask for the last address one gets it, the other gives the"
          + " prefix up and gets one of the next")
  void lastAddress() {
    prefix("a-nearly-full", Cidr.parse("192.0.2.0/31"), 1);
    CompletionStage<CallResult<IpAddress>> first = begin(UNIFORM, TAGS);
    CompletionStage<CallResult<IpAddress>> second = begin(SECOND, TAGS);
    List<IpAddress> given = List.of(address(first), address(second));
    assertThat(given).filteredOn(Cidr.parse("192.0.2.0/31")::contains).hasSize(1);
    assertThat(given).filteredOn(FIRST::contains).hasSize(1);
    assertThat(world.writes()).as("one; one that fails, one to give up, one again").isEqualTo(4);
    assertThat(world.add(SECOND, 1).answer()).isPresent();
    assertThat(world.add(UNIFORM, 1).answer()).isPresent();
  }

  /** A model that names a prefix without an address. */
  private void leaveExhausted() {
    prefix("full", OTHER, 4);
    CallResult<Done> left =
        world.outcome(
            world
                .write(UNIFORM)
                .apply(
                    new PublicAddressEdit(
                        new PublicAddressChange.OfPrefix(
                            "cilium-managed-public-ip", ResourceId.of(prefixId("full"))))));
    assertThat(left.refusal()).isPresent();
  }

  @Test
  @DisplayName("AZ-B31 what an operator before left exhausted is given up first")
  void leftExhausted() {
    leaveExhausted();
    assertThat(FIRST.contains(bind(UNIFORM))).isTrue();
    assertThat(used("full")).isEqualTo(4);
  }

  @Test
  @DisplayName("AZ-B30 a machine's address that a first try made is used, though it was the last")
  void madeBefore() {
    prefix("a-nearly-full", OTHER, 3);
    world.azure.faults(ArmFault.refusing("Interfaces.CreateOrUpdate", 409, "ScopeLocked").once());

    assertThat(refused(MACHINE, TAGS).kind()).isEqualTo(Failure.Kind.CONFIGURATION);
    assertThat(used("a-nearly-full")).isEqualTo(4);
    assertThat(OTHER.contains(bind(MACHINE))).isTrue();
    assertThat(world.asked("PublicIPAddresses.CreateOrUpdate")).isEqualTo(1);
    assertThat(used("egress")).isZero();
  }

  @Test
  @DisplayName("Z32 the address that somebody else has given is told")
  void givenByOthers() {
    IpAddress given = bind(MACHINE);
    world.azure.change(owner -> owner.setPrefixState(prefixId("egress"), "Updating"));
    assertThat(bind(MACHINE)).isEqualTo(given);
  }

  private ResourceId make(String name) throws ArmFailure {
    ResourceId made = ResourceId.of(NODES + "/Microsoft.Network/publicIPAddresses/" + name);
    PublicPrefix prefix =
        world.api.page(ArmList.publicPrefixes(made), Optional.empty()).items().get(0);
    world.api.createPublicAddress(made, prefix);
    return made;
  }

  /** Somebody else makes an address for the machine. */
  private void giveAnother() {
    try {
      ResourceId other = make("other");
      world.api.write(
          world.api.read(ArmRead.writable(MACHINE.resource())),
          new ConfigurationChange(
              MACHINE.name(),
              List.of(),
              Set.of(),
              Optional.of(new PublicAddressChange.Existing(other))));
    } catch (ArmFailure e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("AZ-B30 an address that somebody else gives meanwhile stays, and ours is not told")
  void givenMeanwhile() {
    world = new AzureWorld(ModelOptions.builder(1).operation(DelayRange.NONE).build());
    world.way.beforeNextWrite(this::giveAnother);
    assertThat(refused(MACHINE, TAGS).kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(world.seen(MACHINE).configurations().get(0).publicAddress()).endsWith("/other");
    int before = world.writes();
    assertThat(FIRST.contains(bind(MACHINE))).isTrue();
    assertThat(world.writes()).as("theirs is told").isEqualTo(before);
  }

  @Test
  @DisplayName("AZ-N43 an instance that is not running gets no address")
  void stopped() {
    world.azure.change(owner -> owner.setPower(AzureWorld.INSTANCE.text(), Power.DEALLOCATED));
    assertThat(refused(UNIFORM, TAGS).kind()).isEqualTo(Failure.Kind.NOT_RUNNING);
    assertThat(used("egress")).isZero();
  }

  @Test
  @DisplayName("Z32 what failed for another reason is asked for anew")
  void failedOtherwise() {
    world.azure.faults(
        ArmFault.every("VirtualMachineScaleSetVMs.Update", ArmFault.Kind.FAIL_OPERATION).once());
    refused(UNIFORM, TAGS);
    assertThat(world.writes()).as("nothing is given up at once").isEqualTo(1);
    assertThat(FIRST.contains(bind(UNIFORM))).isTrue();
    assertThat(used("egress")).isEqualTo(1);
  }

  static Stream<ArmFault> unread() {
    ArmFault any =
        ArmFault.every(
            "PublicIPAddresses.ListVirtualMachineScaleSetVMPublicIPAddresses", ArmFault.Kind.FAIL);
    return Stream.of(
        any.withError(ArmError.of(403, "AuthorizationFailed", "x")),
        any.withError(ArmError.of(404, "ResourceNotFound", "x")),
        any.withError(ArmError.of(429, "TooManyRequests", "x")),
        any.withError(ArmError.of(429, "RetryableErrorDueToAnotherOperation", "x")),
        any.withError(ArmError.of(500, "InternalServerError", "x")));
  }

  @ParameterizedTest
  @MethodSource("unread")
  @DisplayName("AZ-B31 of an instance that failed an address is kept that could not be read")
  void failedAndUnread(ArmFault fault) {
    IpAddress given = bind(UNIFORM);
    world.azure.faults(
        ArmFault.every("VirtualMachineScaleSetVMs.Update", ArmFault.Kind.FAIL_OPERATION).once());
    assertThat(world.add(UNIFORM, 1).refusal()).isPresent();
    world.azure.faults(fault);
    int before = world.writes();
    refused(UNIFORM, TAGS);
    world.azure.faults();
    assertThat(bind(UNIFORM)).isEqualTo(given);
    assertThat(world.writes()).isEqualTo(before);
  }

  @EachForm
  @DisplayName("Z32 an interface that its resource does not have gets no address")
  void interfaceUnknown(Form form) {
    Target other = new Target(form.target.networkInterface(), "other", 1);
    assertThat(refused(other, TAGS).condition()).isEqualTo("interfaceUnknown");
    assertThat(world.writes()).isZero();
  }

  @Test
  @DisplayName("AZ-B31 that is given up though the addresses of the instance cannot be read")
  void leftExhaustedAndUnread() {
    leaveExhausted();
    world.azure.faults(unread().toList().get(0));
    refused(UNIFORM, TAGS);
    assertThat(used("egress")).isEqualTo(1);
    assertThat(world.add(UNIFORM, 1).answer()).as("its writes do not fail any more").isPresent();
  }

  @Test
  @DisplayName("AZ-B31 an address that a list does not show yet is kept")
  void notShownYet() {
    IpAddress given = bind(UNIFORM);
    int writes = world.writes();
    notShown(UNIFORM, "\"ipAddress\":\"[^\"]*\"", "\"ipAddress\":\"\"");
    assertThat(bind(UNIFORM)).isEqualTo(given);
    assertThat(world.writes()).isEqualTo(writes);
  }

  @Test
  @DisplayName("AZ-B31 nor does a virtual machine that failed lose the address that it refers to")
  void ofFailedMachine() {
    IpAddress given = bind(MACHINE);
    int writes = world.writes();
    world.azure.change(
        owner -> owner.setProvisioningState(MACHINE.networkInterface().text(), "Failed"));
    notShown(MACHINE, "\"[^\"]*Tidemark-worker-a-eth0\"", "\"odd\"");
    assertThat(world.writes()).isEqualTo(writes);
    assertThat(bind(MACHINE)).isEqualTo(given);
  }

  /** Others take these addresses of the first prefix right before the next write. */
  private void takenMeanwhile(int addresses) {
    world.way.beforeNextWrite(
        () -> {
          try {
            for (int i = 0; i < addresses; i++) {
              make("o" + i);
            }
          } catch (ArmFailure e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  @DisplayName("AZ-B31 of a prefix that was found full no other address is asked for")
  void fullOnce() {
    prefix("a-pair", Cidr.parse("192.0.2.0/31"), 0);
    takenMeanwhile(2);
    assertThat(FIRST.contains(bind(UNIFORM))).isTrue();
    assertThat(world.asked("VirtualMachineScaleSetVMs.Update"))
        .as("one that fails, one to give up, one again")
        .isEqualTo(3);
  }

  @Test
  @DisplayName("AZ-B31 while a full prefix cannot be given up, no other one is asked")
  void notGivenUp() {
    prefix("a-last", Cidr.parse("192.0.2.0/31"), 1);
    takenMeanwhile(1);
    world.azure.faults(
        ArmFault.refusing("VirtualMachineScaleSetVMs.Update", 409, "ScopeLocked").window(1, 1));
    assertThat(refused(UNIFORM, TAGS).kind()).isEqualTo(Failure.Kind.CONFIGURATION);
    assertThat(used("egress")).isZero();
  }

  @Test
  @DisplayName("AZ-B30 an address that the machine's interface does not show is not told")
  void notOnInterface() {
    notShown(MACHINE, "\"publicIPAddress\":\\{[^}]*\\}", "\"publicIPAddress\":null");
    assertThat(FIRST.contains(bind(MACHINE))).isTrue();
    assertThat(world.writes()).isEqualTo(1);
  }

  @Test
  @DisplayName("13.7 a missing permission is told with its action")
  void forbidden() {
    world.azure.faults(
        ArmFault.every("PublicIPPrefixes.List", ArmFault.Kind.FAIL)
            .withError(
                ArmError.of(
                    403, "AuthorizationFailed", "Microsoft.Network/publicIPPrefixes/read")));
    Failure failure = refused(MACHINE, TAGS);
    assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFIGURATION);
    assertThat(failure.detail()).contains("Microsoft.Network/publicIPPrefixes/read");
  }

  @EachForm
  @DisplayName(
      "13.8 an operator that stops at any request, or before its answer, leaves one address, which"
          + " the next one finds")
  void crashPoints(Form form) {
    bind(form.target);
    int all = requests();
    Set<Integer> writes = new HashSet<>();
    for (int at = 0; at < all; at++) {
      for (boolean carriedOut : new boolean[] {false, true}) {
        world = new AzureWorld(slow().build());
        List<ArmFault> stops = new ArrayList<>();
        if (carriedOut) {
          stops.add(ArmFault.every("*", ArmFault.Kind.LOSE_ANSWER).window(at, 1));
        }
        stops.add(ArmFault.every("*", ArmFault.Kind.LOSE_REQUEST).window(at, Integer.MAX_VALUE));
        world.azure.faults(stops.toArray(ArmFault[]::new));
        world.await(begin(form.target, TAGS));
        world.azure.faults();
        world.pass(LASTS);
        IpAddress given = bind(form.target);
        assertThat(FIRST.contains(given)).as("request %s", at).isTrue();
        assertThat(used("egress")).as("request %s", at).isEqualTo(1);
        assertThat(bind(form.target)).isEqualTo(given);
        writes.add(world.writes());
      }
    }
    assertThat(writes).as("writes of both operators together").containsExactlyInAnyOrder(1, 2);
  }

  @Test
  @DisplayName("Z32 the name of a machine's address is that of its interface, and not too long")
  void names() {
    assertThat(StaticAddress.idFor(MACHINE, "Tidemark-").text())
        .isEqualTo(NODES + "/Microsoft.Network/publicIPAddresses/Tidemark-worker-a-eth0");
    String name = "a".repeat(80);
    Target longest =
        new Target(ResourceId.of(NODES + "/Microsoft.Network/networkInterfaces/" + name), name, 1);
    ResourceId id = StaticAddress.idFor(longest, "Tidemark-");
    assertThat(id.name()).startsWith("Tidemark-").hasSizeLessThan(80);
    assertThat(id).isEqualTo(StaticAddress.idFor(longest, "Tidemark-"));
  }

  // ---- which prefixes can give an address

  private static final ResourceId OWN_ADDRESS =
      ResourceId.of(NODES + "/Microsoft.Network/publicIPAddresses/own");

  private static PublicPrefix read(
      String name, String range, String state, Map<String, String> tags, ResourceId... taken) {
    return new PublicPrefix(
        ResourceId.of(NODES + "/Microsoft.Network/publicIPPrefixes/" + name),
        "westeurope",
        "Standard",
        List.of(),
        tags,
        Optional.of(Cidr.parse(range)),
        state,
        new HashSet<>(List.of(taken)));
  }

  private static final PublicPrefix PROD =
      read("first", "203.0.113.0/31", "succeeded", Map.of("env", "prod", "team", "a"));
  private static final PublicPrefix TEST =
      read("second", "203.0.113.2/31", "succeeded", Map.of("env", "test", "team", "a"));

  private static List<String> chosen(Map<String, String> tags, PublicPrefix... all) {
    return StaticAddress.usable(List.of(all), tags, OWN_ADDRESS).stream()
        .map(each -> each.id().name())
        .toList();
  }

  @Test
  @DisplayName("AZ-B30 it has all of the tags, and may have more")
  void usableByTags() {
    assertThat(chosen(Map.of("env", "prod", "team", "a"), PROD, TEST)).containsExactly("first");
    assertThat(chosen(Map.of("env", "test"), PROD, TEST)).containsExactly("second");
    assertThat(chosen(Map.of("team", "a"), PROD, TEST)).containsExactly("first", "second");
    assertThat(chosen(Map.of("env", "dev"), PROD, TEST)).isEmpty();
    assertThat(chosen(Map.of("env", "prod", "zone", "1"), PROD, TEST)).isEmpty();
  }

  @Test
  @DisplayName("AZ-B30 one that is not ready, is full or is of IPv6 is passed over")
  void unusablePrefixes() {
    Map<String, String> tags = Map.of("env", "prod");
    ResourceId a = ResourceId.of(NODES + "/Microsoft.Network/publicIPAddresses/a");
    ResourceId b = ResourceId.of(NODES + "/Microsoft.Network/publicIPAddresses/b");
    assertThat(
            chosen(
                tags,
                read("updating", "203.0.113.4/31", "updating", tags),
                read("full", "203.0.113.6/31", "succeeded", tags, a, b),
                read("ipv6", "2001:db8::/124", "succeeded", tags),
                read("half", "203.0.113.8/31", "succeeded", tags, a)))
        .containsExactly("half");
  }

  @Test
  @DisplayName("AZ-B30 the one that a first try has made an address of comes first, also when full")
  void usableAgain() {
    Map<String, String> tags = Map.of("env", "prod");
    ResourceId other = ResourceId.of(NODES + "/Microsoft.Network/publicIPAddresses/other");
    PublicPrefix full = read("full", "203.0.113.6/31", "succeeded", tags, OWN_ADDRESS, other);
    assertThat(chosen(tags, PROD, full)).containsExactly("full");
    assertThat(full.free()).isZero();
  }
}
