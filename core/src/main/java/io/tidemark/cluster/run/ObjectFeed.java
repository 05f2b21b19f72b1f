package io.tidemark.cluster.run;

import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the watch of a store on to a system and remembers what was refused, for reports.
 * Thread-safe.
 *
 * @param <T> the objects
 */
public class ObjectFeed<T> implements ObjectWatcher<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectFeed.class);

  private final ObjectWatcher<T> system;
  private final Function<T, String> name;
  private final Map<String, List<ResourceProblem>> refused = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> synced = new CompletableFuture<>();

  /**
   * In front of {@code system}.
   *
   * @param name of an object
   */
  public ObjectFeed(ObjectWatcher<T> system, Function<T, String> name) {
    this.system = system;
    this.name = name;
  }

  /** Ends when every object that existed at the start was delivered. */
  public final CompletionStage<Void> syncedStage() {
    return synced.minimalCompletionStage();
  }

  /** Problems of one object that cannot be read. */
  public final List<ResourceProblem> problemsOf(String name) {
    return refused.getOrDefault(name, List.of());
  }

  @Override
  public final void upserted(T object) {
    refused.remove(name.apply(object));
    system.upserted(object);
  }

  @Override
  public final void deleted(String gone) {
    refused.remove(gone);
    system.deleted(gone);
  }

  @Override
  public final void refused(String object, List<ResourceProblem> problems) {
    List<ResourceProblem> before = refused.put(object, List.copyOf(problems));
    if (!problems.equals(before)) {
      for (ResourceProblem each : problems) {
        LOG.warn(
            "An object was refused. object={} path={} problem={} remedy={}",
            each.where(),
            each.path(),
            each.problem(),
            each.remedy());
      }
    }
    system.refused(object, problems);
  }

  @Override
  public final void synced() {
    system.synced();
    synced.complete(null);
  }
}
