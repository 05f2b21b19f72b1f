package io.tidemark.provider.azure.network;

import static io.tidemark.provider.azure.network.ArmSamples.NIC;
import static io.tidemark.provider.azure.network.ArmSamples.SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.ModelOptions.Announcement;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.provider.azure.network.ArmFailure.Ending;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.OperationStatus.State;
import io.tidemark.testing.Hang;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(Hang.SECONDS)
@DisplayName("Azure Resource Manager by way of azure-core and the JDK's client, over sockets")
class ArmApiSocketTest {
  private static final Optional<URI> FIRST = Optional.empty();

  private ArmEmulator.@Nullable Listening listening;
  private URI endpoint = URI.create("http://127.0.0.1:0");

  /** Without delays; an operation ends at its second poll. */
  private static ModelOptions.Builder options() {
    return ModelOptions.builder(1).operationPolls(2);
  }

  private ArmEmulator start(ModelOptions.Builder options) throws IOException {
    ArmEmulator.Listening started =
        ArmEmulator.listen(0, ArmScenarioYaml.example().withOptions(options.build()));
    listening = started;
    endpoint = started.endpoint();
    return started.emulator();
  }

  private ArmApi api(String token, boolean blocksOnScaleSets) {
    return new Transport(Optional.empty(), endpoint, (bucket, left) -> {})
        .within(Hang.LIMIT)
        .arm(endpoint, () -> token, SystemTime.instance(), blocksOnScaleSets);
  }

  private ArmApi api() {
    return api("static-door", false);
  }

  @AfterEach
  void stop() {
    if (listening != null) {
      listening.close();
    }
  }

  private static ConfigurationChange add(String name, boolean block) {
    return new ConfigurationChange("eth0", List.of(new NewConfiguration(name, block)), Set.of());
  }

  private static List<String> names(AzureNetworkInterface shown) {
    return shown.configurations().stream().map(IpConfiguration::name).toList();
  }

  @ParameterizedTest(name = "announced by {0}")
  @EnumSource(names = {"ASYNC_OPERATION", "LOCATION", "BOTH"})
  @DisplayName("an interface is read, written and read again once its operation has ended")
  void machine(Announcement how) throws Exception {
    start(options().announcement(how));
    ArmApi api = api();
    Written written = api.write(api.read(ArmRead.writable(NIC)), add("Tidemark-a", false));
    assertThat(written.ended()).isFalse();
    assertThat(written.foreign()).as("the address has the endpoint's port").isFalse();
    assertThat(api.operation(written, NIC).state()).isEqualTo(State.RUNNING);
    assertThat(api.operation(written, NIC).state()).isEqualTo(State.SUCCEEDED);
    assertThat(names(api.read(ArmRead.networkInterface(NIC))))
        .containsExactly("primary", "Tidemark-a");
  }

  @Test
  @DisplayName("an instance of a set is read, written and read again once its operation has ended")
  void instance() throws Exception {
    start(options());
    ArmApi api = api();
    Written written =
        api.write(api.read(ArmRead.writable(ArmSamples.INSTANCE)), add("Tidemark-a", false));
    assertThat(
            names(
                api.page(ArmList.interfacesOfInstance(ArmSamples.INSTANCE), FIRST).items().get(0)))
        .hasSize(1);
    assertThat(api.operation(written, ArmSamples.INSTANCE).state()).isEqualTo(State.RUNNING);
    assertThat(api.operation(written, ArmSamples.INSTANCE).state()).isEqualTo(State.SUCCEEDED);
    assertThat(
            names(
                api.page(ArmList.interfacesOfInstance(ArmSamples.INSTANCE), FIRST).items().get(0)))
        .containsExactly("primary", "Tidemark-a");
  }

  @ParameterizedTest(name = "azure-blocks-on-scale-sets: {0}")
  @CsvSource({"true,28", "false,32"})
  @DisplayName("Z31 an instance gets a block where the setting asks by the version that knows them")
  void blocksOnScaleSets(boolean asked, int length) throws Exception {
    ArmEmulator azure = start(options().operationPolls(0).blockForm(BlockForm.CIDR));
    ArmApi api = api("static-door", asked);
    api.write(api.read(ArmRead.writable(ArmSamples.INSTANCE)), add("Tidemark-b-a", true));
    assertThat(
            azure
                .handler()
                .use(model -> model.state().objects("interfaces").toString())
                .contains("/28"))
        .isEqualTo(length == 28);
    assertThat(
            api.read(ArmRead.writable(ArmSamples.INSTANCE))
                .find("eth0")
                .orElseThrow()
                .configurations()
                .get(1)
                .block())
        .isEqualTo(asked);
  }

