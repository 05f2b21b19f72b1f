package io.tidemark.simulation.agent;

import io.tidemark.metrics.AllocatorMetrics;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.metrics.TriggerMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The measurements of the allocators of one process, all pools together. */
final class AgentNumbers implements AllocatorMetrics {
  private final List<Supplier<AddressCounts>> pools = new ArrayList<>();
  private final List<Supplier<BlockCounts>> blocks = new ArrayList<>();

  /**
   * Whether time alone will change what the agent asks for: addresses cool, a quarantine ends, or
   * pods that have gone count in the demand for some minutes more.
   *
   * @param waiting pods that wait
   */
  boolean changeWithTime(int waiting) {
    int pending = 0;
    for (Supplier<BlockCounts> each : blocks) {
      BlockCounts counts = each.get();
      if (counts.quarantined() > 0) {
        return true;
      }
      pending += counts.pending();
    }
    return pending > waiting || pools.stream().anyMatch(each -> each.get().cooling() > 0);
  }

  @Override
  public void pool(String family, String pool, Supplier<AddressCounts> counts) {
    pools.add(counts);
  }

  @Override
  public void blocks(String family, String pool, Supplier<BlockCounts> counts) {
    blocks.add(counts);
  }

  @Override
  public void offerRebuilt() {
    throw new IllegalStateException("addresses on offer were not handed out");
  }

  @Override
  public TriggerMetrics sync() {
    return NoMetrics.TRIGGER;
  }

  @Override
  public void allocated(String family, String pool, long reuseNanos) {}

  @Override
  public void released(String family) {}

  @Override
  public void denied(String family, boolean exhausted) {}
}
