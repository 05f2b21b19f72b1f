package io.tidemark.operator.page;

import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.PageJson;
import io.tidemark.operator.view.SystemView;
import io.tidemark.time.SystemTime;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The changes of a {@link PageSource} as streams of events. Once per second it collects the names
 * of the nodes that changed and wakes the streams that lack something; a stream renders its message
 * from the nodes of that moment when its client has taken the one before. So a slow client gets the
 * newest state and no queue, and work and memory are those of the changed nodes. Thread-safe.
 */
public final class PageStreams {
  static final Duration TICK = Duration.ofSeconds(1);
  static final int STREAMS_MOST = 32;
  static final int NAMES_MOST = 20_000;

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final PageSource source;
  private final String epoch;

  /** Nodes that are new, gone or changed their state since the last tick; any thread adds. */
  final Set<String> changed = ConcurrentHashMap.newKeySet();

  private final ChangeJournal journal = new ChangeJournal(NAMES_MOST);
  private final Set<SseStream> streams = ConcurrentHashMap.newKeySet();
  private volatile Facts facts = new Facts("null", 0);

  /** All but the nodes, and the version in which it changed. */
  record Facts(String text, long version) {}

  /**
   * A feed without streams.
   *
   * @param epoch distinguishes it from those of earlier processes; letters and digits
   */
  PageStreams(PageSource source, String epoch) {
    this.source = source;
    this.epoch = epoch;
  }

  /**
   * The feed of a system; before its start.
   *
   * @param cluster its name; empty when nothing names it
   */
  public static PageStreams of(SystemView view, Optional<String> cluster) {
    String epoch = Long.toHexString(SystemTime.instance().epochMillis());
    PageStreams feed = new PageStreams(new LiveSource(view, cluster), epoch);
    view.system().onChange(feed.changed::add);
    return feed;
  }

  /** Collects changes from now on. */
  public void start(TaskScheduler timer) {
    timer.after(TICK, () -> start(timer));
    tick();
  }

  private void tick() {
    for (String name : List.copyOf(changed)) {
      changed.remove(name); // before it is recorded: what changes after that is recorded again
      journal.record(name);
    }
    if (streams.isEmpty()) {
      return;
    }
    String now = source.facts();
    if (!now.equals(facts.text())) {
      facts = new Facts(now, journal.version() + 1); // who sees the version finds them
      journal.advance();
    }
    long version = journal.version();
    streams.forEach(stream -> stream.tick(version));
  }

  /** Answers a {@code GET} of the events: a stream that goes on, or 503 when there are too many. */
  public HttpResponse respond(HttpRequest request) {
    return open(request.header("Last-Event-ID").orElse(""))
        .map(stream -> HttpResponse.of(OK, PageEndpoints.EVENTS, stream))
        .orElseGet(() -> HttpResponse.of(UNAVAILABLE, "text/plain", "too many event streams\n"));
  }

  /**
   * A new stream; empty when there are too many.
   *
   * @param lastEventId of the last message that the client has; empty text for none
   */
  synchronized Optional<SseStream> open(String lastEventId) {
    if (streams.size() >= STREAMS_MOST) {
      return Optional.empty();
    }
    SseStream stream = new SseStream(this, seen(lastEventId));
    streams.add(stream);
    return Optional.of(stream);
  }

  void closed(SseStream stream) {
    streams.remove(stream);
  }

  /** The version in the id of a message; -1 for one of another process, or none. */
  private long seen(String id) {
    String prefix = epoch + "-";
    if (!id.startsWith(prefix) || !id.substring(prefix.length()).matches("[0-9]{1,18}")) {
      return -1;
    }
    return Long.parseLong(id.substring(prefix.length()));
  }

  // ---- for the streams

  PageSource source() {
    return source;
  }

  /** The changes since this version; everything for one that is not known any more. */
  SseMessage message(long seen) {
    long version = journal.version();
    Optional<List<String>> names = seen < 0 ? Optional.empty() : journal.since(seen);
    String id = epoch + "-" + version;
    if (names.isEmpty()) {
      return SseMessage.snapshot(source, id, version);
    }
    Facts now = facts;
    return SseMessage.change(
        source, id, version, now.version() > seen ? now.text() : "null", names.get());
  }

  /**
   * A system that runs, as the page shows it.
   *
   * @param cluster its name; empty when nothing names it
   */
  private record LiveSource(SystemView view, Optional<String> cluster) implements PageSource {
    @Override
    public String facts() {
      return PageJson.facts(
          cluster,
          view.summary(List.of()),
          view.kind(),
          view.lacking(),
          view.cloud(),
          view.system().problems(),
          Optional.empty());
    }

    @Override
    public List<NodeRow> nodes() {
      return view.nodes();
    }

    @Override
    public Optional<NodeRow> node(String name) {
      return view.node(name);
    }
  }
}
