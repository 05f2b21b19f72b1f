package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.scenario.ScenarioYaml;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Outcome;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.EmulatorTransport;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.NetworkInterface;
import io.tidemark.provider.azure.network.PipelineArmApi;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Priority;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** An emulated Azure in virtual time, with the requests of the provider and nothing between. */
final class AzureWorld {
  static final String NODES =
      "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/nodes/providers";
  static final ResourceId INSTANCE =
      ResourceId.of(NODES + "/Microsoft.Compute/virtualMachineScaleSets/pool-a/virtualMachines/0");
  static final Target UNIFORM =
      new Target(ResourceId.of(INSTANCE + "/networkInterfaces/eth0"), "eth0");
  static final Target MACHINE =
      new Target(
          ResourceId.of(NODES + "/Microsoft.Network/networkInterfaces/worker-a-eth0"),
          "worker-a-eth0");

  private static final Duration FIRST_POLL = Duration.ofSeconds(10);

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final ArmEmulator azure;
  final ArmCalls arm;
  final PipelineArmApi api;

  /** Sends each request at once; what a request throws is classified. */
  private record Direct(CallPolicy policy) implements CloudCalls {
    @Override
    public Admission admit(List<CallKind> anyOf, CallContext context) {
      throw new UnsupportedOperationException("nothing is admitted");
    }

    @Override
    public <T> CompletionStage<CallResult<T>> call(
        CallKind kind, CallContext context, Leaf<T> leaf) {
      CallResult<T> result;
      try {
        result =
            new CallResult.Answered<>(leaf.send(new Attempt(1, Duration.ofSeconds(10), "request")));
      } catch (Exception thrown) {
        result = new CallResult.Failed<>(policy.classifier().classify(kind, thrown));
      }
      return CompletableFuture.completedStage(result);
    }
  }

  AzureWorld(ModelOptions options) {
    azure = ArmEmulator.in(time, ScenarioYaml.example().withOptions(options));
    AccessTokens tokens =
        new AccessTokens(
            new Direct(AccessTokens.policy("authority")), time, this::token, new Cancellation());
    api =
        new PipelineArmApi(
            new EmulatorTransport(azure.handler()),
            URI.create("https://management.azure.com"),
            tokens::now,
            time);
    arm =
        new ArmCalls(
            api,
            new Direct(ArmCallLimits.of("azure/test", 1)),
            tokens,
            time,
            Duration.ofSeconds(5));
  }

  private AccessTokens.Token token() {
    String text = azure.handler().use(model -> model.giveToken("provider", azure.handler().now()));
    return new AccessTokens.Token(text, time.epochMillis() + 3_600_000);
  }

  /** A write with five minutes' time. */
  ConfigurationWrite write(Target target) {
    return write(target, Duration.ofMinutes(5));
  }

  ConfigurationWrite write(Target target, Duration within) {
    return new ConfigurationWrite(
        arm,
        target,
        Set.of("Tidemark-", "Cilium-"),
        FIRST_POLL,
        CallContext.of(
            "node",
            Priority.of(Priority.Rank.REPAIR),
            time.nanos() + within.toNanos(),
            new Cancellation()));
  }

  /** The outcome of a stage, once virtual time has passed. */
  Outcome outcome(CompletionStage<Outcome> stage) {
    CompletableFuture<Outcome> future = stage.toCompletableFuture();
    for (int i = 0; i < 1_000 && !future.isDone(); i++) {
      time.runUntil(time.nanos() + Duration.ofSeconds(1).toNanos());
    }
    assertThat(future).isCompleted();
    return future.join();
  }

  Outcome add(Target target, int count) {
    return outcome(write(target).add(names(count), shown(target)));
  }

  /** New names at each call. */
  List<NewConfiguration> names(int count) {
    long at = time.nanos();
    return IntStream.range(0, count)
        .mapToObj(i -> new NewConfiguration("Tidemark-" + at + "x" + i, false))
        .toList();
  }

  /** The interface as Azure shows it now. */
  NetworkInterface seen(Target target) {
    CompletableFuture<CallResult<NetworkInterface>> read =
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

  private static NetworkInterface fail(String text) {
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

  /** How often this operation was asked for. */
  int asked(String operation) {
    return azure.handler().use(model -> model.audit().count(operation));
  }

  int writes() {
    return asked("Interfaces.CreateOrUpdate") + asked("VirtualMachineScaleSetVMs.Update");
  }
}
