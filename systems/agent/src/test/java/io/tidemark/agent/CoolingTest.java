package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The pause of a released address")
class CoolingTest {
  private static final Duration PAUSE = Duration.ofSeconds(130);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A76 A released address is not handed out for 130 seconds while another is free \
            | cools 130s 0s 0/30; next a = 1; release 1; counts = 1/0/1/0/0; dump = 1:cooling; \
              next b = 2; release 2; 129s; counts = 0/0/2/0/0; 1s; counts = 2/0/0/0/0
          A76 A request for the very address is served during the pause, and ends it \
            | cools 130s 0s 0/30; take 1 a; release 1; take 1 b; 130s; counts = 1/1/0/0/0; \
              why 1 = ALREADY_ALLOCATED: 10.0.0.1 is in use by b
          A77 When no other is free, the address released longest ago is handed out early \
            | cools 130s 0s 0/29; next a a a a a a = 1 2 3 4 5 6; release 4; 1s; release 2; \
              next b c d = 4 2 EXHAUSTED
          A77 An address younger than the floor is not handed out, even when no other is free \
            | cools 130s 30s 1/32; take 1 a; release 1; 29s; \
              whyNext = EXHAUSTED, retryable: no IPv4 address of pool default is free: 0 in use, \
              1 cooling; 1s; next b = 1
          Each allocation says how long ago its address was released \
            | cools 130s 0s 1/32; next first = 1; release 1; 1s; next early = 1; release 1; 2s; \
              take 1 specific; release 1; 130s; counts = 1/0/0/0/0; 1s; next late = 1; \
              release 1; 130s; exclude 1 reserved; include 1; next last = 1; reuses = 4 in 264s
          When an address was released stays known when its pool changes \
            | range 0/29; take 5 first; release 5; 1s; change 4/30; take 5 second; take 6 third; \
              reuses = 1 in 1s
          A reservation takes an address out of its pause, and gives back what is left of it \
            | cools 130s 0s 0/29; take 1 a; take 2 b; release 1; 1s; release 2; \
              exclude 0/29 router; counts = 0/0/0/6/0; 129s; include 0/29; counts = 5/0/1/0/0; \
              dump = 2:cooling
          A76 The rest of a pause that began before a restart is kept, the oldest first \
            | cools 130s 0s 0/29; take 6 a; cool 1 10s; cool 2 100s; cool 3 130s; cool 6 0s; \
              cool 192.168.0.1 0s; counts = 3/1/2/0/0; 30s; counts = 4/1/1/0/0; \
              next b b b b b = 2 3 4 5 1
          A77 An address counts as usable once it is older than the floor \
            | cools 130s 30s 1/32 fd00::/120; unable = no; take 1 a; \
              unable = EXHAUSTED: no IPv4 address of pool default is free: 1 in use, 0 cooling; \
              release 1; 29s; \
              unable = EXHAUSTED: no IPv4 address of pool default is free: 0 in use, 1 cooling; \
              1s; unable = no
          A76 What has paused long enough is free as any other, in the order of addresses \
            | cools 10s 0s 0/29; take 1 p; take 2 p; take 3 p; take 4 p; take 5 p; take 6 p; \
              release 3; release 1; 10s; next a b = 1 3
          A77 The floor counts from the release, whenever that was \
            | cools 60s 5s 1/32; take 1 a; 20s; release 1; 4s; next b = EXHAUSTED; 1s; \
              next b = 1
          """)
  void story(String name, String story) {
    IpamStory.run(story);
  }

  @Test
  @DisplayName("A77 A request that began before the release is served early as well")
  void overtaken() {
    Shard shard = new Shard(TestNode.DEFAULT, TestNode.range("10.0.0.1/32"), CoolingRule.DEFAULT);
    AllocationResult held = TestNode.granted(shard.allocateNext("a", 10));
    assertThat(shard.release(held.ip(), 20)).isNull();
    assertThat(TestNode.granted(shard.allocateNext("b", 19)).ip()).isEqualTo(held.ip());
  }

  @Test
  @DisplayName("A floor is neither negative nor above the pause")
  void rule() {
    assertThatThrownBy(() -> new CoolingRule(SECOND, Duration.ofSeconds(-1)))
        .hasMessage("ip-cooldown-floor is PT-1S; expected 0 or more");
    assertThatThrownBy(() -> new CoolingRule(SECOND, PAUSE))
        .hasMessage("ip-cooldown-floor is PT2M10S; expected at most ip-cooldown, which is PT1S");
  }
}
