package io.tidemark.metrics;

import java.time.Duration;

/** The value of a gauge. Thread-safe. */
public class GaugeValue {
  private volatile double value;

  double value() {
    return value;
  }

  /** From now on it is this. */
  public void set(double newValue) {
    value = newValue;
  }

  /** From now on it is this, exact up to 2^53. */
  public void set(long newValue) {
    set((double) newValue);
  }

  /** From now on it is this, in seconds. */
  public void set(Duration newValue) {
    set(newValue.getSeconds() + newValue.getNano() / 1e9);
  }

  /** It grows by this, or shrinks if it is negative. */
  public synchronized void add(long more) {
    value += (double) more;
  }
}
