package io.tidemark.engine;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store in memory whose behaviour a test sets before the start. */
final class TestBackend implements NodeBackend.Opener {
  final List<Backend.Environment> opened = new ArrayList<>();
  CompletableFuture<String> turn = CompletableFuture.completedFuture("ours");
  final CompletableFuture<String> lost = new CompletableFuture<>();
  Duration writing = Duration.ZERO;
  int closed;

  /** Notes of former leaders. */
  Map<String, String> inherited = Map.of();

  /** Notes for the next leader. */
  Supplier<Map<String, String>> notes = Map::of;

  private boolean refuses;
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();

  /** With nodes of these names. */
  TestBackend(String... names) {
    for (String name : names) {
      server.create(NodeResource.named(name));
    }
  }

  /** Refuses its settings. */
  TestBackend refusing() {
    refuses = true;
    return this;
  }

  @Override
  public void check(ConfigSource settings, ConfigProblems problems) {
    if (refuses) {
      problems.invalid(settings, "cluster-name", "something else, as the store refuses it");
    }
  }

  @Override
  public NodeBackend open(Backend.Environment environment) {
    opened.add(environment);
    return new Open(environment, server.client(environment.scheduler()));
  }

  private final class Notes implements LeaderNotes {
    @Override
    public Map<String, String> inherited() {
      return inherited;
    }

    @Override
    public void writeFrom(Supplier<Map<String, String>> source) {
      notes = source;
    }

    @Override
    public CompletionStage<Boolean> publish() {
      return CompletableFuture.completedStage(true);
    }
  }

  private final class Open implements NodeBackend {
    private final Environment environment;
    private final NodeResourceStore store;
    private final CompletableFuture<String> written = new CompletableFuture<>();
    private boolean flushed;

    Open(Environment environment, NodeResourceStore store) {
      this.environment = environment;
      this.store = store;
    }

    @Override
    public NodeResourceStore store() {
      return store;
    }

    @Override
    public CompletionStage<?> turn() {
      return turn;
    }

    @Override
    public CompletionStage<String> lost() {
      return lost;
    }

    @Override
    public Optional<LeaderNotes> leaderNotes() {
      return Optional.of(new Notes());
    }

    @Override
    public Optional<String> clusterUid() {
      return Optional.of("u-1");
    }

    @Override
    public CompletionStage<?> flush() {
      flushed = true;
      environment.scheduler().after(writing, () -> written.complete("written"));
      return written;
    }

    @Override
    public List<String> shutDown() {
      close();
      return written.isDone() || !flushed ? List.of() : List.of("the last write");
    }

    @Override
    public void close() {
      closed++;
    }
  }
}
