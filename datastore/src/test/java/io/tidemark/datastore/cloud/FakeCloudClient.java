package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.ip.Cidr;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How one program of the node calls the {@link FakeCloud}. It checks the order of the calls: one
 * change at a time, none that grows within the pause after a full subnet, and none after a lost
 * answer before a read.
 */
final class FakeCloudClient implements InterfaceCloud {
  static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** What goes wrong beside the network. */
  interface Faults {
    /** Why a change is refused; null when it is not. */
    @Nullable Reason refusal(String operation);

    /** What a read answers, of what the cloud has. */
    List<CloudEni> shown(FakeCloud cloud);
  }

  /** The calls that began, for people. */
  final List<String> calls = new ArrayList<>();

  private final FakeCloud cloud;
  private final EffectRunner effects;
  private final TimeSource time;
  private final Faults faults;
  private int changing;
  private boolean unknown;
  private long lastRead = Long.MIN_VALUE / 2;
  private long unknownSince;
  private long fullSince = Long.MIN_VALUE / 2;
  long lastTrouble = Long.MIN_VALUE / 2;

  FakeCloudClient(FakeCloud cloud, EffectRunner effects, TimeSource time, Faults faults) {
    this.cloud = cloud;
    this.effects = effects;
    this.time = time;
    this.faults = faults;
  }

  @Override
  public CompletionStage<CloudAnswer<List<CloudEni>>> read() {
    lastRead = time.nanos();
    return call("read", () -> new CloudAnswer.Done<>(faults.shown(cloud)));
  }

  @Override
  public CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count) {
    return growth("create " + count, () -> cloud.createEni(kind, count));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> assign(String eniId, CidrKind kind, int count) {
    return growth("assign " + eniId + " " + count, () -> cloud.assign(eniId, kind, count));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> assignIpv6Prefix(String eniId) {
    return growth("assign6 " + eniId, () -> cloud.assignIpv6Prefix(eniId));
  }

  @Override
  public CompletionStage<CloudAnswer<List<Cidr>>> unassign(
      String eniId, CidrKind kind, List<Cidr> cidrs) {
    return change(
        "unassign " + eniId + " " + cidrs.size(), () -> cloud.unassign(eniId, kind, cidrs));
  }

  @Override
  public CompletionStage<CloudAnswer<String>> removeEni(String eniId) {
    return change("remove " + eniId, () -> cloud.removeEni(eniId));
  }

  private <T> CompletionStage<CloudAnswer<T>> growth(
      String operation, Supplier<CloudAnswer<T>> leaf) {
    assertThat(time.nanos() - fullSince)
        .as("%s after a full subnet", operation)
        .isGreaterThanOrEqualTo(PoolGrowth.SUBNET_PAUSE.toNanos());
    assertThat(unknown && lastRead < unknownSince)
        .as("%s after a lost answer, before a read", operation)
        .isFalse();
    unknown = false;
    return change(operation, leaf)
        .thenApply(
            answer -> {
              if (answer instanceof CloudAnswer.Refused<T> no
                  && no.reason() == Reason.SUBNET_FULL) {
                fullSince = time.nanos();
              } else if (answer instanceof CloudAnswer.Unknown<T>) {
                unknown = true;
                unknownSince = time.nanos();
              }
              return answer;
            });
  }

  private <T> CompletionStage<CloudAnswer<T>> change(
      String operation, Supplier<CloudAnswer<T>> leaf) {
    assertThat(changing).as("changes under way when %s begins", operation).isZero();
    changing++;
    return call(operation, () -> refusedOr(operation, leaf))
        .thenApply(
            answer -> {
              changing--;
              if (!(answer instanceof CloudAnswer.Done<T>)) {
                lastTrouble = time.nanos();
              }
              return answer;
            });
  }

  private <T> CloudAnswer<T> refusedOr(String operation, Supplier<CloudAnswer<T>> leaf) {
    Reason reason = faults.refusal(operation);
    return reason == null ? leaf.get() : new CloudAnswer.Refused<>(reason, "refused: " + reason);
  }

  private <T> CompletionStage<CloudAnswer<T>> call(
      String operation, Supplier<CloudAnswer<T>> leaf) {
    calls.add(operation);
    return effects
        .run(new EffectSite(operation.replaceFirst(" .*", ""), ""), TIMEOUT, leaf::get)
        .stage()
        .exceptionally(thrown -> new CloudAnswer.Unknown<>(thrown.toString()));
  }
}
