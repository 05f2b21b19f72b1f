package io.tidemark.operator.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The events of the page")
class PageStreamsTest {
  private final VirtualTime time = new VirtualTime(0);
  private final FakeSource source = new FakeSource().with(3);
  private final PageStreams feed = new PageStreams(source, "e1");

  /** A client that takes each piece at once, or not. */
  private static final class Client {
    private final SseStream stream;
    private CompletableFuture<?> ready;
    private final StringBuilder all = new StringBuilder();
    private int read;
    private int pieces;

    Client(SseStream stream) {
      this.stream = stream;
      this.ready = stream.ready().toCompletableFuture();
    }

    Client takeAll() {
      while (ready.isDone()) {
        takeOne();
      }
      return this;
    }

    void takeOne() {
      all.append(stream.next().orElseThrow());
      pieces++;
      ready = stream.ready().toCompletableFuture();
    }

    /** The events since the last call. */
    String news() {
      String news = all.substring(read);
      read = all.length();
      return news;
    }
  }

  /** The data of the one message in this text. */
  private static JsonNode data(String text) {
    try {
      return new ObjectMapper()
          .readTree(
              text.lines()
                  .filter(line -> line.startsWith("data: "))
                  .map(line -> line.substring(6))
                  .collect(Collectors.joining("\n")));
    } catch (IOException e) {
      throw new IllegalStateException(text, e);
    }
  }

  private static String id(String text) {
    return text.lines()
        .filter(line -> line.startsWith("id: "))
        .findFirst()
        .orElseThrow()
        .substring(4);
  }

  private static List<String> names(String text) {
    List<String> names = new ArrayList<>();
    data(text).get("nodes").forEach(node -> names.add(node.get("name").asText()));
    return names;
  }

  private Client client(String lastEventId) {
    return new Client(feed.open(lastEventId).orElseThrow());
  }

  private void seconds(int count) {
    time.runUntil(time.nanos() + count * PageStreams.TICK.toNanos());
  }

  private void use(String name, int addresses) {
    source.used.put(name, addresses);
    feed.changed.add(name);
  }

  @Test
  @DisplayName("begin with all nodes at once, and go on with those that changed")
  void changes() {
    feed.start(time);
    Client client = client("").takeAll();
    String first = client.news();
    assertThat(first).startsWith("retry: 2000\nevent: snapshot\n").endsWith("\n\n");
    assertThat(names(first)).containsExactly("n0", "n1", "n2");
    assertThat(data(first).at("/facts/at").asInt()).isEqualTo(1);

    use("n1", 5);
    assertThat(client.takeAll().news()).as("before the tick").isEmpty();
    seconds(1);
    String change = client.takeAll().news();

    assertThat(change).startsWith("event: change\n");
    assertThat(names(change)).containsExactly("n1");
    assertThat(data(change).at("/nodes/0/used").asInt()).isEqualTo(5);
  }

  @Test
  @DisplayName("say which node is gone, and the rest of the facts only when they changed")
  void goneAndFacts() {
    feed.start(time);
    Client client = client("").takeAll();
    seconds(1);
    client.takeAll().news();

    source.used.remove("n2");
    feed.changed.add("n2");
    seconds(1);
    JsonNode gone = data(client.takeAll().news());
    assertThat(gone.at("/nodes/0/gone").asBoolean()).isTrue();
    assertThat(gone.get("facts").isNull()).isTrue();

    source.facts = "{\"at\":2}";
    seconds(1);
    JsonNode facts = data(client.takeAll().news());
    assertThat(facts.at("/facts/at").asInt()).isEqualTo(2);
    assertThat(facts.get("nodes")).isEmpty();
  }

  @Test
  @DisplayName("come at most once per second, and a ping after ten seconds without one")
  void pace() {
    feed.start(time);
    Client client = client("").takeAll();
    seconds(2);
    client.takeAll().news();
    for (int i = 1; i <= 50; i++) {
      use("n0", i);
      time.runUntil(time.nanos() + PageStreams.TICK.toNanos() / 10);
      client.takeAll();
    }
    assertThat(client.news().split("event: change", -1)).hasSize(5 + 1);

    seconds(SseStream.QUIET_TICKS);
    assertThat(client.takeAll().news()).isEqualTo("event: ping\ndata: {}\n\n");
  }

  @Test
  @DisplayName("give a slow client the newest state of each node once, and no queue")
  void slowClient() {
    feed.start(time);
    Client client = client("").takeAll();
    seconds(1);
    client.takeAll().news();
    use("n1", 1);
    seconds(1);
    client.takeOne();
    for (int i = 2; i <= 60; i++) {
      use("n0", i);
      use("n1", i);
      seconds(1);
    }
    client.news();
    String late = client.takeAll().news();
    assertThat(names(late)).containsExactly("n0", "n1");
    assertThat(data(late).at("/nodes/0/used").asInt()).isEqualTo(60);
  }

  @Test
  @DisplayName("read the changed nodes alone: one of 10,000")
  void workOfChanges() {
    source.with(10_000);
    feed.start(time);
    Client client = client("").takeAll();
    assertThat(client.pieces).as("pieces of %s nodes", SseMessage.ROWS).isEqualTo(40);
    seconds(1);
    client.takeAll();
    source.nodesRead = 0;
    source.listsRead = 0;

    use("n77", 1);
    seconds(3);
    client.takeAll();

    assertThat(source.nodesRead).isEqualTo(1);
    assertThat(source.listsRead).isZero();
  }

  @Test
  @DisplayName("go on where a client was that connects again, and begin anew for any other id")
  void resumes() {
    feed.start(time);
    Client before = client("").takeAll();
    String id = id(before.news());
    before.stream.ended();
    use("n1", 3);
    use("n2", 4);
    seconds(1);

    String resumed = client(id).takeAll().news();
    assertThat(resumed).contains("event: change");
    assertThat(names(resumed)).containsExactlyInAnyOrder("n1", "n2");
    for (String other : List.of("e0-0", "e1-", "e1-x", "e1-99999", "e1--1", "<b>")) {
      assertThat(client(other).takeAll().news()).as(other).contains("event: snapshot");
    }
  }

  @Test
  @DisplayName("begin anew for a client that lacks more names than are remembered")
  void forgotten() {
    feed.start(time);
    String id = id(client("").takeAll().news());
    for (int i = 0; i <= PageStreams.NAMES_MOST; i++) {
      feed.changed.add("gone-" + i);
    }
    seconds(1);
    assertThat(client(id).takeAll().news()).contains("event: snapshot");
  }

  @Test
  @DisplayName("go to a bounded number of clients; one that leaves makes room")
  void bounded() {
    List<SseStream> streams = new ArrayList<>();
    for (int i = 0; i < PageStreams.STREAMS_MOST; i++) {
      streams.add(feed.open("").orElseThrow());
    }
    assertThat(feed.open("")).isEmpty();
    streams.get(0).ended();
    assertThat(feed.open("")).isPresent();
  }
}
