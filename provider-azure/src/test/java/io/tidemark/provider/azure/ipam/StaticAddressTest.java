package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.AzureWorld.MACHINE;
import static io.tidemark.provider.azure.ipam.AzureWorld.NODES;
import static io.tidemark.provider.azure.ipam.AzureWorld.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.PublicAddressChange;
import io.tidemark.provider.azure.network.PublicPrefix;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

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

  private IpAddress address(CompletionStage<CallResult<IpAddress>> stage) {
    return world.await(stage).answer().orElseThrow();
  }

  private IpAddress bind(Target target) {
    return address(world.bind(target, TAGS));
  }

  private Failure refused(Target target, Map<String, String> tags) {
    return world.await(world.bind(target, tags)).refusal().orElseThrow();
  }

  private int requests() {
    return world.azure.handler().use(model -> model.audit().entries().size());
  }

  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "cloud operation: 20s; ",
        """
        Z32 the address is assigned once; a second request returns it without a write
          MACHINE: bind egress; writes 1; bind same; writes 1;
          asked PublicIPAddresses.CreateOrUpdate 1; used egress 1
        Z32 the same of an instance, by its model
          UNIFORM: bind egress; writes 1; bind same; writes 1;
          asked PublicIPAddresses.CreateOrUpdate 0; used egress 1
        Z32 without a prefix of the tags nothing is written
          tags other; bindRefused CAPACITY; writes 0; asked PublicIPAddresses.CreateOrUpdate 0
        AZ-B31 what an operator before left exhausted is given up first
          UNIFORM: prefix full 198.51.100.0/30 4; exhaust full; bind egress; used full 4
        AZ-B31 that is given up though the addresses of the instance cannot be read
          UNIFORM: prefix full 198.51.100.0/30 4; exhaust full;
          fault fail publicsOfInstance status=403 code=AuthorizationFailed; bindRefused;
          used egress 1; put 1
        AZ-B30 a machine's address that a first try made is used, though it was the last
          MACHINE: prefix a-nearly-full 198.51.100.0/30 3;
          fault fail write status=409 code=ScopeLocked times=1; bindRefused CONFIGURATION;
          used a-nearly-full 4; bind a-nearly-full; asked PublicIPAddresses.CreateOrUpdate 1;
          used egress 0
        Z32 the address that somebody else assigned is reported
          MACHINE: bind egress; prefixState egress Updating; bind same
        AZ-N43 an instance that is not running gets no address
          UNIFORM: power DEALLOCATED; bindRefused NOT_RUNNING; used egress 0
        Z32 what failed for another reason is asked for anew, and not given up at once
          UNIFORM: fault fail-operation write times=1; bindRefused; writes 1; bind egress;
          used egress 1
        Z32 an interface that its resource does not have gets no address
          targetNamed other; bindRefused interfaceUnknown; writes 0
        AZ-B31 an address that a list does not show yet is kept
          UNIFORM: bind egress; mark writes; answers "ipAddress":"[^"]*" => "ipAddress":"";
          bindRefused notShown; answers asTheyAre; bind same; writes +0
        AZ-B31 nor does a virtual machine that failed lose the address that it refers to
          MACHINE: bind egress; mark writes; state Failed;
          answers "[^"]*Tidemark-worker-a-eth0" => "odd"; bindRefused notShown; answers asTheyAre;
          writes +0; bind same
        AZ-B31 of a prefix that was found full no other address is asked for
          UNIFORM: prefix a-pair 192.0.2.0/31 0; meanwhile 2; bind egress; asked write 3
        AZ-B31 while a full prefix cannot be given up, no other one is asked
          UNIFORM: prefix a-last 192.0.2.0/31 1; meanwhile 1;
          fault fail write status=409 code=ScopeLocked skip=1 times=1; bindRefused CONFIGURATION;
          used egress 0
        AZ-B30 an address that the machine's interface does not show is not told
          MACHINE: answers "publicIPAddress":\\{[^}]*\\} => "publicIPAddress":null;
          bindRefused notShown; answers asTheyAre; bind egress; writes 1
        13.7 a missing permission is reported with its action
          MACHINE: fault fail PublicIPPrefixes.List status=403 code=AuthorizationFailed
          message=Microsoft.Network/publicIPPrefixes/read;
          bindRefused CONFIGURATION Microsoft.Network/publicIPPrefixes/read\
        """);
  }

  @TestFactory
  Stream<DynamicTest> announcements() {
    return Stream.of("both", "async-operation", "location", "none")
        .flatMap(
            how ->
                AzureStory.all(
                    "cloud operation: 20s, announcement: " + how + "; ",
                    "Z17 the address is waited for however the operation is named: "
                        + how
                        + "\n bind egress; used egress 1"));
  }

  @TestFactory
  Stream<DynamicTest> failedAndUnread() {
    return Stream.of(
            "403 code=AuthorizationFailed",
            "404 code=ResourceNotFound",
            "429 code=TooManyRequests",
            "429 code=RetryableErrorDueToAnotherOperation",
            "500 code=InternalServerError")
        .flatMap(
            error ->
                AzureStory.all(
                    "cloud operation: 20s; ",
                    "AZ-B31 of an instance that failed an address is kept that could not be read: "
                        + error
                        + "\n UNIFORM: bind egress; fault fail-operation write times=1; put 1 failed;"
                        + " noFault; fault fail publicsOfInstance status="
                        + error
                        + "; mark writes; bindRefused; noFault; bind same; writes +0"));
  }

  @Test
  @DisplayName(
      "AZ-B31 of two instances that ask for the last address one gets it, the other gives the"
          + " prefix up and gets one of the next")
  void lastAddress() {
    prefix("a-nearly-full", Cidr.parse("192.0.2.0/31"), 1);
    CompletionStage<CallResult<IpAddress>> first = world.bind(UNIFORM, TAGS);
    CompletionStage<CallResult<IpAddress>> second = world.bind(SECOND, TAGS);
    List<IpAddress> given = List.of(address(first), address(second));
    assertThat(given).filteredOn(Cidr.parse("192.0.2.0/31")::contains).hasSize(1);
    assertThat(given).filteredOn(FIRST::contains).hasSize(1);
    assertThat(world.writes()).as("one; one that fails, one to give up, one again").isEqualTo(4);
    assertThat(world.add(SECOND, 1).answer()).isPresent();
    assertThat(world.add(UNIFORM, 1).answer()).isPresent();
  }

  /** Somebody else makes an address for the machine. */
  private void giveAnother() {
    try {
      ResourceId other = world.makePublicAddress("other");
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
        world.await(world.bind(form.target, TAGS));
        world.azure.faults();
        world.pass(LASTS);
        IpAddress given = bind(form.target);
        assertThat(FIRST.contains(given)).as("request %s", at).isTrue();
        assertThat(world.usedOfPrefix("egress")).as("request %s", at).isEqualTo(1);
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
