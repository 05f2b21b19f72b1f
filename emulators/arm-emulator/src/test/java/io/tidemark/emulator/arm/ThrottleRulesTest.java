package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.INSTANCE_0;
import static io.tidemark.emulator.arm.Cloud.NIC;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmReply;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("13.8 (e) Requests that come too often")
class ThrottleRulesTest {
  private final Cloud cloud = new Cloud(ModelOptions.builder(1).throttling(true).build());

  /** Sends until a refusal; returns how many were answered. */
  private int untilRefused(String path) {
    for (int i = 0; i < 2_000; i++) {
      if (cloud.get(path).status() == 429) {
        return i;
      }
    }
    throw new AssertionError("2,000 requests were answered");
  }

  @Test
  @DisplayName("Resource Manager gives 250 reads at once and 25 a second, by principal")
  void armReads() {
    assertThat(untilRefused(NIC)).isEqualTo(250);
    ArmReply refused = cloud.pass(Duration.ofSeconds(2)).get(NIC);
    assertThat(refused.status()).isEqualTo(200);
    assertThat(untilRefused(NIC)).isEqualTo(49);
    assertThat(refusal(cloud.get(NIC))).isEqualTo("429 SubscriptionRequestsThrottled");
    assertThat(cloud.as("p2").get(NIC).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("Resource Manager gives 200 writes at once and 10 a second, apart from the reads")
  void armWrites() {
    Document nic = nic();
    int answered = 0;
    while (put(NIC, nic).status() == 200) {
      answered++;
    }
    assertThat(answered).isEqualTo(200);
    assertThat(cloud.get(NIC).status()).isEqualTo(200);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"GET,36", "PUT,12"})
  @DisplayName(
      "the compute provider counts each instance by itself, with its own name of the error")
  void perMachine(String method, int atOnce) {
    Document body = instance();
    cloud.pass(Duration.ofMinutes(10));
    int answered = 0;
    ArmReply reply = ask(method, INSTANCE_0, body);
    while (reply.status() == 200) {
      answered++;
      reply = ask(method, INSTANCE_0, body);
    }
    assertThat(answered).isEqualTo(atOnce);
    assertThat(refusal(reply)).isEqualTo("429 OperationNotAllowed TooManyRequests");
    assertThat(ask(method, Cloud.SET + "/virtualMachines/1", body).status()).isEqualTo(200);
  }

  private Document nic() {
    return Cloud.answered(cloud.get(NIC), 200);
  }

  private Document instance() {
    return Cloud.instanceBody(Cloud.answered(cloud.get(INSTANCE_0), 200));
  }

  private ArmReply put(String path, Document body) {
    return cloud.request("PUT", path, List.of(DocumentJson.print(body)));
  }

  private ArmReply ask(String method, String path, Document body) {
    return method.equals("GET") ? cloud.get(path) : put(path, body);
  }

  private static int retryAfter(ArmReply refused) {
    assertThat(refused.status()).isEqualTo(429);
    return Integer.parseInt(refused.headers().getOrDefault("Retry-After", "0"));
  }

  @Test
  @DisplayName("a refusal names the seconds until a token, however often one is refused before")
  void earlyRepeats() {
    Document body = instance();
    while (ask("PUT", INSTANCE_0, body).status() == 200) {}
    for (int second = 0; second < 15; second++) {
      for (int i = 0; i < 13; i++) {
        assertThat(retryAfter(ask("PUT", INSTANCE_0, body))).isEqualTo(15 - second);
      }
      cloud.pass(Duration.ofSeconds(1));
    }
    assertThat(ask("PUT", INSTANCE_0, body).status()).isEqualTo(200);
    assertThat(retryAfter(ask("PUT", INSTANCE_0, body))).isEqualTo(15);
  }

  @Test
  @DisplayName(
      "Resource Manager refuses for a second at most, and refuses who comes before its end")
  void manyRepeats() {
    untilRefused(NIC);
    for (int i = 0; i < 300; i++) {
      assertThat(retryAfter(cloud.get(NIC))).isEqualTo(1);
    }
    assertThat(cloud.pass(Duration.ofMillis(999)).get(NIC).status()).isEqualTo(429);
    assertThat(cloud.pass(Duration.ofMillis(1)).get(NIC).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("the network provider gives 1,000 writes in windows of five minutes")
  void networkWindow() {
    Document nic = nic();
    int answered = 0;
    for (int second = 0; second < 200; second++) {
      for (int i = 0; i < 10; i++) {
        ArmReply reply = put(NIC, nic);
        if (reply.status() == 200) {
          answered++;
        } else {
          assertThat(refusal(reply)).isEqualTo("429 TooManyRequests");
          assertThat(Integer.parseInt(reply.headers().getOrDefault("Retry-After", "0")))
              .isEqualTo(300 - second);
        }
      }
      cloud.pass(Duration.ofSeconds(1));
    }
    assertThat(answered).isEqualTo(1_000);
    cloud.pass(Duration.ofSeconds(100));
    assertThat(put(NIC, nic).status()).isEqualTo(200);
  }

  @Test
  @DisplayName(
      "responses tell what is left, by Resource Manager and by the compute provider's policy")
  void headers() {
    ArmReply read = cloud.get(INSTANCE_0);
    assertThat(read.headers())
        .containsEntry("x-ms-ratelimit-remaining-subscription-global-reads", "249")
        .containsEntry(
            "x-ms-ratelimit-remaining-resource",
            "Microsoft.Compute/GetVMScaleSetVMResource;35,"
                + "Microsoft.Compute/GetVMScaleSetVMSubscription;5999")
        .containsEntry("x-ms-request-charge", "1");
  }

  @Test
  @DisplayName("refusals tell it as well, whoever refuses")
  void headersOfRefusals() {
    untilRefused(INSTANCE_0);
    assertThat(cloud.get(INSTANCE_0).headers())
        .containsKey("x-ms-ratelimit-remaining-subscription-global-reads")
        .containsEntry(
            "x-ms-ratelimit-remaining-resource",
            "Microsoft.Compute/GetVMScaleSetVMResource;0,"
                + "Microsoft.Compute/GetVMScaleSetVMSubscription;5964");
    assertThat(cloud.get(NIC + "-none").headers())
        .containsKey("x-ms-ratelimit-remaining-subscription-global-reads");
    untilRefused(NIC);
    assertThat(cloud.get(NIC).headers())
        .containsEntry("x-ms-ratelimit-remaining-subscription-global-reads", "0");
  }

  @Test
  @DisplayName("polls of an operation count as reads and by machine")
  void polls() {
    ArmReply accepted = cloud.write(false, List.of("+1"));
    String url = accepted.headers().getOrDefault("Azure-AsyncOperation", "");
    int answered = 0;
    while (cloud.get(url).status() == 200) {
      answered++;
    }
    assertThat(answered).isEqualTo(45);
  }

  @Test
  @DisplayName("polls of the network provider's operations are reads of that provider")
  void networkPolls() {
    String url =
        cloud.write(true, List.of("+1")).headers().getOrDefault("Azure-AsyncOperation", "");
    for (int i = 0; i < 100; i++) {
      ArmReply reply = cloud.get(url);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.headers()).doesNotContainKey("x-ms-ratelimit-remaining-resource");
    }
  }

  /** Sends as many as Resource Manager gives each principal; returns how many were answered. */
  private int byMany(int principals, IntFunction<ArmReply> request, String refusal) {
    int answered = 0;
    for (int i = 0; i < principals; i++) {
      cloud.as("many-" + i);
      for (int j = 0; j < 200; j++) {
        ArmReply reply = request.apply(answered);
        if (reply.status() == 429) {
          assertThat(refusal(reply)).isEqualTo(refusal);
          return answered;
        }
        answered++;
      }
    }
    throw new AssertionError(answered + " requests were answered");
  }

  @Test
  @DisplayName("the network provider gives 10,000 reads in five minutes, whoever asks")
  void networkReads() {
    assertThat(byMany(60, i -> cloud.get(NIC), "429 TooManyRequests")).isEqualTo(10_000);
  }

  @Test
  @DisplayName("the compute provider counts all machines of a subscription, and lists of sets")
  void perSubscription() {
    for (int i = 2; i < 130; i++) {
      cloud.owner().addInstance(Cloud.SET, i);
    }
    Document body = instance();
    String tooMany = "429 OperationNotAllowed TooManyRequests";
    assertThat(
            byMany(10, i -> ask("PUT", Cloud.SET + "/virtualMachines/" + i % 130, body), tooMany))
        .isEqualTo(1_500);
    String sets = Cloud.GROUP + "/providers/Microsoft.Compute/virtualMachineScaleSets";
    assertThat(byMany(20, i -> cloud.get(sets), tooMany)).isEqualTo(1_080);
    assertThat(cloud.get(sets).headers())
        .containsEntry(
            "x-ms-ratelimit-remaining-resource",
            "Microsoft.Compute/HighCostGetVMScaleSetSubscription;0");
  }
}
