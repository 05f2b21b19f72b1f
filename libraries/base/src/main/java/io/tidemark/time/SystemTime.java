package io.tidemark.time;

/**
 * The machine's clocks. Monotonic time counts from the moment the class was loaded, so that sums
 * with it do not overflow. Thread-safe.
 */
public final class SystemTime implements TimeSource {
  private static final SystemTime INSTANCE = new SystemTime();

  private final long originNanos = System.nanoTime();

  private SystemTime() {}

  /** The only one: all durations of a process are comparable. */
  public static SystemTime instance() {
    return INSTANCE;
  }

  @Override
  public long nanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public long epochMillis() {
    return System.currentTimeMillis();
  }
}
