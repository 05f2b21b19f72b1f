package io.tidemark.demand;

/**
 * The settings of mode {@code demand}.
 *
 * @param quantile share of pods that find an address when they arrive, above 0 and below 1
 * @param spareMin least spare addresses of a node, from 1
 * @param spareMax most spare addresses of a node, from {@code spareMin} to 64, the largest growth
 *     that is counted
 */
public record DemandSettings(double quantile, int spareMin, int spareMax) {
  /** The defaults. */
  public static final DemandSettings DEFAULT = new DemandSettings(0.999, 1, 64);

  int bounded(double spare) {
    return Math.max(spareMin, Math.min(spareMax, (int) Math.ceil(spare)));
  }
}
