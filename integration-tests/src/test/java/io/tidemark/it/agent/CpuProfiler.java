package io.tidemark.it.agent;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The CPU time of one operation, with all threads of the process counted: hardly more on a machine
 * that others use as well.
 */
public final class CpuProfiler implements InternalProfiler {
  static final String NANOS = "cpu";

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private long beforeNanos;

  @Override
  public String getDescription() {
    return "CPU time of one operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    beforeNanos = SYSTEM.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = SYSTEM.getProcessCpuTime() - beforeNanos;
    return List.of(
        new ScalarResult(
            NANOS, nanos / result.getMetadata().getAllOps(), "ns/op", AggregationPolicy.AVG));
  }
}
