package io.tidemark.provider.aws.start;

import io.tidemark.provider.aws.ec2.Ec2Connection;
import io.tidemark.provider.aws.eni.Whereabouts;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Region and account of the requests. Only messages need the account, so it is read from STS once,
 * for the first message. Thread-safe.
 */
public final class RegionAndAccount implements Whereabouts {
  private static final Logger LOG = LoggerFactory.getLogger(RegionAndAccount.class);

  /** Nobody waits longer to read a number. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private record Opened(String region, Ec2Connection connection) {}

  private final CloudCalls calls;
  private final TaskScheduler scheduler;
  private final OperatorNotices notices;
  private final Cancellation shutdown;
  private final AtomicBoolean reported = new AtomicBoolean();
  private final AtomicReference<@Nullable CompletableFuture<Void>> asked = new AtomicReference<>();
  private volatile Optional<Opened> opened = Optional.empty();
  private volatile Optional<String> account = Optional.empty();

  RegionAndAccount(
      CloudCalls calls, TaskScheduler scheduler, OperatorNotices notices, Cancellation shutdown) {
    this.calls = calls;
    this.scheduler = scheduler;
    this.notices = notices;
    this.shutdown = shutdown;
  }

  void opened(String region, Ec2Connection connection) {
    opened = Optional.of(new Opened(region, connection));
  }

  @Override
  public String text() {
    String region = opened.map(to -> "region " + to.region()).orElse("a region not known yet");
    return region + account.map(id -> " of account " + id).orElse("");
  }

  @Override
  public CompletionStage<?> find() {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> first = asked.compareAndExchange(null, mine);
    if (first != null) {
      return first;
    }
    ask().whenComplete((done, thrown) -> mine.complete(null));
    return mine;
  }

  @Override
  public void noneExists() {
    if (!reported.getAndSet(true)) {
      String detail = "none of the instances that the nodes name exists in " + text();
      BlockedReason code = BlockedReason.INSTANCES_ELSEWHERE;
      LOG.warn("{} {}: {}. {}", code.label(), code, detail, code.remedy());
      notices.report(code, detail);
    }
  }

  private CompletionStage<?> ask() {
    if (opened.isEmpty()) {
      return CompletableFuture.completedStage(null);
    }
    Ec2Connection connection = opened.get().connection();
    CallContext context =
        CallContext.within(PATIENCE, scheduler.time(), "", Priority.Rank.REPAIR, shutdown);
    return calls
        .call(StartupRequests.IDENTITY, context, attempt -> connection.accountId())
        .thenAccept(
            result -> account = result.match(Optional::of, failure -> Optional.<String>empty()));
  }
}
