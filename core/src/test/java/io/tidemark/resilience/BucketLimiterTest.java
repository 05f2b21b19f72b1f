package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.micrometer.tagged.TaggedRateLimiterMetrics;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The bucket as a limiter of Resilience4j")
class BucketLimiterTest {
  private final VirtualTime time = new VirtualTime(0);
  private final BucketLimiter limiter =
      new BucketLimiter(
          "account/Assign", AdaptiveBucket.full(BucketRules.fixed(2, 4), 0), time, () -> 7);

  @Test
  @DisplayName("gives permission now or refuses it; it never waits")
  void permission() {
    assertThat(limiter.acquirePermission(3)).isTrue();
    assertThat(limiter.acquirePermission(2)).isFalse();
    assertThat(limiter.reservePermission()).isZero();
    assertThat(limiter.reservePermission()).isEqualTo(-1);
    time.runUntil(Duration.ofMillis(500).toNanos());
    assertThat(limiter.acquirePermission()).isTrue();
    time.runUntil(Duration.ofSeconds(10).toNanos());
    limiter.drainPermissions();
    assertThat(limiter.acquirePermission()).isFalse();
  }

  @Test
  @DisplayName("publishes the library's events")
  void events() {
    List<String> events = new ArrayList<>();
    limiter.getEventPublisher().onSuccess(e -> events.add("got " + e.getNumberOfPermits()));
    limiter.getEventPublisher().onFailure(e -> events.add("refused " + e.getNumberOfPermits()));
    limiter.acquirePermission(4);
    limiter.acquirePermission();
    assertThat(events).containsExactly("got 4", "refused 1");
  }

  @Test
  @DisplayName("is read by the library's Micrometer binder")
  void meters() {
    RateLimiterRegistry registry = RateLimiterRegistry.ofDefaults();
    registry.rateLimiter("account/Assign");
    registry.replace("account/Assign", limiter);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    TaggedRateLimiterMetrics.ofRateLimiterRegistry(registry).bindTo(meters);
    limiter.acquirePermission(3);
    assertThat(meters.get("resilience4j.ratelimiter.available.permissions").gauge().value())
        .isEqualTo(1);
    assertThat(meters.get("resilience4j.ratelimiter.waiting_threads").gauge().value()).isEqualTo(7);
  }

  @Test
  @DisplayName("says what it is and refuses to be changed into something else")
  void identity() {
    assertThat(limiter.getName()).isEqualTo("account/Assign");
    assertThat(limiter.getTags()).isEmpty();
    assertThat(limiter.getRateLimiterConfig().getLimitForPeriod()).isEqualTo(4);
    assertThat(limiter.getRateLimiterConfig().getLimitRefreshPeriod())
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(limiter.getRateLimiterConfig().getTimeoutDuration()).isZero();
    assertThatThrownBy(() -> limiter.changeLimitForPeriod(9)).hasMessageContaining("9");
    assertThatThrownBy(() -> limiter.changeTimeoutDuration(Duration.ofSeconds(3)))
        .hasMessageContaining("PT3S");
  }
}
