package io.tidemark.operator.view;

import io.tidemark.cluster.run.RunThreads;
import io.tidemark.config.ConfigSource;
import io.tidemark.metrics.Meters;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.util.random.RandomGenerator;

/**
 * The cloud that the pod CIDRs of nodes follow.
 *
 * @param factory of a provider that assigns ranges to instances
 * @param source all settings; the provider reads its own
 * @param metrics of the requests
 */
public record NodeCidrCloud(ProviderFactory factory, ConfigSource source, Meters metrics) {
  static final int REQUESTS = 16;

  /** No name: nothing is created that carries one, so a provider need not look for it. */
  private static final String CLUSTER = "";

  /** The cloud, ready for requests. */
  record Open(AllocationImplementation provider, StandardCloudCallsFactory calls) {}

  /**
   * Makes it ready.
   *
   * @param fence asked before each change
   */
  Open open(RunThreads threads, RandomGenerator random, Fence fence, OperatorNotices notices) {
    StandardCloudCallsFactory calls =
        new StandardCloudCallsFactory(
            CloudCallsConfig.defaults().withWorkers(REQUESTS),
            threads.timer(),
            threads.cloud(),
            random,
            metrics,
            LearnedRates.NONE,
            fence);
    ProviderContext context =
        new ProviderContext(
            CLUSTER, source, threads.timer(), random, calls, Meters.none(), notices);
    return new Open(factory.create(context), calls);
  }
}
