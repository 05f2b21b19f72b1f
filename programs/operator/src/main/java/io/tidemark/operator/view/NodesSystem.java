package io.tidemark.operator.view;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.cluster.run.SystemRun;
import io.tidemark.cluster.run.SystemSetup;
import io.tidemark.config.ConfigSource;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric.Prefix;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodecidr.pool.ClusterPool;
import io.tidemark.nodeid.config.NodeIdConfig;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.view.NodesWork.Objects;
import io.tidemark.resilience.CallCounts;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A system that gives the nodes of one backend something of their own, from start to stop. */
public final class NodesSystem<B extends Backend> extends SystemRun<B, NodesWork>
    implements SystemView {
  private final Words words;

  /** The program's names for it, as {@link SystemView} says. */
  private record Words(String name, String kind, String lacking) {}

  /**
   * Where a system runs.
   *
   * @param settings all of them, for the backend
   * @param readOnly nothing is changed, and no other process is locked out
   */
  public record Place<B extends Backend>(
      Backend.Opener<B> backend,
      ConfigSource settings,
      KubernetesConfig kubernetes,
      boolean readOnly) {}

  /** Puts the work of a system together. */
  private interface Maker<B> {
    NodesWork make(
        NodesWork.Conditions conditions, B backend, RunThreads threads, Consumer<String> changed);
  }

  private NodesSystem(Words words, SystemSetup<B, NodesWork> setup) {
    super(setup);
    this.words = words;
  }

  /**
   * Nodes get their pod CIDRs. Opens and starts nothing yet.
   *
   * @param config with families
   * @param cloud the one that the nodes follow; empty where blocks come from ranges alone
   */
  public static SystemView ofCidrs(
      NodeCidrConfig config,
      Optional<NodeCidrCloud> cloud,
      Meters metrics,
      Place<ClusterNodeBackend> place) {
    return of(
        new Words(cloud.map(it -> it.factory().name()).orElse("kubernetes"), "Node", "CIDRs"),
        place,
        config.notes(),
        cloud.isPresent() ? NodeCidrCloud.REQUESTS : 1,
        (conditions, backend, threads, changed) ->
            new NodeCidrWork(
                config,
                cloud,
                metrics,
                conditions,
                Objects.of(backend, threads),
                threads,
                changed));
  }

  /**
   * CiliumNodes get their pod CIDRs. Opens and starts nothing yet.
   *
   * @param mode as {@code ipam} has it
   * @param config with families
   */
  public static SystemView ofPools(
      String mode, NodeCidrConfig config, Meters metrics, Place<NodeBackend> place) {
    return of(
        new Words(mode, "CiliumNode", "CIDRs"),
        place,
        config.notes(),
        1,
        (conditions, backend, threads, changed) ->
            new NodeCidrWork(
                config,
                Optional.empty(),
                metrics,
                conditions,
                Objects.of(
                    backend,
                    ClusterPool.of(
                        backend,
                        place.settings(),
                        threads,
                        conditions.random(),
                        metrics.trigger(Prefix.IPAM, "k8s_sync"))),
                threads,
                changed));
  }

  /** Nodes get their ids. Opens and starts nothing yet. */
  public static SystemView ofIds(NodeIdConfig config, Meters metrics, Place<ClaimBackend> place) {
    return of(
        new Words("node-id", "Node", "ids"),
        place,
        config.notes(),
        1,
        (conditions, backend, threads, changed) ->
            new NodeIdWork(config, metrics, conditions, backend, threads, changed));
  }

  private static <B extends Backend> SystemView of(
      Words words, Place<B> place, List<String> notes, int cloudRequests, Maker<B> maker) {
    SecureRandom random = new SecureRandom();
    NodesWork.Conditions conditions =
        new NodesWork.Conditions(
            notes, place.kubernetes().requestTimeout(), random, place.readOnly());
    return new NodesSystem<>(
        words,
        new SystemSetup<>(
            "allocator",
            place.backend(),
            place.settings(),
            random,
            place.readOnly(),
            Optional.empty(),
            cloudRequests,
            (opened, threads, changed) ->
                CompletableFuture.completedStage(
                    () -> maker.make(conditions, opened, threads, changed))));
  }

  @Override
  public SystemRun<?, ?> system() {
    return this;
  }

  @Override
  public String name() {
    return words.name();
  }

  @Override
  public String kind() {
    return words.kind();
  }

  @Override
  public String lacking() {
    return words.lacking();
  }

  @Override
  public List<NodeRow> nodes() {
    return work().map(NodesWork::rows).orElseGet(List::of);
  }

  @Override
  public Optional<NodeRow> node(String node) {
    return work().flatMap(it -> it.row(node));
  }

  @Override
  public CompletionStage<Optional<NodeExplanation>> explain(String node) {
    return CompletableFuture.completedStage(work().flatMap(it -> it.explain(node)));
  }

  @Override
  public CallCounts counts() {
    return work()
        .map(NodesWork::counts)
        .orElseGet(() -> new CallCounts(new TreeMap<>(), new TreeMap<>()));
  }
}
