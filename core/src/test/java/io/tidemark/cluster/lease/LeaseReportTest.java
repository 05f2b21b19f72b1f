package io.tidemark.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.lease.LeaseWorld.Contender;
import io.tidemark.testing.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What the leader's lease reports (reliability.md, two leaders)")
class LeaseReportTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LeaseWorld world = new LeaseWorld();

  @Test
  @DisplayName("a lease that was given back has no holder until somebody has taken it")
  void holder() {
    Contender one = world.contender("one");
    Contender two = world.contender("two");
    world.run(SECOND);
    one.lease.release();
    List<Optional<String>> holders = new ArrayList<>();
    while (!two.leads() && world.time.step()) {
      Optional<String> holder = two.lease.holder();
      if (holders.isEmpty() || !holders.get(holders.size() - 1).equals(holder)) {
        holders.add(holder);
      }
    }
    assertThat(holders).containsExactly(Optional.of("one"), Optional.empty(), Optional.of("two"));
  }

  @Test
  @DisplayName("the time of winning is the server's, is there with the win, and stays")
  void wonAt() {
    Contender one = world.contender("one");
    List<Optional<Instant>> withTheWin = new ArrayList<>();
    one.lease.won().thenAccept(notes -> withTheWin.add(one.lease.wonAt()));
    one.process.clock().step(Duration.ofHours(1));
    assertThat(one.lease.wonAt()).isEmpty();
    world.run(SECOND);
    Optional<Instant> written = world.stored().writtenAt();
    assertThat(withTheWin).containsExactly(written);
    world.run(Duration.ofSeconds(10));
    assertThat(world.stored().writtenAt()).as("of the last renewal").isNotEqualTo(written);
    assertThat(one.lease.wonAt()).isPresent().isEqualTo(written);
  }

  @Test
  @DisplayName("a cause is logged once as long as it lasts, and again when it comes back")
  void loggedOnce() {
    try (LogLines log = new LogLines(LeaderLease.class)) {
      Contender one = world.contender("one");
      world.serverAway = true;
      world.run(Duration.ofSeconds(10));
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("lease get at https://api.example: the API server is away");
      world.outage = new IllegalStateException("forbidden");
      world.run(Duration.ofSeconds(10));
      assertThat(log.warnings()).hasSize(2).last().asString().contains("forbidden");
      world.serverAway = false;
      world.untilLeads(one);
      world.serverAway = true;
      world.run(Duration.ofSeconds(5));
      assertThat(log.warnings()).hasSize(3).last().asString().contains("forbidden");
    }
  }

  @DisplayName("a cause that the connection logs itself is no second warning")
  @ParameterizedTest(name = "the connection logs it {0}: {1} warnings")
  @CsvSource({"true, 0", "false, 1"})
  void loggedApart(boolean apart, int warnings) {
    try (LogLines log = new LogLines(LeaderLease.class)) {
      Contender one = world.contender("one");
      world.serverAway = true;
      world.outage = new LeaseFailure("no route", apart, new IOException("no route"));
      world.run(Duration.ofSeconds(10));
      assertThat(log.warnings()).hasSize(warnings);
      assertThat(one.lease.trouble()).as("reported all the same").isPresent();
    }
  }

  @Test
  @DisplayName("a leader whose renewal fails tries again sooner than one that waits")
  void retries() {
    Contender one = world.contender("one");
    world.serverAway = true;
    world.run(Duration.ofSeconds(6));
    assertThat(world.requests).as("by a standby, every two seconds").isEqualTo(3);
    world.serverAway = false;
    world.untilLeads(one);
    world.serverAway = true;
    int before = world.requests;
    world.run(Duration.ofSeconds(6));
    assertThat(world.requests - before).as("by the leader, every half second").isBetween(8, 9);
    assertThat(one.leads()).isTrue();
  }
}
