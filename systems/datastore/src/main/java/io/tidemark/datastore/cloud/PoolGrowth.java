package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.datastore.cloud.CloudAnswers.Request;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.demand.GrowthKind;
import io.tidemark.demand.LeadTimes;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.BackoffState;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the cloud for more: first there, then here. Remembers what it was refused. Not thread-safe.
 */
final class PoolGrowth {
  /** After it said that the subnet is full the cloud is asked for nothing more. */
  static final Duration SUBNET_PAUSE = Duration.ofMinutes(2);

  /** So long pods that come one after the other are gathered for one request. */
  static final Duration GATHERED = Duration.ofSeconds(5);

  /** A request that found no address counts for so long. */
  static final Duration DEMAND_FOR = Duration.ofSeconds(60);

  private static final BackoffPolicy RETRY =
      new BackoffPolicy(Duration.ofSeconds(1), 2, SUBNET_PAUSE, true, true, Duration.ofMinutes(10));

  private static final Logger LOG = LoggerFactory.getLogger(PoolGrowth.class);

  /** The durations of its steps, until pods can use what came. */
  final LeadTimes leadTimes = new LeadTimes();

  private final CardInventory card;
  private final InterfaceCloud cloud;
  private final CloudAnswers answers;
  private final ReadSchedule reads;
  private final TimeSource time;
  private final RandomGenerator random;
  private BackoffState failures = BackoffState.NONE;
  private Optional<String> problem = Optional.empty();
  private boolean underWay;

  /** An answer was lost to what must not be asked for twice; no read yet that cannot lag behind. */
  private boolean unsure;

  private long unsureSince;
  private boolean refused;
  private boolean subnetFull;
  private long notBefore;
  private long notServed;
  private int demand;
  private long demandSeen;
  private boolean low;
  private long lowSince;

  /** The step that is decided or under way; null when there is none. */
  private @Nullable GrowthKind step;

  private long decidedNanos;

  /** The interface that the step has given something; empty before. */
  private String given = "";

  PoolGrowth(
      CardInventory card,
      InterfaceCloud cloud,
      CloudAnswers answers,
      ReadSchedule reads,
      TimeSource time,
      RandomGenerator random) {
    this.card = card;
    this.cloud = cloud;
    this.answers = answers;
    this.reads = reads;
    this.time = time;
    this.random = random;
  }

  boolean isUnderWay() {
    return underWay;
  }

  /** Whether no request may begin now: how one ended is not known, or it failed not long ago. */
  boolean waits(long now) {
    return unsure || reads.isWanted() || isPausing(now);
  }

  /** Whether a read decides how a request ended, and is late enough now. */
  boolean needsRead(long now) {
    return unsure && now - unsureSince >= ReadLagHistory.LAG_MAX.toNanos();
  }

  /**
   * A read has shown what the instance has.
   *
   * @param asked when it began
   */
  void settle(long asked) {
    unsure = unsure && asked - unsureSince < ReadLagHistory.LAG_MAX.toNanos();
  }

  /** Whether the cloud gives no more for the time being. One lost answer does not mean that. */
  boolean isRefused(long now) {
    return isPausing(now) && (refused || failures.failures() > 1);
  }

  private boolean isPausing(long now) {
    return problem.isPresent() && now - notBefore < 0;
  }

  /** The cloud's answer to the last request, if it did not give all. */
  Optional<String> problem() {
    return problem;
  }

  /** Whether the pool has enough, or has had too few for a few seconds at most. */
  boolean isLowLately(long now) {
    return !low || now - lowSince < GATHERED.toNanos();
  }

  /** The pool has too few now, or enough. */
  void low(boolean isLow, long now) {
    lowSince = low ? lowSince : now;
    low = isLow;
  }

  /**
   * The clock of a step starts with the decision, and runs on while a request is held back.
   *
   * @param next the step, if there is one
   */
  void decided(boolean grows, GrowthKind next, long now) {
    if (underWay || !given.isEmpty()) {
      return;
    }
    if (grows) {
      decidedNanos = step == null ? now : decidedNanos;
      step = next;
    } else if (!waits(now)) {
      step = null;
    }
  }

