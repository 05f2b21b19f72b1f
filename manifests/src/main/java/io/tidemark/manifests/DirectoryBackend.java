package io.tidemark.manifests;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.error.IpamException;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Node resources in the files of a directory, or in one file. Thread-safe. */
public final class DirectoryBackend implements NodeBackend {
  private final DirectoryNodeResourceStore store;

  private DirectoryBackend(DirectoryNodeResourceStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  /**
   * The manifests in {@code path}, a directory or a file. Opening them locks the place, unless
   * nothing is to be changed, and throws an {@link IpamException} when it does not exist or another
   * process works on it.
   */
  public static NodeBackend.Opener at(Path path) {
    return environment ->
        new DirectoryBackend(
            DirectoryNodeResourceStore.open(
                path, options(environment), environment.scheduler(), environment.effects()));
  }

  /** As {@link #at}, for the agent of the node {@code name}, which writes beside an operator. */
  public static NodeBackend.Opener ofNode(Path path, String name) {
    return environment ->
        new DirectoryBackend(
            DirectoryNodeResourceStore.open(
                path,
                DirectoryOptions.DEFAULT.asAgentOf(name),
                environment.scheduler(),
                environment.effects()));
  }

  /** As {@link #at}, for an operator that writes the CIDRs of nodes, and no addresses. */
  public static NodeBackend.Opener forClusterPool(Path path) {
    return environment ->
        new DirectoryBackend(
            DirectoryNodeResourceStore.openForClusterPool(
                path, options(environment), environment.scheduler(), environment.effects()));
  }

  /** As {@link #at}, of Kubernetes Nodes ({@code v1 Node}). */
  public static ClusterNodeBackend.Opener ofClusterNodes(Path path) {
    return environment -> new OfClusterNodes(nodes(path, environment));
  }

  /** As {@link #ofClusterNodes}, with claims as files of a folder of theirs, which is made. */
  public static ClaimBackend.Opener withClaims(Path path) {
    return environment -> {
      DirectoryClusterNodeStore nodes = nodes(path, environment);
      try {
        return new WithClaims(
            nodes,
            DirectoryClaimStore.open(
                path,
                options(environment),
                environment.scheduler(),
                environment.effects(),
                environment.random()));
      } catch (IpamException e) {
        nodes.close();
        throw e;
      }
    };
  }

  private static DirectoryClusterNodeStore nodes(Path path, Environment environment) {
    return DirectoryClusterNodeStore.open(
        path, options(environment), environment.scheduler(), environment.effects());
  }

  /** Kubernetes Nodes in files. */
  private static class OfClusterNodes implements ClusterNodeBackend {
    private final DirectoryClusterNodeStore nodes;

    OfClusterNodes(DirectoryClusterNodeStore nodes) {
      this.nodes = nodes;
    }

    @Override
    public ClusterNodeStore nodes() {
      return nodes;
    }

    @Override
    public List<ResourceProblem> refused() {
      return nodes.refused();
    }

    @Override
    public CompletionStage<?> flush() {
      return nodes.flush();
    }

    @Override
    public List<String> shutDown() {
      return sentences(nodes.shutDown());
    }

    @Override
    public void close() {
      nodes.close();
    }
  }

  /** Kubernetes Nodes and claims in files. */
  private static final class WithClaims extends OfClusterNodes implements ClaimBackend {
    private final ClaimStore claims;

    WithClaims(DirectoryClusterNodeStore nodes, ClaimStore claims) {
      super(nodes);
      this.claims = claims;
    }

    @Override
    public ClaimStore claims() {
      return claims;
    }
  }

  @Override
  public NodeResourceStore store() {
    return store;
  }

  @Override
  public List<ResourceProblem> refused() {
    return store.refused();
  }

  @Override
  public CompletionStage<?> flush() {
    return store.flush();
  }

  @Override
  public List<String> shutDown() {
    return sentences(store.shutDown());
  }

  private static DirectoryOptions options(Environment environment) {
    return environment.readOnly()
        ? DirectoryOptions.DEFAULT.withoutWriting()
        : DirectoryOptions.DEFAULT;
  }

  private static List<String> sentences(FlushReport report) {
    return Stream.concat(
            report.unwritten().stream()
                .map(node -> "the last write of node " + node + " is missing"),
            report.unknown().stream().map(node -> "the last write of node " + node))
        .toList();
  }

  @Override
  public void close() {
    store.close();
  }
}
