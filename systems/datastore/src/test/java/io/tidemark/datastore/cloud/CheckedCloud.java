package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * How one program of the node calls its cloud. It checks the order of the calls: one change at a
 * time, none that grows within the pause after a full subnet, and none after a lost answer before a
 * read.
 */
public final class CheckedCloud extends RelayedCloud {
  private static final long NEVER = Long.MIN_VALUE / 2;

  /** The calls that began, for people. */
  final List<String> calls = new ArrayList<>();

  private final TimeSource time;
  private boolean changing;
  private long changingSince;
  private boolean unknown;
  private long lastRead = NEVER;
  private long unknownSince;
  private long fullSince = NEVER;
  private long lastTrouble = NEVER;

  public CheckedCloud(InterfaceCloud cloud, TimeSource time) {
    super(cloud);
    this.time = time;
  }

  /** Since the last change that was not done as it was asked. */
  Duration quietFor() {
    return Duration.ofNanos(time.nanos() - lastTrouble);
  }

  @Override
  <T> CompletionStage<CloudAnswer<T>> call(
      String operation, Supplier<CompletionStage<CloudAnswer<T>>> call) {
    if (operation.equals("read")) {
      lastRead = time.nanos();
      calls.add(operation);
      return call.get();
    }
    return operation.startsWith("create") || operation.startsWith("assign")
        ? growth(operation, call)
        : change(operation, call);
  }

  private <T> CompletionStage<CloudAnswer<T>> growth(
      String operation, Supplier<CompletionStage<CloudAnswer<T>>> request) {
    assertThat(time.nanos() - fullSince)
        .as("%s after a full subnet", operation)
        .isGreaterThanOrEqualTo(PoolGrowth.SUBNET_PAUSE.toNanos());
    assertThat(unknown && lastRead < unknownSince)
        .as("%s after a lost answer, before a read", operation)
        .isFalse();
    unknown = false;
    return change(operation, request)
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
      String operation, Supplier<CompletionStage<CloudAnswer<T>>> request) {
    long begun = time.nanos();
    assertThat(changing && begun - changingSince < CHANGE_MAX.toNanos())
        .as("a change is under way when %s begins", operation)
        .isFalse();
    changing = true;
    changingSince = begun;
    calls.add(operation);
    return request
        .get()
        .thenApply(
            answer -> {
              changing = changing && changingSince != begun;
              if (!(answer instanceof CloudAnswer.Done<T>)) {
                lastTrouble = time.nanos();
              }
              return answer;
            });
  }
}
