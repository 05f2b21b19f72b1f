package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.cloud.PoolDecision.Circumstances;
import io.tidemark.datastore.cloud.PoolDecision.Step;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.datastore.plan.PoolPlanner;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.demand.DemandWatermarks.Basis;
import io.tidemark.demand.GrowthKind;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import io.tidemark.time.Trigger;
import io.tidemark.time.TriggerKind;
import io.tidemark.time.TriggerObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the first network card of a node at its targets, and the stores of all cards equal to what
 * the cloud has (eni-datastore 7.4, 7.5). Looks every {@link #EVERY} and when it is asked to; at
 * most one change and one read are under way.
 *
 * <p>Thread-safe; never blocks, and holds no lock while it calls the stores or the cloud. All
 * decisions are made in one task of the scheduler at a time.
 */
public final class PoolReconciler implements AutoCloseable {
  /** Between two looks at the pool without a request. */
  public static final Duration EVERY = Duration.ofSeconds(5);

  /** Requests are answered together, and an answer of the cloud waits no longer than this. */
  private static final Duration FOLDED = Duration.ofMillis(100);

  /** The card that grows and shrinks; the others are compared alone. */
  private static final int FIRST_CARD = 0;

  private static final Logger LOG = LoggerFactory.getLogger(PoolReconciler.class);

  private final SortedMap<Integer, CardInventory> cards = new TreeMap<>();
  private final InterfaceCloud cloud;
  private final PoolTargets targets;
  private final TaskScheduler scheduler;
  private final TimeSource time;
  private final Trigger trigger;
  private final CloudAnswers answers;
  private final ReadSchedule reads;
  private final CardInventory first;
  private final PoolGrowth growth;
  private final PoolShrink shrink;
  private final Optional<PoolDemand> demand;

  /** Only the trigger's runs touch these. */
  private final List<CompletableFuture<Boolean>> filling = new ArrayList<>();

  private long lastChange;
  private int unmanaged;
  private List<CloudEni> preparing = List.of();

  private volatile boolean looking;
  private volatile boolean closed;
  private volatile boolean hasRead;
  private volatile @Nullable Cancellable timer;
  private volatile @Nullable Status status;

  /**
   * How the pool stands.
   *
   * @param plan what the first card lacks or has too much of
   * @param canGrow whether it would get more addresses if a pod found none
   * @param problem why the last request for more failed; empty when it did not
   * @param limits of the first card
   * @param serves whether it has an interface that pods can use
   * @param spare what its spare addresses follow; empty where they are static
   */
  public record Status(
      PoolPlan plan,
      boolean canGrow,
      Optional<String> problem,
      PoolLimits limits,
      boolean serves,
      Optional<DemandWatermarks> spare) {}

  /**
   * A loop that does nothing yet.
   *
   * @param stores of the cards, the first of which must be there
   * @param random for the pauses after failures
   */
  public PoolReconciler(
      MultiCardStore stores,
      InterfaceCloud cloud,
      PoolTargets targets,
      TaskScheduler scheduler,
      RandomGenerator random) {
    this.cloud = cloud;
    this.targets = targets;
    this.scheduler = scheduler;
    this.time = scheduler.time();
    this.lastChange = time.nanos();
    for (int number : stores.numbers()) {
      stores
          .card(number)
          .ifPresent(
              store ->
                  cards.put(
                      number,
                      new CardInventory(
                          number,
                          store,
                          time,
                          cidr ->
                              cards.values().stream()
                                  .anyMatch(it -> it.store != store && it.store.holds(cidr)))));
    }
    CardInventory card = cards.get(FIRST_CARD);
    if (card == null) {
      throw new IllegalArgumentException("no store of card " + FIRST_CARD);
    }
    this.first = card;
    this.trigger =
        Trigger.of(
            new TriggerKind("pool-reconciler", FOLDED, scheduler, TriggerObserver.NONE),
            task -> scheduler.after(Duration.ZERO, task),
            reasons -> run());
    this.answers = new CloudAnswers(scheduler, () -> trigger.trigger("answer"));
    this.reads = new ReadSchedule(random);
    this.growth = new PoolGrowth(first, cloud, answers, reads, time, random);
    this.shrink = new PoolShrink(first, cloud, answers, time);
    this.demand =
        targets.demand().filter(any -> targets.family() == IpFamily.IPV4).map(PoolDemand::new);
  }

  /**
   * Reads the cloud and puts what it has into the stores; before they are recovered. Ends with
   * whether the cloud has answered; if not, it can be called again.
   */
  public CompletionStage<Boolean> fill() {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    answers.when(
        CompletableFuture.completedStage(new CloudAnswer.Done<>(end)),
        answer -> {
          filling.add(end);
          if (!reads.isUnderWay()) {
            read(time.nanos());
          }
        });
    return end;
  }

  /**
   * Begins to look; after the stores have been recovered, and before pods get addresses of several
   * cards. Further calls do nothing.
   */
  public void start() {
    if (looking) {
      return;
    }
    looking = true;
    cards.values().forEach(CardInventory::yieldToOthers);
    cards.tailMap(FIRST_CARD + 1).values().forEach(card -> card.store.growable(false));
    tick();
  }

  private void tick() {
    if (!closed) {
      trigger.trigger("time");
      timer = scheduler.after(EVERY, this::tick);
    }
  }

  /** The addresses of pods have changed, or a pod has found none: looks soon. */
  public void request() {
    if (looking) {
      trigger.trigger("request");
    }
  }

  /** The host is set up for an interface now: the cloud is read soon, and pods can use it. */
  public void prepared() {
    answers.when(
        CompletableFuture.completedStage(new CloudAnswer.Done<>(true)),
        answer -> reads.want(time.nanos()));
  }

  /** Whether the cloud has been read, since this was made. */
  public boolean hasReadCloud() {
    return hasRead;
  }

  /** How the pool stood at the last look; empty before the cloud was read. */
  public Optional<Status> status() {
    return Optional.ofNullable(status);
  }

  /** Shows the numbers of the first card, and counts requests, from now on. */
  public void measure(Meters meters) {
    answers.measure(meters);
    first.measure(() -> status().map(Status::limits), targets.family(), meters);
  }

  /** Ends the loop; a request that is under way ends in the cloud alone. Idempotent. */
  @Override
  public void close() {
    closed = true;
    trigger.shutdown();
    Cancellable next = timer;
    if (next != null) {
      next.cancel();
    }
  }

  // ---- one run

  private void run() {
    answers.handle();
    if (!looking || closed) {
      return;
    }
    long now = time.nanos();
    growth.used(now);
    boolean doubt = cards.values().stream().anyMatch(card -> card.history.isInDoubt());
    if (reads.isDue(now, lastChange, doubt || shrink.needsRead(now) || growth.needsRead(now))) {
      read(now);
    }
    if (reads.isDone()) {
      look(now);
    }
  }

  private void look(long now) {
    Optional<PoolLimits> known = targets.knownLimits();
    if (known.isEmpty()) {
      first.store.growable(true);
      return;
    }
    PoolLimits limits = known.get().withUnmanaged(unmanaged);
    DataStore.Observation observed = first.store.observe();
    PoolView view = observed.view();
    boolean idle = !growth.isUnderWay() && !shrink.isUnderWay();
    Pending pending = pending(view, observed.unrecorded());
    GrowthKind next = PoolPlanner.nextStep(view, limits);
    Optional<PoolDemand.Spare> following =
        demand.map(
            it ->
                it.observe(
                    targets.warm(),
                    view.stats(IpFamily.IPV4),
                    pending,
                    observed.waiting(),
                    growth.leadTimes.of(next),
                    now));
    Optional<DemandWatermarks> spare = following.map(PoolDemand.Spare::watermarks);
    PoolDecision decision =
        PoolDecision.of(
            view,
            following.map(it -> targets.with(it.warm())).orElse(targets),
            limits,
            new Circumstances(
                pending,
                growth.demand(now),
                growth.waits(now),
                growth.isLowLately(now) && spare.filter(it -> it.basis() != Basis.STATIC).isEmpty(),
                growth.isRefused(now),
                idle && shrink.mayBegin(now)));
    growth.low(decision.plan().isLow(), now);
    growth.decided(decision.step() instanceof Step.Grow, next, now);
    boolean canGrow = decision.canGrow() || !reads.isConfirmed();
    first.store.growable(canGrow);
    boolean serves = view.enis().stream().anyMatch(eni -> !eni.excluded());
    status = new Status(decision.plan(), canGrow, growth.problem(), limits, serves, spare);
    if (idle) {
      begin(decision.step(), view);
      lastChange = growth.isUnderWay() || shrink.isUnderWay() ? now : lastChange;
    }
  }

  private Pending pending(PoolView view, int unrecorded) {
    int cooling = Math.min(view.stats(IpFamily.IPV4).cooling(), unrecorded);
    if (preparing.isEmpty() && cooling == 0) {
      return Pending.NONE;
    }
    List<Cidr> cidrs =
        preparing.stream()
            .flatMap(eni -> eni.cidrs().stream())
            .filter(each -> each.kind() == view.mode())
            .map(CloudEni.CloudCidr::cidr)
            .filter(cidr -> cidr.family() == IpFamily.IPV4)
            .toList();
    return new Pending(
        preparing.stream().map(eni -> eni.spec().id()).toList(),
        cidrs.stream().mapToLong(Cidr::sizeSaturated).sum(),
        view.mode() == CidrKind.PREFIX ? cidrs.size() : 0,
        cooling);
  }

  private void begin(Step step, PoolView view) {
    if (step instanceof Step.Grow more) {
      growth.begin(more.growth(), targets.family(), view.mode());
    } else {
      shrink.begin(step);
    }
  }

  // ---- reading

  private void read(long now) {
    reads.began(now);
    answers.within(CloudAnswers.Request.READ, cloud.read(), answer -> answered(answer, now));
  }

  private void answered(CloudAnswer<List<CloudEni>> answer, long asked) {
    boolean usable =
        answer instanceof CloudAnswer.Done<List<CloudEni>> done && isWhole(done.value());
    if (usable) {
      reads.answered(time.nanos());
      takeUp(((CloudAnswer.Done<List<CloudEni>>) answer).value(), asked);
      hasRead = true;
    } else {
      LOG.warn("The cloud cannot be read, so the pool stays as it is: {}", text(answer));
      reads.failed(time.nanos());
    }
    filling.forEach(end -> end.complete(usable));
    filling.clear();
  }

  /** An instance always has its primary interface: an answer without it says nothing. */
  private static boolean isWhole(List<CloudEni> enis) {
    return enis.stream().anyMatch(eni -> eni.spec().primary());
  }

  private static String text(CloudAnswer<?> answer) {
    if (answer instanceof CloudAnswer.Refused<?> no) {
      return no.text();
    }
    return answer instanceof CloudAnswer.Unknown<?> unknown
        ? unknown.text()
        : "the answer lacks the primary interface";
  }

  private void takeUp(List<CloudEni> enis, long asked) {
    unmanaged =
        (int) enis.stream().filter(eni -> eni.card() == FIRST_CARD && !eni.managed()).count();
    preparing = enis.stream().filter(eni -> eni.card() == FIRST_CARD && eni.preparing()).toList();
    shrink.settle(enis, asked);
    growth.settle(asked);
    for (CardInventory card : cards.values()) {
      if (card.reconcile(enis, asked)) {
        lastChange = time.nanos();
      }
    }
  }
}
