package io.tidemark.operator.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.node.NodeReport;
import io.tidemark.node.NodeState;
import io.tidemark.resilience.CallCounts;
import io.tidemark.simulation.OperatorSnapshot;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The recorded states of a simulated run")
class RecordingTest {
  private final Recording recording = new Recording("growth, seed 7");

  private static OperatorSnapshot state(long second, int nodes) {
    List<NodeReport> reports =
        IntStream.range(0, nodes)
            .mapToObj(
                i ->
                    new NodeReport(
                        "n%05d".formatted(i),
                        8,
                        0,
                        0,
                        0,
                        0,
                        1,
                        9,
                        OptionalInt.empty(),
                        "",
                        false,
                        NodeState.OK,
                        Optional.empty(),
                        true))
            .toList();
    return new OperatorSnapshot(
        Duration.ofSeconds(second),
        reports,
        Map.of(new PoolId("subnet-a"), new PoolQuota("zone-a", (int) second, 0)),
        List.of(),
        new CallCounts(new TreeMap<>(), new TreeMap<>()));
  }

  private HttpResponse answer(String query) {
    return answer(recording, query);
  }

  private static HttpResponse answer(Recording recording, String query) {
    return recording.respond(
        new HttpRequest("GET", "/events", query, Map.of(), InetAddress.getLoopbackAddress(), ""));
  }

  private String text(String query) {
    return text(recording, query);
  }

  private static String text(Recording recording, String query) {
    HttpResponse answer = answer(recording, query);
    assertThat(answer.status()).isEqualTo(200);
    StringBuilder text = new StringBuilder();
    HttpResponse.Feed feed = (HttpResponse.Feed) answer.body();
    for (Optional<String> piece = feed.next(); piece.isPresent(); piece = feed.next()) {
      text.append(piece.get());
    }
    return text.toString();
  }

  @Test
  @DisplayName("are shown one by one, without a number the last one, with the times of all")
  void shown() {
    for (int i = 0; i < 3; i++) {
      recording.add(state(10L * i, 2));
    }
    assertThat(text("at=1"))
        .startsWith("event: snapshot\n")
        .contains("\"recording\":{\"millis\":[0,10000,20000],\"shown\":1}")
        .contains("\"cluster\":\"growth, seed 7\"")
        .contains("\"id\":\"subnet-a\",\"zone\":\"zone-a\",\"free\":10")
        .contains("\"name\":\"n00000\"", "\"name\":\"n00001\"");
    assertThat(text("")).contains("\"shown\":2}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"at=3", "at=-1", "at=", "at=1x", "at=9999999", "to=1"})
  @DisplayName("are refused with 404 where there is none")
  void refused(String query) {
    recording.add(state(0, 1));
    assertThat(answer(query).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("are thinned out when there are too many, and span the whole run")
  void bounded() {
    for (int i = 0; i < 5000; i++) {
      recording.add(state(i, 1));
    }
    assertThat(answer("at=" + (Recording.STATES_MOST / 2 - 1)).status()).isEqualTo(200);
    assertThat(answer("at=" + Recording.STATES_MOST).status()).isEqualTo(404);
    assertThat(text("at=0")).contains("\"millis\":[0,32000,64000,");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 16, 17, 18, 33, 1000})
  @DisplayName("have the first and the last one of the run, however many there were")
  void last(int count) {
    Recording bounded = new Recording("", 15);
    for (int i = 0; i < count; i++) {
      bounded.add(state(i, 1));
    }
    assertThat(text(bounded, ""))
        .contains("\"millis\":[0")
        .containsPattern("[\\[,]" + (count == 1 ? "0" : (count - 1) + "000") + "],\"shown\"");
    assertThat(answer(bounded, "at=15").status()).isEqualTo(404);
  }

  @Test
  @DisplayName("are fewer for many nodes, whose unchanged reports are kept once")
  void manyNodes() {
    Recording bounded = new Recording("", 15 * 10);
    for (int i = 0; i < 20; i++) {
      bounded.add(state(i, 10));
    }
    assertThat(answer(bounded, "at=15").status()).isEqualTo(404);
    assertThat(answer(bounded, "at=9").status()).isEqualTo(200);
  }
}
