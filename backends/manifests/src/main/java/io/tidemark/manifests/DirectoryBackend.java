package io.tidemark.manifests;

import io.tidemark.cluster.Backend.Environment;
import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import java.nio.file.Path;

/** Node resources, Kubernetes Nodes and claims in the files of a directory, or in one file. */
public final class DirectoryBackend {
  static final String OPERATOR = "";

  private static final class WithClaims extends DirectoryClusterNodeStore implements ClaimBackend {
    private final DirectoryClaimStore claims;

    WithClaims(Path path, Environment ofClaims, Environment ofNodes) {
      super(path, OPERATOR, ofNodes, new DiskFiles());
      try {
        claims = new DirectoryClaimStore(path, ofClaims);
      } catch (IpamException e) {
        close();
        throw e;
      }
    }

    @Override
    public ClaimStore claims() {
      return claims;
    }
  }

  private DirectoryBackend() {}

  static String agent(String node) {
    return "agent-" + node;
  }

  /**
   * The manifests in {@code path}, a directory or a file. Opening them locks the place, unless
   * nothing is to be changed, and throws an {@link IpamException} when it does not exist or another
   * process works on it.
   */
  public static NodeBackend.Opener at(Path path) {
    return it -> new DirectoryNodeResourceStore(path, OPERATOR, it, new DiskFiles());
  }

  /** As {@link #at}, for the agent of the node {@code name}, which writes beside an operator. */
  public static NodeBackend.Opener ofNode(Path path, String name) {
    return it -> new DirectoryNodeResourceStore(path, agent(name), it, new DiskFiles());
  }

  /** As {@link #at}, of Kubernetes Nodes ({@code v1 Node}). */
  public static ClusterNodeBackend.Opener ofClusterNodes(Path path) {
    return it -> new DirectoryClusterNodeStore(path, OPERATOR, it, new DiskFiles());
  }

  /** As {@link #ofClusterNodes}, with claims as files of a folder of theirs, which is made. */
  public static ClaimBackend.Opener withClaims(Path path) {
    return it -> new WithClaims(path, it, it);
  }

  /** As {@link #withClaims}, for the agent of a node, which writes claims alone. */
  public static ClaimBackend.Opener withClaimsOfNode(Path path) {
    return it -> new WithClaims(path, it, it.asReadOnly());
  }
}
