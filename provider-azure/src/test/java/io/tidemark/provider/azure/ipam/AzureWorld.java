package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.TestMeters;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Done;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.ArmDoors;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.EmulatorTransport;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.MeddlingTransport;
import io.tidemark.provider.azure.network.PublicPrefix;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.kit.step.StaticAddressBinding.Candidate;
import io.tidemark.provider.kit.step.StaticAddressBinding.Holder;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/** An emulated Azure in virtual time, with the requests of the provider and nothing between. */
final class AzureWorld {
  static final String NODES = ArmSamples.NODES;
  static final ResourceId INSTANCE = ArmSamples.INSTANCE;
  static final Target UNIFORM =
      new Target(ResourceId.of(INSTANCE + "/networkInterfaces/eth0"), "eth0", 1);
  static final Target MACHINE = new Target(ArmSamples.NIC, "worker-a-eth0", 1);

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final ArmEmulator azure;
  final AzureAccount account;
  final ArmCalls arm;
  final ArmApi api;
  final MeddlingTransport way;
  final List<ErrorCode> reported = new ArrayList<>();
  final TestMeters measured = new TestMeters();
  private final OperatorNotices notices = (code, detail) -> reported.add(code);
  private final AccessTokens tokens;
  private final CloudCalls calls;
  int tokensGiven;
  private int allocations;
  private final Ghosts ghosts = new Ghosts(Duration.ofSeconds(60));

  AzureWorld(ModelOptions options) {
    this(options, (time, cloud) -> DirectCalls::new);
  }

  /** The same whose operations take so long. */
  static AzureWorld lasting(Duration operations) {
    return new AzureWorld(ModelOptions.builder(1).operation(DelayRange.fixed(operations)).build());
  }

  /** The same with the calls of production: buckets, repetitions and breakers. */
  static AzureWorld paced(ModelOptions options) {
    return paced(options, EffectModel.reliable(Duration.ZERO, Duration.ZERO));
  }

  /** The same with requests that take their time. */
  static AzureWorld paced(ModelOptions options, EffectModel effects) {
    return new AzureWorld(
        options,
        (time, cloud) ->
            new StandardCloudCallsFactory(
                    CloudCallsConfig.defaults(),
                    time,
                    time.effects(effects),
                    new Random(3),
                    cloud,
                    LearnedRates.NONE,
                    Fence.OPEN)
                ::create);
  }

  private AzureWorld(
      ModelOptions options,
      BiFunction<VirtualTime, Meters, Function<CallPolicy, CloudCalls>> calls) {
    Function<CallPolicy, CloudCalls> made = calls.apply(time, measured.meters);
    azure = ArmEmulator.in(time, ArmScenarioYaml.example().withOptions(options));
    way = new MeddlingTransport(new EmulatorTransport(azure.handler()));
    tokens =
        new AccessTokens(
            made.apply(AccessTokens.policy("authority")), time, this::token, new Cancellation());
    api = api(false);
    this.calls = made.apply(ArmCallLimits.of("azure/test", 1));
    account =
        new AzureAccount(
            () -> api, this.calls, tokens, SETTINGS, time, new Random(1), measured.meters, notices);
    arm = account.arm;
  }

  private ArmApi api(boolean blocksOnScaleSets) {
    return ArmDoors.api(way, URI.create(ArmDoors.ORIGIN), tokens::now, time, blocksOnScaleSets);
  }

  private AccessTokens.Token token() {
    tokensGiven++;
    String text = azure.handler().use(model -> model.giveToken("provider", azure.handler().now()));
    return new AccessTokens.Token(text, time.epochMillis() + 3_600_000);
  }

  /** The usual settings. */
  static final AzureSettings SETTINGS = AzureSettingsSample.of();

  /** A provider over this Azure. */
  AzureAllocation allocation() {
    return allocation(SETTINGS);
  }

  AzureAllocation allocation(AzureSettings settings) {
    ArmApi own = settings.blocksOnScaleSets() ? api(true) : api;
    return new AzureAllocation(
        new AzureAccount(
            () -> own,
            calls,
            tokens,
            settings,
            time,
            new Random(++allocations),
            measured.meters,
            notices),
        () -> {});
  }

  NodeSettings settings(boolean blocks) {
    return new NodeSettings("node", blocks, true, false);
  }

  /** The resource of a node on this machine. */
  NodeResource resource(String machine) {
    return NodeResource.named("node").withInstanceId(machine);
  }

