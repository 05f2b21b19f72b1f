package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Another cloud, whose calls a test sees first. */
abstract class RelayedCloud implements InterfaceCloud {
  final InterfaceCloud cloud;

  RelayedCloud(InterfaceCloud cloud) {
    this.cloud = cloud;
  }

  /** Makes a call, such as {@code assign eni-0 2}. */
  abstract <T> CompletionStage<CloudAnswer<T>> call(
      String operation, Supplier<CompletionStage<CloudAnswer<T>>> call);

  @Override
  public CompletionStage<CloudAnswer<List<CloudEni>>> read() {
    return call("read", cloud::read);
  }

  @Override
  public CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count) {
    return call("create " + count, () -> cloud.createEni(kind, count));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> assign(
      String eniId, IpFamily family, CidrKind kind, int count) {
    return call("assign " + eniId + " " + count, () -> cloud.assign(eniId, family, kind, count));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> unassign(
      String eniId, CidrKind kind, List<Cidr> cidrs) {
    return call("unassign " + eniId + " " + cidrs.size(), () -> cloud.unassign(eniId, kind, cidrs));
  }

  @Override
  public CompletionStage<CloudAnswer<String>> removeEni(String eniId) {
    return call("remove " + eniId, () -> cloud.removeEni(eniId));
  }
}
