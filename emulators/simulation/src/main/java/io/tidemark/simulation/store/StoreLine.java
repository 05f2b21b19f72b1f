package io.tidemark.simulation.store;

import io.tidemark.resource.CatchUp;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * One process's line to the API server: a store, and the runner its requests must go through. The
 * process does not know the content of a lost response. Used by the simulation's thread alone.
 */
public final class StoreLine implements NodeResourceStore {
  private final NodeResourceStore heard;
  private final NodeResourceStore unheard;
  private final EffectRunner effects;
  private EffectFate.Loss nextLoss = EffectFate.Loss.NOTHING;
  private final VirtualProcess process;
  private final DeliveryDelay delay;
  private Optional<StoreView> view = Optional.empty();
  private boolean answerGetsLost;

  /**
   * A line without any known object.
   *
   * @param clients makes equal clients of the server; one hears the answers, one those that get
   *     lost
   * @param delay of the clients' watch
   */
  public StoreLine(
      Supplier<NodeResourceStore> clients,
      VirtualProcess process,
      DeliveryDelay delay,
      EffectModel network) {
    this.process = process;
    this.delay = delay;
    this.effects = process.effects(remembering(network));
    this.heard = clients.get();
    this.unheard = clients.get();
  }

  /** From now on the process sees what a history shows, with this sight; before the first watch. */
  public void see(StoreHistory history, Sight sight) {
    view = Optional.of(new StoreView(history, sight, process, delay));
  }

  /** The number of events delivered. */
  public int events() {
    return view.map(StoreView::events).orElse(0);
  }

  private StoreResult answered(String name, StoreResult result) {
    if (!answerGetsLost) {
      view.ifPresent(it -> it.answered(name, result));
    }
    return result;
  }

  private EffectModel remembering(EffectModel network) {
    return new EffectModel() {
      @Override
      public EffectFate decide(EffectSite site, Duration timeout) {
        EffectFate fate = network.decide(site, timeout);
        nextLoss = fate.loss();
        return fate;
      }

      @Override
      public void executed(EffectSite site) {
        network.executed(site);
      }
    };
  }

  /** Runs the requests to this store. */
  public EffectRunner effects() {
    return this::run;
  }

  private <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    Request<T> request = new Request<>(leaf);
    Effect<T> effect = effects.run(site, timeout, request);
    request.lost = nextLoss == EffectFate.Loss.ANSWER;
    return effect;
  }

  private final class Request<T> implements Callable<T> {
    private final Callable<T> leaf;
    private boolean lost;

    Request(Callable<T> leaf) {
      this.leaf = leaf;
    }

    @Override
    public T call() throws Exception {
      answerGetsLost = lost;
      try {
        return leaf.call();
      } finally {
        answerGetsLost = false;
      }
    }
  }

  private NodeResourceStore client() {
    return answerGetsLost ? unheard : heard;
  }

  @Override
  public Optional<NodeResource> latest(String name) {
    return view.isPresent() ? view.get().latest(name) : heard.latest(name);
  }

  @Override
  public List<String> names() {
    return view.isPresent() ? view.get().names() : heard.names();
  }

  @Override
  public StoreResult get(String name) {
    return answered(name, client().get(name));
  }

  @Override
  public StoreResult create(NodeResource resource) {
    return answered(resource.name(), client().create(resource));
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return answered(changed.name(), client().update(original, changed));
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return answered(changed.name(), client().updateStatus(original, changed));
  }

  @Override
  public LastWriter lastWriter(String name) {
    return heard.lastWriter(name);
  }

  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner runner) {
    return view.isPresent()
        ? heard.catchUp(runner).thenApply(end -> view.get().caughtUp(end, heard))
        : heard.catchUp(runner);
  }

  @Override
  public Watch watch(Watcher watcher) {
    if (view.isEmpty()) {
      return heard.watch(watcher);
    }
    Watch writers = heard.watch(StoreView.UNTOLD);
    Watch shown = view.get().watch(watcher);
    return () -> {
      writers.close();
      shown.close();
    };
  }
}
