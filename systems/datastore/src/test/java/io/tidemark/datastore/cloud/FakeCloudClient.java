package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How one program of the node calls the {@link FakeCloud}. */
final class FakeCloudClient implements InterfaceCloud {
  static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Faults beside those of the network. */
  interface Faults {
    /** Why a change is refused; null when it is not. */
    @Nullable Reason refusal(String operation);

    /** The answer of a read, of the cloud's content. */
    List<CloudEni> shown(FakeCloud cloud);
  }

  private final FakeCloud cloud;
  private final EffectRunner effects;
  private final Faults faults;

  FakeCloudClient(FakeCloud cloud, EffectRunner effects, Faults faults) {
    this.cloud = cloud;
    this.effects = effects;
    this.faults = faults;
  }

  @Override
  public CompletionStage<CloudAnswer<List<CloudEni>>> read() {
    return call("read", () -> new CloudAnswer.Done<>(faults.shown(cloud)));
  }

  @Override
  public CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count) {
    return change("create " + count, () -> cloud.createEni(kind, count));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> assign(
      String eniId, IpFamily family, CidrKind kind, int count) {
    return change("assign " + eniId, () -> cloud.assign(eniId, family, kind, count));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> unassign(
      String eniId, CidrKind kind, List<Cidr> cidrs) {
    return change("unassign " + eniId, () -> cloud.unassign(eniId, kind, cidrs));
  }

  @Override
  public CompletionStage<CloudAnswer<String>> removeEni(String eniId) {
    return change("remove " + eniId, () -> cloud.removeEni(eniId));
  }

  private <T> CompletionStage<CloudAnswer<T>> change(
      String operation, Supplier<CloudAnswer<T>> leaf) {
    return call(
        operation,
        () -> {
          Reason reason = faults.refusal(operation);
          return reason == null
              ? leaf.get()
              : new CloudAnswer.Refused<>(reason, "refused: " + reason);
        });
  }

  private <T> CompletionStage<CloudAnswer<T>> call(
      String operation, Supplier<CloudAnswer<T>> leaf) {
    return effects
        .run(new EffectSite(operation.replaceFirst(" .*", ""), ""), TIMEOUT, leaf::get)
        .stage()
        .exceptionally(thrown -> new CloudAnswer.Unknown<>(thrown.toString()));
  }
}
