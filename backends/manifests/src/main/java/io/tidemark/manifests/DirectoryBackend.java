package io.tidemark.manifests;

import io.tidemark.cluster.Backend.Environment;
import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.List;

/** Node resources, Kubernetes Nodes and claims in the files of a directory, or in one file. */
public final class DirectoryBackend {
  private record WithClaims(DirectoryClusterNodeStore nodes, DirectoryClaimStore claims)
      implements ClaimBackend {
    @Override
    public List<ResourceProblem> refused() {
      return nodes.refused();
    }

    @Override
    public void close() {
      nodes.close();
    }
  }

  private DirectoryBackend() {}

  /**
   * The manifests in {@code path}, a directory or a file. Opening them locks the place, unless
   * nothing is to be changed, and throws an {@link IpamException} when it does not exist or another
   * process works on it.
   */
  public static NodeBackend.Opener at(Path path) {
    return environment ->
        DirectoryNodeResourceStore.open(
            path, options(environment), environment.scheduler(), environment.effects());
  }

  /** As {@link #at}, for the agent of the node {@code name}, which writes beside an operator. */
  public static NodeBackend.Opener ofNode(Path path, String name) {
    return environment ->
        DirectoryNodeResourceStore.open(
            path,
            DirectoryOptions.DEFAULT.asAgentOf(name),
            environment.scheduler(),
            environment.effects());
  }

  /** As {@link #at}, of Kubernetes Nodes ({@code v1 Node}). */
  public static ClusterNodeBackend.Opener ofClusterNodes(Path path) {
    return environment -> nodes(path, options(environment), environment);
  }

  /** As {@link #ofClusterNodes}, with claims as files of a folder of theirs, which is made. */
  public static ClaimBackend.Opener withClaims(Path path) {
    return environment -> withClaims(path, options(environment), options(environment), environment);
  }

  /** As {@link #withClaims}, for the agent of the node {@code name}, which writes claims alone. */
  public static ClaimBackend.Opener withClaimsOfNode(Path path, String name) {
    DirectoryOptions ofAgent = DirectoryOptions.DEFAULT.asAgentOf(name);
    return environment -> withClaims(path, ofAgent.withoutWriting(), ofAgent, environment);
  }

  private static ClaimBackend withClaims(
      Path path, DirectoryOptions ofNodes, DirectoryOptions ofClaims, Environment environment) {
    DirectoryClusterNodeStore nodes = nodes(path, ofNodes, environment);
    try {
      return new WithClaims(
          nodes,
          new DirectoryClaimStore(
              path,
              ofClaims,
              environment.scheduler(),
              environment.effects(),
              environment.random()));
    } catch (IpamException e) {
      nodes.close();
      throw e;
    }
  }

  private static DirectoryClusterNodeStore nodes(
      Path path, DirectoryOptions options, Environment environment) {
    return new DirectoryClusterNodeStore(
        path, options, environment.scheduler(), environment.effects(), new DiskFiles());
  }

  private static DirectoryOptions options(Environment environment) {
    return environment.readOnly()
        ? DirectoryOptions.DEFAULT.withoutWriting()
        : DirectoryOptions.DEFAULT;
  }
}