  /** Ends the clock of a step once pods can use what came, or somebody has to see to it. */
  void used(long now) {
    if (given.isEmpty()
        || (now - decidedNanos < InterfaceCloud.CHANGE_MAX.toNanos()
            && card.store.view().enis().stream().noneMatch(it -> it.spec().id().equals(given)))) {
      return;
    }
    if (step != null) {
      leadTimes.ended(step, now - decidedNanos);
    }
    step = null;
    given = "";
  }

  /** Requests that found no address since the pool has grown last, as far as they still count. */
  int demand(long now) {
    long all = card.store.counters().noAddress();
    if (all > notServed) {
      demand += (int) Math.min(1_000, all - notServed);
      demandSeen = now;
      notServed = all;
    } else if (now - demandSeen >= DEMAND_FOR.toNanos()) {
      demand = 0;
    }
    return demand;
  }

  /**
   * Asks for more; for one alone after the subnet was full, which may have fewer than are short.
   */
  void begin(Growth growth, IpFamily family, CidrKind kind) {
    if (growth instanceof Growth.OnEni more) {
      assign(more.eniId(), family, kind, subnetFull ? 1 : more.count());
    } else if (growth instanceof Growth.NewEni more) {
      create(kind, subnetFull ? 1 : more.count());
    }
  }

  private void assign(String eniId, IpFamily family, CidrKind kind, int count) {
    underWay = true;
    LOG.info("Asking for more. eni={} family={} kind={} count={}", eniId, family, kind, count);
    answers.within(
        Request.ASSIGN,
        cloud.assign(eniId, family, kind, count),
        answer -> {
          // A second IPv6 prefix would stay for good.
          unsure = family == IpFamily.IPV6 && answer instanceof CloudAnswer.Unknown;
          unsureSince = time.nanos();
          ended(
              answer,
              cidrs -> {
                card.given(eniId, kind, cidrs);
                return cidrs.isEmpty() ? Optional.empty() : Optional.of(eniId);
              },
              count,
              one -> assign(eniId, family, kind, one));
        });
  }

  private void create(CidrKind kind, int count) {
    underWay = true;
    LOG.info("Asking for an interface. kind={} count={}", kind, count);
    answers.within(
        Request.CREATE,
        cloud.createEni(kind, count),
        answer ->
            ended(
                answer,
                eni -> {
                  if (eni.managed()) {
                    card.given(eni);
                  } else {
                    reads.want(time.nanos());
                  }
                  return Optional.of(eni.spec().id());
                },
                count,
                one -> create(kind, one)));
  }

  /**
   * A request has ended.
   *
   * @param takeUp takes up what came; the interface that has it, empty when nothing came
   */
  private <T> void ended(
      CloudAnswer<T> answer,
      Function<T, Optional<String>> takeUp,
      int count,
      Consumer<Integer> again) {
    underWay = false;
    if (answer instanceof CloudAnswer.Done<T> done) {
      Optional<String> more = takeUp.apply(done.value());
      if (more.isEmpty()) {
        failed("the cloud gave nothing", true);
        return;
      }
      given = given.isEmpty() ? more.get() : given;
      demand = 0;
      subnetFull = false;
      failures = BackoffState.NONE;
      problem = Optional.empty();
    } else if (answer instanceof CloudAnswer.Refused<T> no) {
      refused(no, count, again);
    } else if (answer instanceof CloudAnswer.Unknown<T> unknown) {
      step = null;
      reads.want(time.nanos());
      failed(unknown.text(), false);
    }
  }

  private void refused(CloudAnswer.Refused<?> no, int count, Consumer<Integer> again) {
    if (no.reason() == Reason.OTHER && count > 1) {
      again.accept(1);
      return;
    }
    if (no.reason() == Reason.LIMIT_REACHED || no.reason() == Reason.NOT_FOUND) {
      reads.want(time.nanos());
    }
    failed(no.text(), no.reason() != Reason.UNAVAILABLE);
    if (no.reason() == Reason.SUBNET_FULL) {
      subnetFull = true;
      notBefore = time.nanos() + SUBNET_PAUSE.toNanos();
    }
  }

  private void failed(String text, boolean byCloud) {
    LOG.warn("The node does not get more addresses: {}", text);
    long now = time.nanos();
    problem = Optional.of(text);
    refused = byCloud;
    step = byCloud ? null : step;
    failures = failures.failed(RETRY, now);
    Duration pause = RETRY.pause(failures.failures(), random);
    notBefore = now + pause.toNanos();
  }
}