  InstanceId id(String machine) {
    return new InstanceId(machine.toLowerCase(Locale.ROOT));
  }

  CallContext context() {
    return context(Duration.ofMinutes(5));
  }

  CallContext context(Duration within) {
    return CallContext.of(
        "node",
        Priority.of(Priority.Rank.REPAIR),
        time.nanos() + within.toNanos(),
        new Cancellation());
  }

  void pass(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  /** The result of a stage, once virtual time has passed. */
  <T> T await(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    for (int i = 0; i < 1_000 && !future.isDone(); i++) {
      pass(Duration.ofSeconds(1));
    }
    assertThat(future).isCompleted();
    return future.join();
  }

  /** A write with five minutes' time. */
  ConfigurationWrite write(Target target) {
    return write(target, Duration.ofMinutes(5));
  }

  ConfigurationWrite write(Target target, Duration within) {
    return new ConfigurationWrite(
        account,
        ArmCalls.instance(target.isUniform() ? target.resource() : ArmSamples.MACHINE),
        ghosts,
        target,
        context(within));
  }

  CallResult<Done> outcome(CompletionStage<CallResult<Done>> stage) {
    return await(stage);
  }

  CallResult<Done> add(Target target, int count) {
    return outcome(write(target).apply(ConfigurationEdit.adding(names(count), AddressSet.of())));
  }

  static String publicId(String name) {
    return NODES + "/Microsoft.Network/" + name;
  }

  /** A public address of a prefix with these tags for an interface. */
  CompletionStage<CallResult<IpAddress>> bind(Target target, Map<String, String> tags) {
    StaticAddress attempt = new StaticAddress(write(target));
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

  /** Somebody else makes an address of the first prefix. */
  ResourceId makePublicAddress(String name) {
    ResourceId made = ResourceId.of(publicId("publicIPAddresses/" + name));
    try {
      PublicPrefix prefix = api.page(ArmList.publicPrefixes(made), Optional.empty()).items().get(0);
      api.createPublicAddress(made, prefix);
    } catch (ArmFailure e) {
      throw new AssertionError(e);
    }
    return made;
  }

  /** How many addresses of a prefix are used. */
  int usedOfPrefix(String prefix) {
    return azure
        .handler()
        .use(
            model ->
                model.state().objects("publicPrefixes").stream()
                    .filter(each -> each.text("id").orElse("").endsWith("/" + prefix))
                    .mapToInt(each -> each.number("used").orElse(0))
                    .sum());
  }

  /** New names at each call. */
  List<NewConfiguration> names(int count) {
    long at = time.nanos();
    return IntStream.range(0, count)
        .mapToObj(i -> new NewConfiguration("Tidemark-" + at + "x" + i, false))
        .toList();
  }

  /** The interface as Azure shows it now. */
  AzureNetworkInterface seen(Target target) {
    CompletableFuture<CallResult<AzureNetworkInterface>> read =
        arm.seen(
                target.networkInterface(),
                1,
                each -> true,
                CallContext.of(
                    "",
                    Priority.of(Priority.Rank.REPAIR),
                    time.nanos() + Duration.ofMinutes(1).toNanos(),
                    new Cancellation()))
            .toCompletableFuture();
    return read.join().match(each -> each, failure -> fail(failure.toText()));
  }

  private static AzureNetworkInterface fail(String text) {
    throw new AssertionError(text);
  }

  Set<String> shown(Target target) {
    Set<String> names = new HashSet<>();
    seen(target).configurations().forEach(each -> names.add(each.name()));
    return names;
  }

  /** Configurations beside the primary one. */
  int added(Target target) {
    return seen(target).configurations().size() - 1;
  }

  List<String> states(Target target) {
    List<String> states = new ArrayList<>();
    for (IpConfiguration each : seen(target).configurations()) {
      states.add(each.state());
    }
    return states;
  }

  /** The addresses and blocks that it has. */
  Set<String> addresses(Target target) {
    Set<String> addresses = new HashSet<>();
    seen(target)
        .configurations()
        .forEach(each -> each.range().ifPresent(range -> addresses.add(range.toString())));
    return addresses;
  }

  /** How often this operation was asked for. */
  int asked(String operation) {
    return azure.handler().use(model -> model.audit().count(operation));
  }

  int writes() {
    return asked("Interfaces.CreateOrUpdate") + asked("VirtualMachineScaleSetVMs.Update");
  }
}
