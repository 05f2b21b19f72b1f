package io.tidemark.it.benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.time.SystemTime;
import java.lang.management.ManagementFactory;

/** Wall time and CPU time of the process since this was made. */
final class Spent {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final long startNanos = SystemTime.instance().nanos();
  private final long startCpuNanos = SYSTEM.getProcessCpuTime();

  /** The same by call. */
  record PerCall(double callsPerSecond, double cpuMicros) {}

  long wallNanos() {
    return SystemTime.instance().nanos() - startNanos;
  }

  PerCall per(int calls) {
    return new PerCall(
        calls / (wallNanos() / 1e9), (SYSTEM.getProcessCpuTime() - startCpuNanos) / 1e3 / calls);
  }
}
