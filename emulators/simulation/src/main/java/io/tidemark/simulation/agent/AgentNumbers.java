package io.tidemark.simulation.agent;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.metrics.Meters;

/** The measurements of the allocators of one process, all pools together. */
final class AgentNumbers {
  private final MeterRegistry registry = new SimpleMeterRegistry();
  final Meters meters = new Meters(registry);

  AgentNumbers() {
    registry
        .config()
        .onMeterAdded(
            meter -> {
              if (meter.getId().getName().equals("cilium_ipam_offer_rebuilt_total")) {
                throw new IllegalStateException("addresses on offer were not handed out");
              }
            });
  }

  /**
   * Whether time alone will change what the agent asks for: addresses cool, a quarantine ends, or
   * pods that have gone count in the demand for some minutes more.
   *
   * @param waiting pods that wait
   */
  boolean changeWithTime(int waiting) {
    return sum("cilium_ipam_quarantined") > 0
        || sum("cilium_ipam_pending") > waiting
        || sum("cilium_ipam_cooling") > 0;
  }

  private double sum(String gauges) {
    return registry.find(gauges).gauges().stream().mapToDouble(Gauge::value).sum();
  }
}
