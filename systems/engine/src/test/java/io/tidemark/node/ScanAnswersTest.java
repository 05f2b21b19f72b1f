package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a full scan answers, how old the inventory is, and when the next one comes")
class ScanAnswersTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final BareEnvironment bare = new BareEnvironment();
  private final NodeEnvironment environment = bare.of(EngineConfig.defaults());
  private final List<Long> scanned = new ArrayList<>();
  private final BackgroundScan scan = new BackgroundScan(environment, scanned::add);

  private CompletableFuture<Boolean> scanNow() {
    CompletableFuture<Boolean> worked = scan.scan().toCompletableFuture();
    bare.pass(Duration.ofMillis(1));
    return worked;
  }

  /** For tests that look at what follows, not at the answer. */
  private void begin() {
    scanNow();
  }

  private long scans() {
    return bare.metrics.all(Metric.BACKGROUND_SYNC_DURATION).values().stream()
        .mapToLong(Double::longValue)
        .sum();
  }

  @Test
  @DisplayName("whether it worked")
  void worked() {
    assertThat(scanNow()).isCompletedWithValue(true);
    assertThat(scanned).hasSize(1);
    assertThat(environment.readiness().isReady()).isTrue();
    bare.provider.failResync(Failure.Kind.TRANSIENT, "down", "no answer");
    assertThat(scanNow()).isCompletedWithValue(false);
    assertThat(scanned).hasSize(1);
    assertThat(environment.readiness().blocked().orElseThrow().detail()).contains("no answer");
    assertThat(bare.metrics.all(Metric.BACKGROUND_SYNC_DURATION))
        .isEqualTo(Map.of("success", 1.0, "failed", 1.0));
  }

  @Test
  @DisplayName("false when another one is under way, which is then followed by one more")
  void underWay() {
    CompletableFuture<SyncOutcome> answer = new CompletableFuture<>();
    bare.provider.resyncs.add(() -> answer);
    CompletableFuture<Boolean> first = scanNow();
    assertThat(scanNow()).isCompletedWithValue(false);
    assertThat(first).isNotDone();
    answer.complete(new SyncOutcome.Synced(1));
    bare.pass(Duration.ofMillis(1));
    assertThat(first).isCompletedWithValue(true);
    assertThat(scans()).isEqualTo(2);
    bare.pass(Duration.ofSeconds(30));
    assertThat(scans()).as("one more, not many").isEqualTo(2);
  }

  @Test
  @DisplayName("the inventory is as old as the last scan that worked, counted from its begin")
  void age() {
    bare.pass(MINUTE);
    assertThat(scan.cacheAge()).as("never read").isZero();
    CompletableFuture<SyncOutcome> answer = new CompletableFuture<>();
    bare.provider.resyncs.add(() -> answer);
    begin();
    bare.pass(Duration.ofSeconds(5));
    answer.complete(new SyncOutcome.Synced(1));
    assertThat(scan.cacheAge()).isEqualTo(Duration.ofMillis(5001));
    bare.provider.failResync(Failure.Kind.TRANSIENT, "down", "no answer");
    begin();
    assertThat(scan.cacheAge()).isEqualTo(Duration.ofMillis(5002));
  }

  @Test
  @DisplayName("ended, it scans no more, whatever is still on its way")
  void closed() {
    begin();
    scan.close();
    bare.pass(Duration.ofHours(1));
    assertThat(scans()).isEqualTo(1);
    assertThat(scanNow()).isCompletedWithValue(false);
    assertThat(scans()).isEqualTo(1);

    BackgroundScan other = new BackgroundScan(environment, scanned::add);
    CompletableFuture<SyncOutcome> answer = new CompletableFuture<>();
    bare.provider.resyncs.add(() -> answer);
    CompletableFuture<Boolean> late = other.scan().toCompletableFuture();
    other.close();
    answer.complete(new SyncOutcome.Synced(1));
    bare.pass(Duration.ofHours(1));
    assertThat(late).isCompletedWithValue(false);
    assertThat(scans()).isEqualTo(1);
  }

  @DisplayName("after failures the next one comes a second later each, a minute at most")
  @ParameterizedTest(name = "{0} failures: {1} s")
  @CsvSource({"1, 1", "2, 2", "60, 60", "61, 60", "90, 60"})
  void linear(int failures, int seconds) {
    for (int i = 0; i < failures + 1; i++) {
      bare.provider.failResync(Failure.Kind.TRANSIENT, "down", "no answer");
    }
    scan.scan();
    for (int i = 1; i < failures; i++) {
      bare.pass(Duration.ofSeconds(Math.min(60, i)));
    }
    assertThat(scans()).isEqualTo(failures);
    bare.pass(Duration.ofSeconds(seconds).minusNanos(1));
    assertThat(scans()).isEqualTo(failures);
    bare.pass(Duration.ofNanos(1));
    assertThat(scans()).isEqualTo(failures + 1);
  }

  @DisplayName("after one that worked it comes an interval later, a tenth more or less")
  @ParameterizedTest(name = "drawn {0}: {1} s")
  @CsvSource({"0.0, 54", "0.5, 60"})
  void jitter(double draw, int seconds) {
    bare.draw = draw;
    begin();
    bare.pass(Duration.ofSeconds(seconds).minusMillis(2));
    assertThat(scans()).isEqualTo(1);
    bare.pass(Duration.ofMillis(2));
    assertThat(scans()).isEqualTo(2);
  }

  @Test
  @DisplayName("D-17 an account that throttles is scanned up to four times more rarely, and stays")
  void throttled() {
    bare.draw = 0.5;
    begin();
    for (int stretch : new int[] {2, 3, 4, 4}) {
      bare.provider.failResync(Failure.Kind.THROTTLED, "requestLimit", "slow down");
      CompletableFuture<Boolean> throttled = scanNow();
      assertThat(throttled).isCompletedWithValue(false);
      assertThat(environment.readiness().isReady()).isTrue();
      long before = scans();
      bare.provider.failResync(Failure.Kind.THROTTLED, "requestLimit", "slow down");
      bare.pass(MINUTE.multipliedBy(stretch).minusMillis(2));
      assertThat(scans()).as("%s times", stretch).isEqualTo(before);
      bare.provider.resyncs.clear();
    }
    long before = scans();
    bare.pass(Duration.ofMillis(2));
    assertThat(scans()).isEqualTo(before + 1);
  }
}
