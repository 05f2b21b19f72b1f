package io.tidemark.provider.azure.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmDoors;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.provider.azure.network.EmulatorTransport;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import io.tidemark.time.TimeSource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** An emulated Azure with a Uniform set and a virtual machine, and the checkup of it. */
final class CheckupWorld {
  static final String SUBSCRIPTION = "/subscriptions/" + ArmSamples.SUBSCRIPTION;
  static final String NODES = SUBSCRIPTION + "/resourceGroups/nodes";
  static final String NETWORK = SUBSCRIPTION + "/resourceGroups/network";
  static final String VIRTUAL_NETWORK = ArmSamples.NETWORK.text();
  static final String SUBNET = ArmSamples.SUBNET.text();
  static final String INSTANCE = ArmSamples.INSTANCE.text();
  static final String MACHINE = ArmSamples.MACHINE.text();
  private static final EffectFate AT_ONCE =
      EffectFate.answered(Duration.ofMillis(10), Duration.ofMillis(10));

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final ArmEmulator azure;
  final EmulatorTransport transport;
  final List<String> asked = new ArrayList<>();

  /** The fates of requests, by their kind. */
  Function<String, EffectFate> fates = kind -> AT_ONCE;

  AccessTokens.Source authority = this::token;
  private Duration ahead = Duration.ZERO;
  Duration limit = Duration.ofSeconds(60);
  Duration took = Duration.ZERO;
  int subnetReserve;
  double share = 1;

  CheckupWorld() {
    azure =
        ArmEmulator.in(
            time,
            ArmScenarioYaml.example().withOptions(ModelOptions.builder(1).pageSize(1).build()));
    transport = new EmulatorTransport(azure.handler());
  }

  /** Sets our clock so that Azure's is ahead of it. */
  void azureAhead(Duration by) {
    ahead = by;
  }

  /** The node of a Uniform instance, and one of a virtual machine. */
  static List<NodeResource> nodes() {
    return List.of(uniform(), machine());
  }

  static NodeResource uniform() {
    return Samples.node("uniform")
        .instanceId(INSTANCE.toLowerCase(Locale.ROOT))
        .maxAboveWatermark(8)
        .build();
  }

  static NodeResource machine() {
    return Samples.node("machine").instanceId("azure://" + MACHINE).build();
  }

  private AccessTokens.Token token() {
    String text = azure.handler().use(model -> model.giveToken("doctor", azure.handler().now()));
    return new AccessTokens.Token(text, time.epochMillis() + 3_600_000);
  }

  void roles(Role... roles) {
    azure.handler().change(model -> model.access().setRoles(List.of(roles)));
  }

  /** Gives the virtual machine an interface that names one resource of each kind. */
  void withLinks() {
    String provider = NETWORK + "/providers/Microsoft.Network/";
    Document links =
        Document.of("subnet", Document.reference(SUBNET))
            .with("primary", true)
            .with(
                "applicationSecurityGroups",
                List.of(Document.reference(provider + "applicationSecurityGroups/asg")))
            .with(
                "loadBalancerBackendAddressPools",
                List.of(Document.reference(provider + "loadBalancers/lb/backendAddressPools/p")));
    azure.change(
        owner ->
            owner.addInterface(
                NODES + "/providers/Microsoft.Network/networkInterfaces/second",
                MACHINE,
                List.of(ArmSamples.named("primary", links)),
                Document.of(
                    "networkSecurityGroup",
                    Document.reference(provider + "networkSecurityGroups/nsg"))));
  }

  /** A node whose machine has an interface in another group, alone or beside one in its own. */
  NodeResource elsewhere(boolean alone) {
    String machine = alone ? MACHINE + "-far" : MACHINE;
    String provider = SUBSCRIPTION + "/resourceGroups/nics/providers/Microsoft.Network/";
    String nic = provider + "networkInterfaces/far";
    azure.change(
        owner -> {
          if (alone) {
            owner.addMachine(machine, "westeurope", Optional.empty());
          }
          owner.addInterface(
              nic,
              machine,
              List.of(ArmSamples.primary(SUBNET)),
              Document.of(
                  "networkSecurityGroup",
                  Document.reference(provider + "networkSecurityGroups/nsg")));
        });
    NodeResource node = Samples.node("far").instanceId(machine).staticIpTag("a", "b").build();
    AzureStatus.Interface shown =
        new AzureStatus.Interface(
            nic,
            "far",
            "",
            "",
            Optional.empty(),
            List.of(),
            "",
            Optional.empty(),
            Optional.empty(),
            "");
    return alone ? node : node.withAzureStatus(new AzureStatus(new TreeMap<>(Map.of(nic, shown))));
  }

  private TimeSource clock() {
    return new TimeSource() {
      @Override
      public long nanos() {
        return time.nanos();
      }

      @Override
      public long epochMillis() {
        return time.epochMillis() - ahead.toMillis();
      }
    };
  }

  List<Finding> checkup(List<NodeResource> nodes) {
    StandardCloudCallsFactory factory =
        new StandardCloudCallsFactory(
            CloudCallsConfig.defaults(),
            time,
            time.effects(
                (site, timeout) -> {
                  asked.add(site.operation());
                  return fates.apply(site.operation());
                }),
            new Random(7),
            Meters.none(),
            LearnedRates.NONE,
            Fence.OPEN);
    AzureCloud cloud = AzureCloud.KNOWN.get(0);
    AccessTokens tokens =
        new AccessTokens(
            factory.create(AccessTokens.policy("authority")),
            time,
            () -> authority.fetch(),
            new Cancellation());
    ArmApi api = ArmDoors.api(transport, cloud.resourceManager(), tokens::now, clock());
    AzureCheckup checkup =
        new AzureCheckup(
            new CredentialChoice(CredentialChoice.Kind.CLIENT_SECRET, "tenant", "client", "secret"),
            subnetReserve,
            () -> CompletableFuture.completedStage(new CallResult.Answered<>(cloud)),
            () -> api,
            tokens,
            factory.create(AzureCheckup.policy("own", share)),
            time,
            () -> {});
    long began = time.nanos();
    CompletableFuture<List<Finding>> end =
        checkup
            .run(
                nodes,
                CallContext.of(
                    "",
                    Priority.of(Priority.Rank.VERIFY),
                    began + limit.toNanos(),
                    new Cancellation()))
            .thenApply(
                found -> {
                  took = Duration.ofNanos(time.nanos() - began);
                  return found;
                })
            .toCompletableFuture();
    time.runUntil(began + limit.toNanos());
    assertThat(end).as("ends by its deadline").isCompleted();
    checkup.close();
    assertThat(transport.sent())
        .as("only reads are sent")
        .allMatch(each -> each.getHttpMethod().toString().equals("GET"));
    return end.join();
  }
}
