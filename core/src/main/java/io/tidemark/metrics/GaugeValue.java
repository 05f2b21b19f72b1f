package io.tidemark.metrics;

/** The value of a gauge. Thread-safe. */
final class GaugeValue {
  private volatile double value;

  double value() {
    return value;
  }

  void set(double newValue) {
    value = newValue;
  }

  /** Exact up to 2^53. */
  void set(long newValue) {
    set((double) newValue);
  }

  synchronized void add(long more) {
    value += (double) more;
  }
}