  @Test
  @DisplayName("pages are followed at the address that the answer names")
  void pages() throws Exception {
    start(options().pageSize(1));
    ArmApi api = api();
    List<String> ids = new ArrayList<>();
    Optional<URI> next = FIRST;
    do {
      AzurePage<AzureNetworkInterface> page = api.page(ArmList.interfacesOfSet(SET), next);
      page.items().forEach(each -> ids.add(each.id().text()));
      next = page.next();
    } while (next.isPresent());
    assertThat(ids)
        .containsExactly(
            ArmSamples.INSTANCE + "/networkInterfaces/eth0",
            SET + "/virtualMachines/1/networkInterfaces/eth0");
  }

  @Test
  @DisplayName("an old etag, a missing interface, a wrong token and a throttle are told apart")
  void refusals() throws Exception {
    ArmEmulator azure = start(options().operationPolls(0));
    ArmApi api = api();
    WritableResource old = api.read(ArmRead.writable(NIC));
    api.write(old, add("Tidemark-a", false));
    assertThat(failure(() -> api.write(old, add("Tidemark-b", false))).status()).isEqualTo(412);
    ResourceId missing = ResourceId.of(NIC + "-missing");
    assertThat(failure(() -> api.read(ArmRead.networkInterface(missing))).code())
        .isEqualTo("ResourceNotFound");
    assertThat(failure(() -> api("stolen", false).read(ArmRead.networkInterface(NIC))).status())
        .isEqualTo(401);
    azure.faults(
        ArmFault.every("Interfaces.Get", ArmFault.Kind.FAIL)
            .withError(ArmError.of(429, "TooManyRequests", "x").after(Duration.ofSeconds(30))));
    ArmFailure throttled = failure(() -> api.read(ArmRead.networkInterface(NIC)));
    assertThat(throttled.status()).isEqualTo(429);
    assertThat(throttled.retryAfter()).contains(Duration.ofSeconds(30));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"LOSE_ANSWER,2", "LOSE_REQUEST,1"})
  @DisplayName("a connection that breaks leaves a write in doubt, whether or not it was done")
  void broken(ArmFault.Kind kind, int configurations) throws Exception {
    ArmEmulator azure = start(options().operationPolls(0));
    ArmApi api = api();
    WritableResource base = api.read(ArmRead.writable(NIC));
    azure.faults(ArmFault.every("Interfaces.CreateOrUpdate", kind));
    ArmFailure lost = failure(() -> api.write(base, add("Tidemark-a", false)));
    assertThat(lost.ending()).isEqualTo(Ending.ANSWER_LOST);
    assertThat(lost.text()).doesNotContain("static-door");
    int writes = azure.handler().use(model -> model.audit().count("Interfaces.CreateOrUpdate"));
    assertThat(writes).as("the client repeats nothing by itself").isEqualTo(1);
    assertThat(names(api.read(ArmRead.networkInterface(NIC)))).hasSize(configurations);
  }

  @Test
  @DisplayName("nobody who listens is a request that was not sent")
  void nobody() throws Exception {
    try (Socket bound = new Socket()) { // nobody listens on its port, nor can
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      endpoint = URI.create("http://127.0.0.1:" + bound.getLocalPort());
      ArmApi api = api();
      assertThat(failure(() -> api.read(ArmRead.networkInterface(NIC))).ending())
          .isEqualTo(Ending.NOT_SENT);
    }
  }

  @Test
  @DisplayName("many threads ask at the same time, and of their writes with one etag one wins")
  void parallel() throws Exception {
    start(options().operationPolls(0));
    ArmApi api = api();
    WritableResource base = api.read(ArmRead.writable(NIC));
    List<Callable<Integer>> writes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String name = "Tidemark-" + i;
      writes.add(() -> status(api, base, name));
    }
    ExecutorService threads = Executors.newFixedThreadPool(writes.size());
    try {
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> each : threads.invokeAll(writes)) {
        statuses.add(each.get());
      }
      assertThat(statuses).containsOnlyOnce(0);
      assertThat(statuses.stream().filter(each -> each != 0)).hasSize(7).containsOnly(412);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } finally {
      threads.shutdownNow();
    }
    assertThat(names(api.read(ArmRead.networkInterface(NIC)))).hasSize(2);
  }

  /** The status of a refused write; 0 of one that was accepted. */
  private static int status(ArmApi api, WritableResource base, String name) {
    try {
      api.write(base, add(name, false));
      return 0;
    } catch (ArmFailure refused) {
      return refused.status();
    }
  }

  private static ArmFailure failure(Callable<?> request) {
    return catchThrowableOfType(ArmFailure.class, request::call);
  }
}
