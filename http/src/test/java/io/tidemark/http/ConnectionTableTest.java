package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The table of connections")
class ConnectionTableTest {
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration REQUEST = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Peer A = peer("192.0.2.1");
  private static final Peer B = peer("192.0.2.2");

  private final Map<String, Long> bytes = new HashMap<>();
  private final ConnectionTable<String> table =
      new ConnectionTable<>(
          new HttpLimits(4, 3, 100, 100, IDLE, REQUEST, ANSWER, Duration.ZERO),
          connection -> bytes.getOrDefault(connection, 0L));

  private static Peer peer(String address) {
    try {
      return Peer.of(InetAddress.getByName(address));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static long at(double seconds) {
    return (long) (seconds * 1e9);
  }

  private void open(String connection, Peer peer, double second) {
    assertThat(table.opened(connection, peer, at(second))).isEmpty();
  }

  @Test
  @DisplayName("gives a new connection the place of the peer's longest that waits for its client")
  void peerEvicts() {
    open("b", B, 0);
    open("1", A, 1);
    open("2", A, 2);
    open("3", A, 3);
    table.handling("1", at(4));
    assertThat(table.opened("4", A, at(5))).contains("2");
    assertThat(table.opened("5", A, at(6))).contains("3");
  }

  @Test
  @DisplayName("gives it the place of the longest of all when the sum is reached")
  void allEvict() {
    open("b", B, 0);
    open("1", A, 1);
    open("2", A, 2);
    open("3", A, 3);
    assertThat(table.opened("c", B, at(4))).contains("b");
    assertThat(table.opened("d", B, at(5))).contains("1");
    assertThat(table.size()).isEqualTo(4);
  }

  @Test
  @DisplayName("closes a slow reader rather than a client that has just connected")
  void youngRequest() {
    open("reader", A, 0);
    table.handling("reader", at(0));
    table.answering("reader");
    open("probe", A, 2);
    open("other", A, 3);
    assertThat(table.opened("4", A, at(4))).contains("reader");
  }

  @Test
  @DisplayName("closes a slow reader before it refuses, whatever the server still has to answer")
  void slowReaders() {
    open("reader", A, 0);
    open("request", A, 1);
    open("handler", A, 2);
    table.handling("reader", at(3));
    table.answering("reader");
    table.handling("handler", at(3));
    assertThat(table.opened("4", A, at(4))).contains("request");
    table.handling("4", at(5));
    assertThat(table.opened("5", A, at(6))).contains("reader");
    table.handling("5", at(6));
    assertThat(table.returned("5")).isEmpty();
    assertThat(table.opened("6", A, at(7))).as("all wait for the server").contains("6");
    open("7", B, 8);
  }

  @Test
  @DisplayName("gives a peer its places back when connections close")
  void closed() {
    open("1", A, 0);
    open("2", A, 0);
    open("3", A, 0);
    table.closed("2");
    table.closed("2");
    open("4", A, 1);
    assertThat(table.opened("5", A, at(2))).contains("1");
  }

  @Test
  @DisplayName("ends a request that is not complete in time, whatever bytes came")
  void requestTime() {
    open("1", A, 0);
    bytes.put("1", 5L);
    assertThat(table.overdue(at(10))).isEmpty();
    bytes.put("1", 6L);
    assertThat(table.overdue(at(10.1))).containsExactly("1");
    assertThat(table.size()).isZero();
  }

  @Test
  @DisplayName("lets a connection idle longer than a request may take, from its first byte on")
  void idleTime() {
    open("1", A, 0);
    open("2", A, 0);
    for (String connection : List.of("1", "2")) {
      bytes.put(connection, 100L);
      table.handling(connection, at(1));
      table.answering(connection);
      assertThat(table.answered(connection, at(2))).isEmpty();
    }
    assertThat(table.overdue(at(31))).isEmpty();
    bytes.put("2", 101L);
    assertThat(table.overdue(at(32.1))).containsExactly("1");
    assertThat(table.overdue(at(42))).isEmpty();
    assertThat(table.overdue(at(42.2))).containsExactly("2");
  }

  @Test
  @DisplayName("bounds handler, promise and reader together, from the end of the request on")
  void answerTime() {
    open("1", A, 0);
    table.handling("1", at(5));
    assertThat(table.returned("1")).isEmpty();
    assertThat(table.overdue(at(64))).isEmpty();
    table.answering("1");
    assertThat(table.overdue(at(65))).isEmpty();
    assertThat(table.overdue(at(65.1))).containsExactly("1");
  }

  @Test
  @DisplayName("bounds each piece of a feed, from its own beginning, and drains one that waits")
  void pieces() {
    open("1", A, 0);
    table.handling("1", at(1));
    table.awaitingPiece("1", at(50));
    assertThat(table.overdue(at(109))).isEmpty();
    table.sendingPiece("1", at(109));
    assertThat(table.overdue(at(168))).isEmpty();
    assertThat(table.overdue(at(170))).containsExactly("1");
    open("2", A, 180);
    table.handling("2", at(181));
    table.sendingPiece("2", at(182));
    assertThat(table.drain()).isEmpty();
    assertThat(table.awaitingPiece("2", at(183))).contains("2");
    assertThat(table.drained()).isCompleted();
  }

  @Test
  @DisplayName("drains: closes what waits, refuses what comes, and waits for what is answered")
  void drain() {
    open("waits", A, 0);
    open("promised", A, 0);
    open("handled", B, 0);
    open("promises late", B, 0);
    table.handling("promised", at(1));
    assertThat(table.returned("promised")).isEmpty();
    table.handling("handled", at(1));
    table.handling("promises late", at(1));
    assertThat(table.drain()).containsExactlyInAnyOrder("waits", "promised");
    assertThat(table.opened("late", A, at(2))).contains("late");
    assertThat(table.returned("promises late")).contains("promises late");
    assertThat(table.drained()).isNotDone();
    table.answering("handled");
    assertThat(table.returned("handled")).isEmpty();
    assertThat(table.drained()).isNotDone();
    assertThat(table.answered("handled", at(3))).contains("handled");
    assertThat(table.drained()).isDone();
  }

  @Test
  @DisplayName("counts the addresses of one IPv6 /64 as one peer, and IPv4 addresses each")
  void peers() {
    assertThat(peer("2001:db8::1")).isEqualTo(peer("2001:db8::ffff:1"));
    assertThat(peer("2001:db8:0:1::1")).isNotEqualTo(peer("2001:db8::1"));
    assertThat(A).isNotEqualTo(B);
  }
}
