package io.tidemark.metrics;

import java.time.Duration;

/**
 * Metrics of a provider of network interfaces, in addition to those of its requests. Thread-safe;
 * never blocks. Labels come from bounded sets, except for subnets, whose series are removed with
 * the subnet.
 */
public interface InterfaceMetrics {
  /**
   * The first request for addresses failed, and a fallback request was sent.
   *
   * @param rung the fallback, a name of the provider's ladder
   */
  void fallback(String rung);

  /** Addresses that requests in flight will take from a subnet. */
  void inFlight(String subnetId, long addresses);

  /** How old the count of a subnet's free addresses is; reported with each full scan. */
  void countAge(String subnetId, Duration age);

  /** Released addresses of a subnet that the cloud does not give again yet. */
  void quarantined(String subnetId, long addresses);

  /** The subnet is gone: its label sets are removed. */
  void subnetGone(String subnetId);

  /**
   * Where the limits of an instance type come from.
   *
   * @param source {@code settings}, {@code cloud} or {@code table}
   */
  void limitsSource(String type, String source);

  /**
   * A long-running operation is not waited for any longer.
   *
   * @param operation the request that began it
   * @param took since it was accepted
   */
  void operation(String operation, OperationEnd end, Duration took);

  /** How a long-running operation ended. */
  enum OperationEnd {
    /** As it should. */
    SUCCEEDED,
    /** With an error, or canceled. */
    FAILED,
    /** It was not seen to end. */
    UNKNOWN
  }

  /** A change was refused because somebody else had changed the resource since it was read. */
  void staleEtag();

  /**
   * The requests that the cloud says are left in one of its buckets.
   *
   * @param bucket as the cloud calls it
   */
  void remainingRequests(String bucket, long count);

  /** The state of the garbage collection of interfaces; reported after each check. */
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

  /** The fate of a left-over interface. */
  enum LeftOver {
    /** It was seen for the first time. */
    FOUND,
    /** It was deleted. */
    DELETED,
    /** It could not be deleted. */
    FAILED
  }
}
