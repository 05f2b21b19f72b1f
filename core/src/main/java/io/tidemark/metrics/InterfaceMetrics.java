package io.tidemark.metrics;

/**
 * What a provider of network interfaces measures beside its requests. Thread-safe; never blocks;
 * labels come from bounded sets, but for subnets, which are removed when they are gone.
 */
public interface InterfaceMetrics {
  /**
   * Addresses could not be had as they were asked for first, and were asked for in another way.
   *
   * @param rung which way, a name of the provider's ladder
   */
  void fallback(String rung);

  /** Addresses that requests on the way will take from a subnet. */
  void inFlight(String subnetId, long addresses);

  /** The subnet is gone: its label set is removed. */
  void subnetGone(String subnetId);

  /**
   * Where the limits of an instance type come from.
   *
   * @param source {@code settings}, {@code cloud} or {@code table}
   */
  void limitsSource(String type, String source);

  /** How the collection of left-over interfaces stands; told whenever it is looked at. */
  void collection(Collection state);

  /** Whether left-over interfaces are collected. */
  enum Collection {
    /** They are. */
    ON,
    /** The settings say that they are not. */
    OFF,
    /** They are not, because the cluster has no name by which its own could be known. */
    UNNAMED
  }

  /** Something happened to an interface that is left over. */
  void leftOver(LeftOver what);

  /** What becomes of a left-over interface. */
  enum LeftOver {
    /** It was seen for the first time. */
    FOUND,
    /** It was deleted. */
    DELETED,
    /** It could not be deleted. */
    FAILED
  }
}
