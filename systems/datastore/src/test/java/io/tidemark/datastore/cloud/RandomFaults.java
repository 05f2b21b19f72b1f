package io.tidemark.datastore.cloud;

import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random faults between a node and its cloud: slow and lost requests and answers, refusals, answers
 * that lag behind or lack something, and crashes before and after each effect.
 */
public final class RandomFaults implements EffectModel, FakeCloudClient.Faults {
  private static final List<Reason> REFUSALS =
      List.of(Reason.OTHER, Reason.SUBNET_FULL, Reason.UNAVAILABLE);

  /** Shorter than what the loop allows for. */
  private static final int LAG_MAX_SECONDS = 20;

  /** A request that was given up may arrive so much later. */
  private static final int LATE_MAX_SECONDS = 8;

  private static final Duration INCOMPLETE_EVERY = Duration.ofMinutes(5);

  private final Random random;
  private final VirtualTime time;
  private final Runnable crash;
  private long incompleteSince = Long.MIN_VALUE / 2;

  private boolean on = true;

  /** The effect, counted from 0, before which or after which the program crashes. */
  private int crashBefore = -1;

  private int crashAfter = -1;
  private int begun;
  private int executed;

  /** How many of what has happened. */
  int crashes;

  int lost;
  int refused;
  int stale;

  /**
   * Everything goes wrong now and then.
   *
   * @param crash has the program end at this instant
   */
  public RandomFaults(Random random, VirtualTime time, Runnable crash) {
    this.random = random;
    this.time = time;
    this.crash = crash;
  }

  /** Nothing goes wrong from now on. */
  public void end() {
    on = false;
  }

  /** Nothing goes wrong but for one crash, before or after the effect of this number. */
  public void crashOnly(int effect, boolean after) {
    on = false;
    if (after) {
      crashAfter = effect;
    } else {
      crashBefore = effect;
    }
  }

  /** Crashes, and requests and answers that were lost. */
  public List<Integer> counts() {
    return List.of(crashes, lost);
  }

  private boolean draw(int oneIn) {
    return on && random.nextInt(oneIn) == 0;
  }

  @Override
  public EffectFate decide(EffectSite site, Duration timeout) {
    crashIf(draw(400) || begun++ == crashBefore);
    boolean write = site.operation().contains("write");
    Duration travel = Duration.ofMillis(1 + random.nextInt(write ? 5 : 200));
    if (write || !draw(6)) {
      return EffectFate.answered(travel, travel);
    }
    Duration late = timeout.plusSeconds(random.nextInt(LATE_MAX_SECONDS));
    return switch (random.nextInt(5)) {
      case 0 -> lost(EffectFate.requestLost());
      case 1 -> lost(EffectFate.answerLost(travel));
      case 2 -> lost(EffectFate.answered(late, travel));
      default -> EffectFate.answered(Duration.ofSeconds(random.nextInt(10)), travel);
    };
  }

  private EffectFate lost(EffectFate fate) {
    lost++;
    return fate;
  }

  @Override
  public void executed(EffectSite site) {
    crashIf(draw(400) || executed++ == crashAfter);
  }

  private void crashIf(boolean chosen) {
    if (chosen) {
      crashes++;
      crash.run();
    }
  }

  @Override
  public @Nullable Reason refusal(String operation) {
    if (!draw(15)) {
      return null;
    }
    refused++;
    return REFUSALS.get(random.nextInt(REFUSALS.size()));
  }

  @Override
  public List<CloudEni> shown(FakeCloud cloud) {
    if (draw(4)) {
      stale++;
      return cloud.before(Duration.ofMillis(random.nextInt(LAG_MAX_SECONDS * 1_000)));
    }
    List<CloudEni> now = cloud.now();
    boolean calm = time.nanos() - incompleteSince >= INCOMPLETE_EVERY.toNanos();
    return calm && draw(6) ? incomplete(now) : now;
  }

  /** An answer that lacks an interface, an address or everything. */
  private List<CloudEni> incomplete(List<CloudEni> now) {
    incompleteSince = time.nanos();
    List<CloudEni> shown = new ArrayList<>(now);
    CloudEni eni = shown.remove(random.nextInt(shown.size()));
    if (random.nextBoolean() && !eni.cidrs().isEmpty()) {
      List<CloudEni.CloudCidr> cidrs = new ArrayList<>(eni.cidrs());
      cidrs.remove(random.nextInt(cidrs.size()));
      shown.add(new CloudEni(eni.spec(), eni.card(), eni.mac(), eni.managed(), cidrs));
    }
    return random.nextInt(4) == 0 ? List.of() : shown;
  }
}
