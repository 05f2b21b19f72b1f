package io.tidemark.provider.azure.simulation;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.ModelOptions.Announcement;
import io.tidemark.emulator.arm.model.ModelOptions.Busy;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.simulation.scenario.Scenario;
import java.time.Duration;
import java.util.SplittableRandom;

/** How Azure behaves in one run, beside the scenario. */
final class AzureBehaviour {
  private static final int ROOMY_PER_NODE = 40;

  private AzureBehaviour() {}

  /** Operations take ten seconds. */
  static ModelOptions plain(long seed, Scenario scenario) {
    return ModelOptions.builder(seed)
        .throttling(isThrottling(scenario))
        .operation(DelayRange.fixed(Duration.ofSeconds(10)))
        .listLag(DelayRange.upTo(scenario.stalestRead()))
        .reuseDelay(Duration.ofSeconds(isRoomy(scenario) ? 60 : 0))
        .build();
  }

  /** Everything that Azure leaves open is drawn. */
  static ModelOptions drawn(long seed, Scenario scenario) {
    SplittableRandom random = new SplittableRandom(seed ^ 0xbe4aL);
    Duration least = Duration.ofSeconds(random.nextInt(1, 10));
    Duration most = least.plusSeconds(random.nextInt(1, 40));
    ModelOptions.Builder options =
        ModelOptions.builder(seed)
            .throttling(isThrottling(scenario))
            .operation(new DelayRange(least, most))
            .listLag(DelayRange.upTo(scenario.stalestRead()))
            .announcement(one(random, Announcement.values()))
            .busy(one(random, Busy.values()))
            .blockForm(one(random, BlockForm.values()))
            .macDelay(DelayRange.upTo(Duration.ofSeconds(random.nextInt(0, 15))))
            .reuseDelay(Duration.ofSeconds(isRoomy(scenario) ? random.nextInt(0, 120) : 0))
            .pageSize(random.nextInt(5, 100))
            .tokenLife(Duration.ofMinutes(random.nextInt(6, 70)));
    if (random.nextBoolean()) {
      options.retryAfter(Duration.ofSeconds(random.nextInt(1, 15)));
    }
    return options.build();
  }

  private static boolean isThrottling(Scenario scenario) {
    return scenario.cloud().buckets() > 0;
  }

  /** Where a subnet can be full, the passing of time alone must not make room in it. */
  private static boolean isRoomy(Scenario scenario) {
    return scenario.subnets().stream()
        .allMatch(each -> each.cidr().sizeSaturated() >= (long) ROOMY_PER_NODE * scenario.nodes());
  }

  private static <T> T one(SplittableRandom random, T[] of) {
    return of[random.nextInt(of.length)];
  }
}
