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
 * Reads every object once, page by page, into {@link KnownNodes}. All pages are of one moment, not
 * before the beginning; when the server forgets that moment in between, it is begun again. Used
 * once; one request is under way at a time.
 */
final class FreshList {
  private static final Duration PAGE_MAX = Duration.ofSeconds(30);
  private static final int BEGINNINGS_MAX = 3;

  private final KnownNodes known;
  private final Function<String, Page> request;
  private final Function<KubernetesClientException, ApiFailure> explain;
  private final Consumer<String> changed;
  private final EffectRunner effects;
  private final Map<String, KnownNode> before;
  private final Set<String> present = new HashSet<>();
  private final CompletableFuture<CatchUp> end = new CompletableFuture<>();
  private int beginnings;

  /**
   * A part of a list.
   *
   * @param version of the whole list
   * @param next what the next page is asked for with; empty text when this is the last
   */
  record Page(List<KnownNode> nodes, String version, String next) {}

  /**
   * Reads into {@code known}.
   *
   * @param request asks for a page, the first one by empty text; one blocking request
   * @param explain how a request failed, for people
   * @param changed told the name of each object that was read or is gone
   */
  FreshList(
      KnownNodes known,
      Function<String, Page> request,
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

  /** Begins; never ends exceptionally. */
  CompletionStage<CatchUp> read() {
    begin();
    return end;
  }

  private void begin() {
    beginnings++;
    present.clear();
    ask("");
  }

  private void ask(String next) {
    Object unused =
        effects
            .run(new EffectSite("list", ""), PAGE_MAX, () -> request.apply(next))
            .stage()
            .whenComplete(this::answered);
  }

  private void answered(@Nullable Page page, @Nullable Throwable thrown) {
    if (page == null) {
      failed(thrown);
      return;
    }
    for (KnownNode node : page.nodes()) {
      present.add(node.name());
      take(node);
    }
    if (page.next().isEmpty()) {
      takeDeletions(page.version());
      end.complete(new CatchUp.Done());
    } else {
      ask(page.next());
    }
  }

  private void take(KnownNode node) {
    KnownNode unusedNewest = known.learnFresh(node, Optional.ofNullable(before.get(node.name())));
    changed.accept(node.name());
  }

  private void takeDeletions(String version) {
    before.forEach(
        (name, node) -> {
          if (!node.gone() && !present.contains(name)) {
            take(KnownNode.gone(name, version));
          }
        });
  }

  private void failed(@Nullable Throwable thrown) {
    if (thrown instanceof KubernetesClientException e) {
      ApiFailure failure = explain.apply(e);
      if (failure.kind() == Kind.EXPIRED && beginnings < BEGINNINGS_MAX) {
        begin();
      } else {
        end.complete(new CatchUp.Failed(failure.text()));
      }
    } else {
      end.complete(new CatchUp.Failed(String.valueOf(thrown)));
    }
  }
}
