package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.Upstream;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;

/** Keeps who waits for an address of a pool, and passes the rest on. Thread-safe. */
final class PoolUpstream implements Upstream {
  private final TimeSource time;
  private final PendingRequests pending;
  private volatile Upstream next = Upstream.NONE;

  PoolUpstream(TimeSource time, PendingRequests pending) {
    this.time = time;
    this.pending = pending;
  }

  void next(Upstream publisher) {
    next = publisher;
  }

  @Override
  public void changed() {
    next.changed();
  }

  @Override
  public void served(PoolName pool, IpFamily family, String owner) {
    pending.served(pool, family, owner);
  }

  @Override
  public void lacking(PoolName pool, IpFamily family, String owner, UpstreamSync sync) {
    pending.lacking(pool, family, owner, time.nanos());
    if (sync == UpstreamSync.NOW) {
      next.changed();
    }
  }

  @Override
  public void restoreFinished(IpFamily family) {
    next.restoreFinished(family);
  }
}
