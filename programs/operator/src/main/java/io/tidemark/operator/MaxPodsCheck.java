package io.tidemark.operator;

import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigProblems;
import io.tidemark.engine.Tidemark;
import io.tidemark.engine.TidemarkBuilder;
import io.tidemark.error.IpamException;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.operator.report.MaxPods;
import io.tidemark.operator.view.EngineView;
import io.tidemark.spi.Finding;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.time.StopSignal;
import io.tidemark.time.SystemTime;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Whether nodes take more pods than they can have addresses for; by an engine that changes nothing,
 * since the addresses of a node need a scan of the cloud.
 */
record MaxPodsCheck(Settings settings, NodeBackend.Opener nodes, StopSignal stop) {
  private static final long KUBELETS_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A finding for each group of nodes; one that says why if it cannot be decided in time. */
  List<Finding> findings(long deadlineNanos) throws InterruptedException {
    if (EngineConfig.read(settings.source(), new ConfigProblems()).isReferenceCompatible()) {
      return List.of();
    }
    ProviderFactory factory = settings.provider().orElseThrow();
    CompletableFuture<KubeletCapacity> kubelets = new CompletableFuture<>();
    CompletableFuture<Boolean> listed =
        kubelets.thenCompose(each -> each.known().thenApply(end -> true));
    TidemarkBuilder builder =
        Tidemark.builder()
            .provider(factory)
            .settings(settings.source())
            .store(
                environment -> {
                  NodeBackend backend = nodes.open(environment);
                  kubelets.complete(backend.kubelets());
                  return backend;
                });
    try (EngineView view = new EngineView(factory.name(), builder.readOnly().build())) {
      CompletableFuture<List<Finding>> end =
          view.engine()
              .start()
              .thenCompose(
                  scanned ->
                      scanned
                          ? listed
                              .thenCompose(known -> StatusCommand.nodes(view))
                              .thenApply(rows -> MaxPods.findings(view.podRooms()))
                          : CompletableFuture.completedFuture(unread("the cloud was not read", "")))
              .toCompletableFuture();
      stop.requested().thenRun(() -> end.cancel(false));
      CompletableFuture.anyOf(listed, end)
          .get(Math.min(KUBELETS_NANOS, left(deadlineNanos)), TimeUnit.NANOSECONDS);
      return end.get(left(deadlineNanos), TimeUnit.NANOSECONDS);
    } catch (IpamException | ExecutionException | TimeoutException e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      if (cause instanceof CancellationException stopped) {
        throw stopped;
      }
      if (cause instanceof IpamException) {
        return unread(String.valueOf(cause.getMessage()), "");
      }
      return listed.isDone() && !listed.isCompletedExceptionally()
          ? unread("the cloud was not read", ", or give more time with --timeout")
          : unread(
              "the Nodes of the cluster were not listed",
              ", grant the right to list and watch nodes, or give more time with --timeout");
    }
  }

  private static long left(long deadlineNanos) {
    return Math.max(0, deadlineNanos - SystemTime.instance().nanos());
  }

  private static List<Finding> unread(String why, String more) {
    return List.of(
        Finding.of(
            "max-pods",
            "nodes of the cluster",
            Finding.Verdict.UNDECIDABLE,
            why,
            "Correct what the other checks found" + more + "."));
  }
}
