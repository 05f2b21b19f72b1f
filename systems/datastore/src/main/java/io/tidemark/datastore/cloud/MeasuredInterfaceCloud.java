package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Counts the requests of a loop that are under way and those that failed, by the names that the AWS
 * VPC CNI gives to its own steps. Thread-safe as the cloud behind it is.
 */
public final class MeasuredInterfaceCloud implements InterfaceCloud {
  private static final String INCREASE = "increaseDatastorePool";
  private static final String DECREASE = "decreaseDatastorePool";
  private static final String RECONCILE = "nodeIPPoolReconcile";

  private final InterfaceCloud cloud;
  private final Meters meters;

  /** The requests to {@code cloud}. */
  public MeasuredInterfaceCloud(InterfaceCloud cloud, Meters meters) {
    this.cloud = cloud;
    this.meters = meters;
  }

  private <T> CompletionStage<CloudAnswer<T>> measured(
      String action, String failure, Supplier<CompletionStage<CloudAnswer<T>>> request) {
    meters.gauge(Metric.STORE_IN_PROGRESS, action).add(1);
    return request
        .get()
        .whenComplete(
            (answer, thrown) -> {
              meters.gauge(Metric.STORE_IN_PROGRESS, action).add(-1);
              if (!(answer instanceof CloudAnswer.Done)) {
                meters.gauge(Metric.STORE_ERRORS, failure).add(1);
              }
            });
  }

  @Override
  public CompletionStage<CloudAnswer<List<CloudEni>>> read() {
    return measured(RECONCILE, "reconcileFailedGetENIs", cloud::read);
  }

  @Override
  public CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count) {
    return measured(INCREASE, "increaseIPPoolAllocENI", () -> cloud.createEni(kind, count));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> assign(String eniId, CidrKind kind, int count) {
    return measured(
        INCREASE, "increaseIPPoolAllocIPAddressesFailed", () -> cloud.assign(eniId, kind, count));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> assignIpv6Prefix(String eniId) {
    return measured(
        INCREASE, "increaseIPPoolAllocIPAddressesFailed", () -> cloud.assignIpv6Prefix(eniId));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> unassign(
      String eniId, CidrKind kind, List<Cidr> cidrs) {
    return measured(DECREASE, "decreaseIPPool", () -> cloud.unassign(eniId, kind, cidrs));
  }

  @Override
  public CompletionStage<CloudAnswer<String>> removeEni(String eniId) {
    return measured(DECREASE, "decreaseIPPoolFreeENIFailed", () -> cloud.removeEni(eniId));
  }
}
