package io.tidemark.daemon.ipamd.cloud;

import io.tidemark.datastore.cloud.CloudEni;
import io.tidemark.ip.Cidr;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a program whenever an interface came or went. Each run has 30 seconds; one that does not end
 * with 0 is repeated, in pauses of 1 to 60 seconds, until it does or the opposite happens. Not more
 * than one is run at a time for an interface. Thread-safe.
 */
public final class HookHostNetwork implements HostNetwork {
  /** How long a run may take. */
  public static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final BackoffPolicy AGAIN =
      new BackoffPolicy(
          Duration.ofSeconds(1), 2, Duration.ofMinutes(1), true, true, Duration.ofMinutes(10));

  private static final Logger LOG = LoggerFactory.getLogger(HookHostNetwork.class);

  private final Hook hook;
  private final EffectRunner runner;
  private final TaskScheduler scheduler;
  private final RandomGenerator random;
  private final Function<String, CompletionStage<Optional<Cidr>>> subnets;

  /** By id; guarded by itself. */
  private final Map<String, Setup> setups = new HashMap<>();

  private volatile Runnable listener = () -> {};

  /** The program. */
  @FunctionalInterface
  public interface Hook {
    /**
     * Runs it and waits for its end; honours interruption.
     *
     * @param environment all variables of the program
     * @return its exit code
     */
    int run(Map<String, String> environment) throws Exception;
  }

  private static final class Setup {
    final CloudEni eni;
    boolean attached = true;
    boolean done;
    boolean running;
    int failures;
    final CompletableFuture<Boolean> first = new CompletableFuture<>();

    Setup(CloudEni eni) {
      this.eni = eni;
    }
  }

  /**
   * Runs nothing yet.
   *
   * @param runner where the program runs
   * @param subnets the CIDR of a subnet; empty when it cannot be found out now
   */
  public HookHostNetwork(
      Hook hook,
      EffectRunner runner,
      TaskScheduler scheduler,
      RandomGenerator random,
      Function<String, CompletionStage<Optional<Cidr>>> subnets) {
    this.hook = hook;
    this.runner = runner;
    this.scheduler = scheduler;
    this.random = random;
    this.subnets = subnets;
  }

  @Override
  public boolean setsUp() {
    return true;
  }

  @Override
  public void whenReady(Runnable ready) {
    listener = ready;
  }

  @Override
  public CompletionStage<Boolean> came(CloudEni eni) {
    Setup setup;
    synchronized (setups) {
      setup = setups.computeIfAbsent(eni.spec().id(), id -> new Setup(eni));
      setup.attached = true;
      if (setup.done || setup.first.isDone()) {
        return CompletableFuture.completedStage(setup.done);
      }
    }
    next(setup);
    return setup.first;
  }

  @Override
  public void went(CloudEni eni) {
    Setup setup;
    synchronized (setups) {
      setup = setups.get(eni.spec().id());
      if (setup == null || !setup.attached) {
        return;
      }
      setup.attached = false;
      setup.done = false;
    }
    next(setup);
  }

  /** Runs the program for what holds now, unless it runs or has been run for that. */
  private void next(Setup setup) {
    boolean attached;
    synchronized (setups) {
      if (setup.running || setup.done) {
        return;
      }
      setup.running = true;
      attached = setup.attached;
    }
    subnets
        .apply(setup.eni.spec().subnetId())
        .thenCompose(
            subnet ->
                runner
                    .run(
                        new EffectSite("host-network-hook", setup.eni.spec().id()),
                        TIMEOUT,
                        () -> hook.run(environment(setup.eni, attached, subnet)))
                    .stage())
        .whenComplete((code, thrown) -> ended(setup, attached, code, thrown));
  }

  private void ended(
      Setup setup, boolean attached, @Nullable Integer code, @Nullable Throwable thrown) {
    boolean succeeded = thrown == null && code != null && code == 0;
    Duration pause = Duration.ZERO;
    synchronized (setups) {
      setup.running = false;
      setup.failures = succeeded ? 0 : setup.failures + 1;
      setup.done = succeeded && setup.attached == attached;
      if (setup.done && !attached) {
        setups.remove(setup.eni.spec().id(), setup);
      }
      if (!succeeded) {
        pause = AGAIN.pause(setup.failures, random);
      }
    }
    if (!succeeded) {
      LOG.warn(
          "The host is not set up for an interface yet. id={} event={} cause={}",
          setup.eni.spec().id(),
          event(attached),
          thrown == null ? "the hook ended with " + code : thrown.toString());
    }
    boolean first = setup.first.complete(setup.done);
    if (setup.done && attached && !first) {
      listener.run();
    }
    if (!setup.done) {
      scheduler.after(pause, () -> next(setup));
    }
  }

  private static String event(boolean attached) {
    return attached ? "attached" : "detached";
  }

  private static Map<String, String> environment(
      CloudEni eni, boolean attached, Optional<Cidr> subnet) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("TIDEMARK_EVENT", event(attached));
    all.put("TIDEMARK_INTERFACE", eni.spec().id());
    all.put("TIDEMARK_MAC", eni.mac());
    all.put("TIDEMARK_CARD", Integer.toString(eni.card()));
    all.put("TIDEMARK_DEVICE", Integer.toString(eni.spec().deviceNumber()));
    all.put("TIDEMARK_TABLE", Integer.toString(eni.spec().routeTableId()));
    all.put("TIDEMARK_SUBNET", eni.spec().subnetId());
    all.put("TIDEMARK_SUBNET_CIDR", subnet.map(Cidr::toString).orElse(""));
    all.put("TIDEMARK_GATEWAY", subnet.map(each -> each.address(1).toString()).orElse(""));
    return all;
  }
}
