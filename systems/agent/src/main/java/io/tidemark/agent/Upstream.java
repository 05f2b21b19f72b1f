package io.tidemark.agent;

import io.tidemark.ip.IpFamily;

/**
 * Who publishes in the node's object what the agent holds. Called outside every lock, from any
 * thread; must not block.
 */
public interface Upstream {
  /** Nothing is published: the range belongs to the node alone. */
  Upstream NONE =
      new Upstream() {
        @Override
        public void changed() {}

        @Override
        public void restoreFinished(IpFamily family) {}
      };

  /** Addresses were allocated or released. */
  void changed();

  /** A request got an address of a pool. */
  default void served(PoolName pool, IpFamily family, String owner) {}

  /**
   * A request got none, because the node has no free address of the pool, or none at all.
   *
   * @param sync when that is published, where requests that wait are
   */
  default void lacking(PoolName pool, IpFamily family, String owner, UpstreamSync sync) {}

  /** All addresses of this family that survived a restart are allocated again; called once. */
  void restoreFinished(IpFamily family);
}
