package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ApiFailure.Kind;
import io.tidemark.resource.CatchUp;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads every object once, page by page, into {@link KnownObjects}. All pages show one moment, not
 * before the start; when the server forgets that moment in between, the list starts again. Used
 * once; one page is read at a time.
 */
final class ConsistentList<T> {
  private static final Duration PAGE_MAX = Duration.ofSeconds(30);
  private static final int STARTS_MAX = 3;

  private final KnownObjects<T> known;
  private final Function<String, Page<T>> request;
  private final Function<KubernetesClientException, ApiFailure> explain;
  private final Consumer<String> changed;
  private final EffectRunner effects;
  private final Map<String, KnownObject<T>> before;
  private final Set<String> present = new HashSet<>();
  private final CompletableFuture<CatchUp> end = new CompletableFuture<>();
  private int starts;

  /**
   * A part of a list.
   *
   * @param version of the whole list
   * @param next continues with the next page; empty text when this is the last
   */
  record Page<T>(List<KnownObject<T>> objects, String version, String next) {}

  /**
   * Reads into {@code known}.
   *
   * @param request reads a page, the first one for empty text; one blocking request
   * @param explain why a request failed, for people
   * @param changed receives the name of each object that was read or is gone
   */
  ConsistentList(
      KnownObjects<T> known,
      Function<String, Page<T>> request,
      Function<KubernetesClientException, ApiFailure> explain,
      Consumer<String> changed,
      EffectRunner effects) {
    this.known = known;
    this.request = request;
    this.explain = explain;
    this.changed = changed;
    this.effects = effects;
    this.before = known.all();
  }

  /** Starts; never ends exceptionally. */
  CompletionStage<CatchUp> read() {
    restart();
    return end;
  }

  private void restart() {
    starts++;
    present.clear();
    ask("");
  }

  private void ask(String next) {
    effects
        .run(new EffectSite("list", ""), PAGE_MAX, () -> request.apply(next))
        .stage()
        .whenComplete(this::answered);
  }

  private void answered(@Nullable Page<T> page, @Nullable Throwable thrown) {
    if (page == null) {
      failed(thrown);
      return;
    }
    for (KnownObject<T> object : page.objects()) {
      present.add(object.name());
      take(object);
    }
    if (page.next().isEmpty()) {
      known.learnAbsent(before, present, page.version()).forEach(changed);
      end.complete(new CatchUp.Done());
    } else {
      ask(page.next());
    }
  }

  private void take(KnownObject<T> object) {
    known.learnFresh(object, Optional.ofNullable(before.get(object.name())));
    changed.accept(object.name());
  }

  private void failed(@Nullable Throwable thrown) {
    if (thrown instanceof KubernetesClientException e) {
      ApiFailure failure = explain.apply(e);
      if (failure.kind() == Kind.EXPIRED && starts < STARTS_MAX) {
        restart();
      } else {
        end.complete(new CatchUp.Failed(failure.text()));
      }
    } else {
      end.complete(new CatchUp.Failed(String.valueOf(thrown)));
    }
  }
}
