package io.tidemark.provider.azure.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.metrics.Meters;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The discovery of the cloud (Z48)")
class CloudDiscoveryTest {
  /** A service that nobody can reach: the port of discard, refused at once. */
  private static final Callable<String> SILENT =
      new HttpAzureMetadataJson(URI.create("http://127.0.0.1:9"), Duration.ofSeconds(2))::cloudName;

  private final VirtualTime time = new VirtualTime(0);
  private final List<String> notices = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();
  private int asked;
  private final StandardCloudCallsFactory calls =
      new StandardCloudCallsFactory(
          CloudCallsConfig.defaults(),
          time,
          time.effects(EffectModel.reliable(Duration.ofMillis(100), Duration.ZERO)),
          new Random(1),
          Meters.none(),
          LearnedRates.NONE,
          Fence.OPEN);

  private CloudDiscovery discovery(Optional<AzureCloud> configured, Callable<String> metadata) {
    return new CloudDiscovery(
        configured,
        () -> {
          asked++;
          return metadata.call();
        },
        calls.create(CloudDiscovery.policy()),
        time,
        (code, detail) -> notices.add(code.label() + " " + detail),
        new Cancellation());
  }

  /** Says the next of the answers; an empty one is a page of something else. */
  private String told() throws MetadataUnavailable {
    String answer = answers.remove(0);
    if (answer.isEmpty()) {
      throw MetadataUnavailable.unusable("the metadata service answered 404");
    }
    return answer;
  }

  private CallResult<AzureCloud> run(CloudDiscovery discovery) {
    CompletionStage<CallResult<AzureCloud>> stage = discovery.startup().begin();
    advance(Duration.ofMinutes(1));
    return stage.toCompletableFuture().join();
  }

  private void advance(Duration by) {
    time.runUntil(time.nanos() + by.toNanos());
  }

  private static Failure failure(CallResult<?> result) {
    return result.match(
        known -> {
          throw new AssertionError("found " + known);
        },
        failed -> failed);
  }

  private static AzureCloud cloud(String name) {
    return AzureCloud.ofName(name).orElseThrow();
  }

  @Test
  @DisplayName("AZ-N51 asks nobody when the cloud is configured, and needs no metadata service")
  void configured() {
    CloudDiscovery discovery = discovery(Optional.of(cloud("AzureChinaCloud")), SILENT);

    assertThat(discovery.startup().begin().toCompletableFuture()).isDone();
    assertThat(discovery.startup().known()).isEqualTo(cloud("AzureChinaCloud"));
    assertThat(asked).isZero();
    assertThat(notices).isEmpty();
  }

  @Test
  @DisplayName("takes the cloud of the machine, and asks once")
  void ofMachine() {
    answers.add("AzureUSGovernmentCloud");
    CloudDiscovery discovery = discovery(Optional.empty(), this::told);

    run(discovery);
    run(discovery);

    assertThat(discovery.startup().known()).isEqualTo(cloud("AzureUSGovernmentCloud"));
    assertThat(asked).isEqualTo(1);
  }

  @Test
  @DisplayName("assumes the public cloud where nothing answers, and says so to a person")
  void silent() {
    CloudDiscovery discovery = discovery(Optional.empty(), SILENT);

    run(discovery);

    assertThat(discovery.startup().known()).isEqualTo(cloud("AzurePublicCloud"));
    assertThat(notices)
        .singleElement()
        .asString()
        .startsWith("TM-4008 AzurePublicCloud is assumed");
  }

  @Test
  @DisplayName("AZ-N18 assumes nothing from a page of something else, and asks again next time")
  void unusable() {
    answers.addAll(List.of("", "AzurePublicCloud"));
    CloudDiscovery discovery = discovery(Optional.empty(), this::told);

    assertThat(failure(run(discovery)).kind()).isEqualTo(Failure.Kind.TRANSIENT);
    assertThat(discovery.startup().isDone()).isFalse();
    assertThatThrownBy(discovery.startup()::known).isInstanceOf(IllegalStateException.class);

    run(discovery);
    assertThat(discovery.startup().known()).isEqualTo(cloud("AzurePublicCloud"));
    assertThat(notices).isEmpty();
  }

  @Test
  @DisplayName("AZ-N19 refuses a cloud that is unknown, and names the setting")
  void unknown() {
    answers.add("AzureGermanCloud");

    assertThat(failure(run(discovery(Optional.empty(), this::told))))
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFIGURATION);
              assertThat(failure.detail()).contains("AzureGermanCloud").contains("azure-cloud");
            });
  }
}
