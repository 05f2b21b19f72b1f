package io.tidemark.daemon.ipamd.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.cloud.CloudAnswer;
import io.tidemark.datastore.cloud.CloudEni;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What the host is set up by, and what EC2's refusals mean")
class HookHostNetworkTest {
  private static final Duration RUN = Duration.ofMillis(10);

  private static final CloudEni ENI =
      new CloudEni(
          new StoreEniSpec("eni-2", 1, false, false, false, 2, "subnet-1"),
          0,
          "02:00:00:00:00:02",
          true,
          List.of());

  private final VirtualTime time = new VirtualTime(1_767_225_600_000L);

  /** The variables of the program, run by run, and its exit codes. */
  private final List<Map<String, String>> runs = new ArrayList<>();

  private int code;
  private boolean hangs;
  private Optional<Cidr> subnet = Optional.of(Cidr.parse("10.0.16.0/20"));

  private final HookHostNetwork host =
      new HookHostNetwork(
          told -> {
            runs.add(told);
            return code;
          },
          time.effects(
              (site, timeout) ->
                  hangs ? EffectFate.answerLost(RUN) : EffectFate.answered(RUN, RUN)),
          time,
          new Random(3),
          id -> CompletableFuture.completedStage(subnet));

  private void pass(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  private static boolean ended(CompletionStage<Boolean> stage) {
    return stage.toCompletableFuture().getNow(false);
  }

  @Test
  @DisplayName("AM21 The program gets all facts of the interface, and runs once if it ends with 0")
  void told() {
    CompletionStage<Boolean> came = host.came(ENI);
    pass(RUN.multipliedBy(3));
    assertThat(ended(came)).isTrue();
    assertThat(ended(host.came(ENI))).isTrue();
    pass(Duration.ofHours(1));
    assertThat(runs)
        .containsExactly(
            Map.of(
                "TIDEMARK_EVENT", "attached",
                "TIDEMARK_INTERFACE", "eni-2",
                "TIDEMARK_MAC", "02:00:00:00:00:02",
                "TIDEMARK_CARD", "0",
                "TIDEMARK_DEVICE", "1",
                "TIDEMARK_TABLE", "2",
                "TIDEMARK_SUBNET", "subnet-1",
                "TIDEMARK_SUBNET_CIDR", "10.0.16.0/20",
                "TIDEMARK_GATEWAY", "10.0.16.1"));
  }

  @Test
  @DisplayName(
      "A program that fails is run again until it ends with 0, in pauses of a minute at most")
  void fails() {
    code = 1;
    CompletionStage<Boolean> came = host.came(ENI);
    pass(RUN.multipliedBy(3));
    assertThat(came.toCompletableFuture()).isCompletedWithValue(false);
    pass(Duration.ofMinutes(10));
    assertThat(runs.size()).isBetween(11, 30);
    int[] told = {0};
    host.whenReady(() -> told[0]++);
    code = 0;
    pass(Duration.ofSeconds(61));
    assertThat(ended(host.came(ENI))).isTrue();
    assertThat(told[0]).as("whoever was told that it failed hears that it is ready").isOne();
    int all = runs.size();
    pass(Duration.ofMinutes(10));
    assertThat(runs).hasSize(all);
  }

  @Test
  @DisplayName("A program that does not end is given up after 30 seconds and run again")
  void hangs() {
    hangs = true;
    CompletionStage<Boolean> came = host.came(ENI);
    pass(HookHostNetwork.TIMEOUT.minusSeconds(1));
    assertThat(came.toCompletableFuture()).isNotDone();
    pass(Duration.ofSeconds(2));
    assertThat(came.toCompletableFuture()).isCompletedWithValue(false);
    hangs = false;
    pass(Duration.ofSeconds(5));
    assertThat(ended(host.came(ENI))).isTrue();
  }

  @Test
  @DisplayName(
      "The removal of an interface is reported once, also if it happens while the program runs")
  void went() {
    host.came(ENI);
    host.went(ENI);
    pass(Duration.ofMinutes(1));
    assertThat(runs)
        .extracting(each -> each.get("TIDEMARK_EVENT"))
        .containsExactly("attached", "detached");
    host.went(ENI);
    pass(Duration.ofMinutes(1));
    assertThat(runs).hasSize(2);
    subnet = Optional.empty();
    CompletionStage<Boolean> again = host.came(ENI);
    pass(Duration.ofSeconds(1));
    assertThat(ended(again)).isTrue();
    assertThat(runs.get(2)).containsEntry("TIDEMARK_GATEWAY", "");
  }

  @Test
  @DisplayName("One that comes again before the host heard that it went is set up again, and told")
  void cameAgain() {
    int[] told = {0};
    host.whenReady(() -> told[0]++);
    host.came(ENI);
    pass(RUN.multipliedBy(3));
    assertThat(told[0]).as("the caller was told itself").isZero();
    code = 1;
    host.went(ENI);
    pass(Duration.ofMinutes(1));
    assertThat(ended(host.came(ENI))).as("the host may be set up for it, or not").isFalse();
    code = 0;
    runs.clear();
    pass(Duration.ofMinutes(2));
    assertThat(runs).extracting(each -> each.get("TIDEMARK_EVENT")).containsExactly("attached");
    assertThat(ended(host.came(ENI))).isTrue();
    assertThat(told[0]).isOne();
  }

  @Test
  @DisplayName(
      "A repetition that is due later does not undo what was done for its return meanwhile")
  void repetitionOfEarlier() {
    int[] told = {0};
    host.whenReady(() -> told[0]++);
    code = 1;
    host.came(ENI);
    pass(RUN.multipliedBy(3));
    code = 0;
    host.went(ENI);
    pass(RUN.multipliedBy(3));
    host.came(ENI);
    pass(Duration.ofMinutes(2));
    assertThat(runs)
        .extracting(each -> each.get("TIDEMARK_EVENT"))
        .containsExactly("attached", "detached", "attached");
    assertThat(told[0]).as("nobody waits for one that went").isZero();
  }

  @Test
  @DisplayName("Nothing is run for an interface that went and had never come")
  void neverCame() {
    host.went(ENI);
    pass(Duration.ofMinutes(1));
    assertThat(runs).isEmpty();
  }

  @Test
  @DisplayName("While the program runs for an interface it is not run for it once more")
  void oneAtATime() {
    hangs = true;
    CompletionStage<Boolean> came = host.came(ENI);
    CompletionStage<Boolean> again = host.came(ENI);
    pass(HookHostNetwork.TIMEOUT.minusSeconds(1));
    assertThat(runs).hasSize(1);
    assertThat(came.toCompletableFuture()).isNotDone();
    assertThat(again.toCompletableFuture()).isNotDone();
  }

  @DisplayName("What a failed request means to the pool")
  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "CAPACITY, subnetExhausted, SUBNET_FULL",
    "CAPACITY, prefixExhausted, SUBNET_FULL",
    "CAPACITY, interfaceFull, LIMIT_REACHED",
    "CAPACITY, instanceFull, LIMIT_REACHED",
    "CAPACITY, quotaExceeded, OTHER",
    "NOT_FOUND, interfaceGone, NOT_FOUND",
    "CONFLICT, alreadyReleased, NOT_FOUND",
    "CONFIGURATION, unauthorized, OTHER",
    "THROTTLED, requestLimit, UNAVAILABLE",
    "TRANSIENT, connection, UNAVAILABLE",
    "CANCELLED, deadline, UNAVAILABLE",
    "LOST, answerLost, ",
  })
  void reasons(Failure.Kind kind, String condition, CloudAnswer.Reason reason) {
    CloudAnswer<String> answer =
        Ec2Interfaces.answer(new CallResult.Failed<>(Failure.of(kind, condition, "said")));
    if (reason == null) {
      assertThat(answer).isInstanceOf(CloudAnswer.Unknown.class);
    } else {
      assertThat(((CloudAnswer.Refused<String>) answer).reason()).isEqualTo(reason);
      assertThat(((CloudAnswer.Refused<String>) answer).text()).contains("said");
    }
  }
}
