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
  private record WithClaims(DirectoryClaimStore claims, DirectoryClusterNodeStore nodes)
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
    return environment -> resources(path, operator(environment), environment);
  }

  /** As {@link #at}, for the agent of the node {@code name}, which writes beside an operator. */
  public static NodeBackend.Opener ofNode(Path path, String name) {
    return environment -> resources(path, FolderAccess.ofAgent(name), environment);
  }

  private static NodeBackend resources(Path path, FolderAccess access, Environment environment) {
    return new DirectoryNodeResourceStore(
        path, access, environment.scheduler(), environment.effects(), new DiskFiles());
  }

  /** As {@link #at}, of Kubernetes Nodes ({@code v1 Node}). */
  public static ClusterNodeBackend.Opener ofClusterNodes(Path path) {
    return environment -> nodes(path, operator(environment), environment);
  }

  /** As {@link #ofClusterNodes}, with claims as files of a folder of theirs, which is made. */
  public static ClaimBackend.Opener withClaims(Path path) {
    return environment ->
        withClaims(path, operator(environment), operator(environment), environment);
  }

  /** As {@link #withClaims}, for the agent of the node {@code name}, which writes claims alone. */
  public static ClaimBackend.Opener withClaimsOfNode(Path path, String name) {
    FolderAccess agent = FolderAccess.ofAgent(name);
    return environment -> withClaims(path, agent, agent.withoutWriting(), environment);
  }

  private static ClaimBackend withClaims(
      Path path, FolderAccess ofClaims, FolderAccess ofNodes, Environment environment) {
    DirectoryClusterNodeStore nodes = nodes(path, ofNodes, environment);
    try {
      return new WithClaims(
          new DirectoryClaimStore(
              path, ofClaims, environment.scheduler(), environment.effects(), environment.random()),
          nodes);
    } catch (IpamException e) {
      nodes.close();
      throw e;
    }
  }

  private static DirectoryClusterNodeStore nodes(
      Path path, FolderAccess access, Environment environment) {
    return new DirectoryClusterNodeStore(
        path, access, environment.scheduler(), environment.effects(), new DiskFiles());
  }

  private static FolderAccess operator(Environment environment) {
    return new FolderAccess("", environment.readOnly());
  }
}
